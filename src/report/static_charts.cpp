#include "report/static_charts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "nw/base/number_text.hpp"
#include "nw/report/svg_chart.hpp"

#include "report/ellipse.hpp"
#include "report/markup.hpp"
#include "report/wording.hpp"

namespace nw::report {
namespace {

using record::CompareResult;
using record::Figure;
using record::FigureEllipse;
using record::FigurePoint;

constexpr int kColourX = 0, kColourY = 1, kColourMixture = 2;
constexpr std::size_t kDistinctColours = 7;  // lines beyond them are dashed
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// Second coordinate of a point; with a single axis X and Y are drawn as two rows of points,
/// spread by a fixed pattern (the golden ratio's multiples) so that they do not cover each other.
double second(const FigurePoint& point, double row, std::size_t index) {
  if (point.size() > 1) return point[1];
  const double golden = static_cast<double>(index) * 0.618033988749895;
  return row + 0.5 * (golden - std::floor(golden) - 0.5);
}

ChartSeries cloud(const std::string& name, const std::vector<FigurePoint>& points, int colour,
                  double row) {
  ChartSeries series{.name = name, .mark = Mark::points, .colour = colour};
  series.opacity = 0.55;
  series.point_size = 2.5;
  if (colour == kColourY) series.symbol = Symbol::diamond;
  for (std::size_t i = 0; i < points.size(); ++i) {
    series.x.push_back(points[i][0]);
    series.y.push_back(second(points[i], row, i));
  }
  return series;
}

void append_outline(const FigureEllipse& ellipse, std::size_t axes, double deviations,
                    ChartSeries& out) {
  append_ellipse({.centre_x = ellipse.centre[0],
                  .centre_y = ellipse.centre[1],
                  .xx = ellipse.covariance[0],
                  .xy = ellipse.covariance[1],
                  .yy = ellipse.covariance[axes + 1]},
                 deviations, out);
}

/// Axes that hide part of the data say how much of it they show.
std::string axis_title(const Figure& figure, std::size_t index) {
  double shown = 0.0;
  for (const record::FigureAxis& axis : figure.axes) shown += axis.variance_share;
  const record::FigureAxis& axis = figure.axes[index];
  if (shown > 0.9995) return axis.name;
  return axis.name + " (" + percent(axis.variance_share) + " of the variance)";
}

void bar(std::ostringstream& out, const char* set, double share, const Interval* interval,
         double scale) {
  const auto css = [scale](double value) { return format_number(100.0 * value / scale, 5) + "%"; };
  out << "<div class=\"bar-row\"><span class=\"bar-key\">" << set
      << "</span><div class=\"bar-track\"><div class=\"bar bar-" << (*set == 'X' ? "x" : "y")
      << "\" style=\"width:" << css(std::max(share, 0.0)) << "\"></div>";
  if (interval) {
    out << "<div class=\"bar-interval\" style=\"left:" << css(interval->low)
        << ";width:" << css(std::max(interval->high - interval->low, 0.0)) << "\"></div>";
  }
  out << "</div><span class=\"bar-value\">" << percent(share) << "</span></div>";
}

}  // namespace

std::string static_scatter(const record::RunRecord& record) {
  const Figure& figure = *record.figure;
  const bool flat = figure.axes.size() == 1;
  Chart chart;
  chart.width = 640;
  chart.height = flat ? 240 : 520;
  chart.same_scale = !flat;
  chart.x_label = axis_title(figure, 0);
  const auto [x_name, y_name] = set_names(record);
  chart.y_label = flat ? x_name + " below, " + y_name + " above" : axis_title(figure, 1);
  chart.description = "Scatter plot of " + std::to_string(figure.x.size()) + " points of " +
                      x_name + " and " + std::to_string(figure.y.size()) + " points of " + y_name;
  if (!figure.ellipses.empty()) {
    chart.description +=
        " with the ellipses of " + std::to_string(figure.ellipses.size()) + " components";
  }
  chart.series = {cloud(x_name, figure.x, kColourX, 0.0)};
  if (!figure.y.empty()) chart.series.push_back(cloud(y_name, figure.y, kColourY, 1.0));
  if (!flat && !figure.ellipses.empty()) {
    ChartSeries outlines{.name = "components", .mark = Mark::line, .colour = kColourMixture};
    for (const FigureEllipse& ellipse : figure.ellipses) {
      append_outline(ellipse, figure.axes.size(), 1.0, outlines);
      append_outline(ellipse, figure.axes.size(), 2.0, outlines);
    }
    chart.series.push_back(std::move(outlines));
  }
  return render_svg(chart);
}

std::string static_proportions(const CompareResult& result) {
  double scale = 0.0;
  for (std::size_t j = 0; j < result.k; ++j) {
    scale = std::max({scale, result.pi_x[j], result.pi_y[j]});
    if (!result.pi_x_interval.empty()) scale = std::max(scale, result.pi_x_interval[j].high);
    if (!result.pi_y_interval.empty()) scale = std::max(scale, result.pi_y_interval[j].high);
  }
  if (scale <= 0.0) scale = 1.0;
  std::ostringstream out;
  out << "<div class=\"bars\">";
  for (std::size_t j = 0; j < result.k; ++j) {
    out << "<div class=\"bar-group\"><span class=\"bar-name\">"
        << escape_markup(component_name(result, j)) << "</span><div class=\"bar-pair\">";
    bar(out, "X", result.pi_x[j], result.pi_x_interval.empty() ? nullptr : &result.pi_x_interval[j],
        scale);
    bar(out, "Y", result.pi_y[j], result.pi_y_interval.empty() ? nullptr : &result.pi_y_interval[j],
        scale);
    out << "</div></div>";
  }
  out << "</div>";
  return out.str();
}

std::string static_curve(const record::ModeChoice& choice) {
  Chart chart;
  chart.width = 560;
  chart.height = 340;
  chart.x_label = "number of components k";
  chart.y_label = "NW(k)";
  chart.y_from_zero = true;
  ChartSeries floor{.name = "noise floor", .mark = Mark::line, .colour = 6};
  floor.line_width = 1.0;
  floor.dashed = true;
  ChartSeries values{.name = "NW(k)", .colour = kColourMixture};
  for (const record::CurvePoint& point : choice.curve) {
    const auto k = static_cast<double>(point.k);
    values.x.push_back(k);
    values.y.push_back(point.nw);
    values.y_low.push_back(point.nw_low.value_or(kNothing));
    values.y_high.push_back(point.nw_high.value_or(kNothing));
    const double low = point.floor_low.value_or(kNothing);
    const double high = point.floor_high.value_or(kNothing);
    floor.x.push_back(k);
    floor.y.push_back(0.5 * (low + high));
    floor.y_low.push_back(low);
    floor.y_high.push_back(high);
  }
  chart.series = {floor, values};
  chart.mark_x = static_cast<double>(choice.k);
  chart.mark_label = "k* = " + std::to_string(choice.k);
  chart.description = "Curve of NW(k) over the number of components with its noise floor; k* is " +
                      std::to_string(choice.k);
  return render_svg(chart);
}

std::vector<std::size_t> series_of_chart(const std::vector<record::Series>& series,
                                         std::size_t first) {
  std::vector<std::size_t> shown = {first};
  if (series[first].chart.empty()) return shown;
  for (std::size_t i = first + 1; i < series.size(); ++i) {
    if (series[i].chart == series[first].chart) shown.push_back(i);
  }
  return shown;
}

std::string static_series(const std::vector<record::Series>& series,
                          const std::vector<std::size_t>& shown) {
  const record::Series& first = series[shown.front()];
  Chart chart;
  chart.width = 640;
  chart.height = 320;
  chart.x_label = first.x_label;
  chart.y_label = first.y_label;
  for (const std::size_t i : shown) {
    chart.description += (chart.description.empty() ? "" : ", ") + series[i].name;
    chart.series.push_back({.name = shown.size() > 1 ? series[i].name : "",
                            .x = series[i].x,
                            .y = series[i].y,
                            .mark = Mark::line,
                            .dashed = chart.series.size() >= kDistinctColours});
  }
  chart.description += " over " + first.x_label;
  return render_svg(chart);
}

}  // namespace nw::report
