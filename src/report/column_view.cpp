#include "report/column_view.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "nw/report/comparison_in_words.hpp"
#include "nw/report/svg_chart.hpp"

#include "report/ellipse.hpp"

namespace nw::report {
namespace {

using record::Figure;
using record::FigureColumn;

constexpr int kColourX = 0, kColourY = 1, kColourMixture = 2;
constexpr double kHandful = 0.01;         // of the rows drawn: components below have no ellipse
constexpr std::size_t kManyEllipses = 8;  // more of them, and two rings each hide the points

/// Calls `each(value, component)` for all points of both sides that have a value.
template <typename Each>
void for_each_value(const Figure& figure, const FigureColumn& column, Each each) {
  const auto side = [&](const std::vector<double>& values, const std::vector<std::size_t>& member) {
    for (std::size_t i = 0; i < std::min(values.size(), member.size()); ++i) {
      if (std::isfinite(values[i])) each(values[i], member[i]);
    }
  };
  side(column.x, figure.member_x);
  side(column.y, figure.member_y);
}

/// A column less what another one, in a straight line, says about it.
FigureColumn without(const FigureColumn& column, const FigureColumn& other) {
  double n = 0.0, u = 0.0, v = 0.0, uu = 0.0, uv = 0.0;
  const auto add = [&](const std::vector<double>& a, const std::vector<double>& b) {
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
      if (!std::isfinite(a[i]) || !std::isfinite(b[i])) continue;
      n += 1.0, u += b[i], v += a[i], uu += b[i] * b[i], uv += a[i] * b[i];
    }
  };
  add(column.x, other.x);
  add(column.y, other.y);
  const double variance = uu - u * u / std::max(n, 1.0);
  const double slope = variance > 0.0 ? (uv - u * v / n) / variance : 0.0;
  FigureColumn rest = column;
  for (std::size_t i = 0; i < rest.x.size(); ++i) rest.x[i] -= slope * other.x[i];
  for (std::size_t i = 0; i < rest.y.size(); ++i) rest.y[i] -= slope * other.y[i];
  return rest;
}

/// Share of the variance that lies between components, in [0, 1].
double separation(const Figure& figure, const FigureColumn& column) {
  std::vector<double> sum, count;
  double total = 0.0, square = 0.0, all = 0.0;
  for_each_value(figure, column, [&](double value, std::size_t member) {
    if (member >= sum.size()) sum.resize(member + 1, 0.0), count.resize(member + 1, 0.0);
    sum[member] += value, count[member] += 1.0;
    total += value, square += value * value, all += 1.0;
  });
  if (all < 2.0) return 0.0;
  const double variance = square - total * total / all;
  double between = -total * total / all;
  for (std::size_t j = 0; j < sum.size(); ++j) {
    if (count[j] > 0.0) between += sum[j] * sum[j] / count[j];
  }
  return variance > 0.0 ? std::clamp(between / variance, 0.0, 1.0) : 0.0;
}

/// Whether its values spread over an axis: not a handful of them, and not nearly all the same one.
bool spreads(const Figure& figure, const FigureColumn& column) {
  constexpr std::size_t kFewValues = 8;
  constexpr double kNearlyAll = 0.75;
  std::vector<double> values;
  for_each_value(figure, column, [&](double value, std::size_t) { values.push_back(value); });
  std::ranges::sort(values);
  std::size_t distinct = 0, most = 0;
  for (std::size_t i = 0; i < values.size(); ++distinct) {
    const auto first = i;
    while (i < values.size() && values[i] == values[first]) ++i;
    most = std::max(most, i - first);
  }
  return distinct > kFewValues &&
         static_cast<double>(most) < kNearlyAll * static_cast<double>(values.size());
}

ChartSeries cloud(const std::string& name, const std::vector<double>& x,
                  const std::vector<double>& y, bool second) {
  ChartSeries series{.name = name, .x = x, .y = y, .mark = Mark::points};
  series.colour = second ? kColourY : kColourX;
  series.symbol = second ? Symbol::diamond : Symbol::circle;
  series.opacity = 0.6;
  series.point_size = 2.8;
  return series;
}

ChartSeries outlines(const Figure& figure, const FigureColumn& a, const FigureColumn& b) {
  ChartSeries drawn{.name = "components", .mark = Mark::line, .colour = kColourMixture};
  drawn.line_width = 1.5;
  std::size_t components = 0;
  for (const auto* members : {&figure.member_x, &figure.member_y}) {
    for (const std::size_t member : *members) components = std::max(components, member + 1);
  }
  for (std::size_t j = 0; j < components; ++j) {
    double n = 0.0, sx = 0.0, sy = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;
    const auto side = [&](const std::vector<double>& u, const std::vector<double>& v,
                          const std::vector<std::size_t>& member) {
      for (std::size_t i = 0; i < std::min(u.size(), member.size()); ++i) {
        if (member[i] != j || !std::isfinite(u[i]) || !std::isfinite(v[i])) continue;
        n += 1.0, sx += u[i], sy += v[i];
        xx += u[i] * u[i], xy += u[i] * v[i], yy += v[i] * v[i];
      }
    };
    side(a.x, b.x, figure.member_x);
    side(a.y, b.y, figure.member_y);
    const auto rows = static_cast<double>(figure.x.size() + figure.y.size());
    if (n < std::max(3.0, kHandful * rows)) continue;
    const double mx = sx / n, my = sy / n;
    for (std::size_t ring = 1; ring <= rings_of(figure); ++ring) {
      append_ellipse({.centre_x = mx,
                      .centre_y = my,
                      .xx = xx / n - mx * mx,
                      .xy = xy / n - mx * my,
                      .yy = yy / n - my * my},
                     static_cast<double>(ring), drawn);
    }
  }
  return drawn;
}

}  // namespace

std::size_t rings_of(const Figure& figure) {
  return figure.ellipses.size() > kManyEllipses ? 1 : 2;
}

std::optional<std::pair<std::size_t, std::size_t>> telling_columns(const Figure& figure) {
  std::vector<std::size_t> numbers, spread;
  for (std::size_t c = 0; c < figure.columns.size(); ++c) {
    if (!figure.columns[c].levels.empty()) continue;
    numbers.push_back(c);
    if (spreads(figure, figure.columns[c])) spread.push_back(c);
  }
  if (numbers.size() < 2) return std::nullopt;
  if (spread.size() >= 2) numbers = spread;
  const auto alone = [&](std::size_t c) { return separation(figure, figure.columns[c]); };
  const std::size_t first = *std::ranges::max_element(numbers, {}, alone);
  std::erase(numbers, first);
  const auto besides = [&](std::size_t c) {
    return separation(figure, without(figure.columns[c], figure.columns[first]));
  };
  return std::pair(first, *std::ranges::max_element(numbers, {}, besides));
}

std::string column_scatter(const record::RunRecord& record,
                           std::pair<std::size_t, std::size_t> columns, double width,
                           double height) {
  const Figure& figure = *record.figure;
  const FigureColumn& a = figure.columns[columns.first];
  const FigureColumn& b = figure.columns[columns.second];
  const ComparisonInWords story = comparison_in_words(record);
  Chart chart;
  chart.width = width;
  chart.height = height;
  chart.x_label = a.name;
  chart.y_label = b.name;
  chart.description = "Rows of " + story.side_x + " and " + story.side_y + " by " + a.name +
                      " and " + b.name + ", with the ellipses of the components";
  chart.series = {cloud(story.side_x, a.x, b.x, false), cloud(story.side_y, a.y, b.y, true)};
  chart.series.push_back(outlines(figure, a, b));
  return render_svg(chart);
}

}  // namespace nw::report
