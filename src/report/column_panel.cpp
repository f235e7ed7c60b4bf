#include "report/column_panel.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <sstream>

#include "nw/base/number_text.hpp"
#include "nw/report/comparison_in_words.hpp"

#include "report/markup.hpp"
#include "report/wording.hpp"

namespace nw::report {
namespace {

using record::ColumnSummary;
using record::FigureColumn;
using record::RunRecord;

constexpr std::size_t kShown = 12;  // columns before the fold
constexpr std::size_t kBins = 24;
constexpr double kWidth = 240.0, kHeight = 64.0;

/// Shares of the values of each side, in bins of amounts or by level.
struct Histogram {
  std::vector<double> x, y;
  std::string low, high;  ///< ends of the axis
  bool levels = false;
};

std::vector<double> finite(const std::vector<double>& values) {
  std::vector<double> kept;
  std::ranges::copy_if(values, std::back_inserter(kept), [](double v) { return std::isfinite(v); });
  return kept;
}

std::vector<double> shares(const std::vector<double>& values, double low, double width,
                           std::size_t bins) {
  std::vector<double> share(bins, 0.0);
  for (const double value : values) {
    const double at = std::floor((value - low) / width);
    share[static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(bins - 1)))] +=
        1.0 / static_cast<double>(values.size());
  }
  return share;
}

/// Amounts from the 0.5 % to the 99.5 % quantile: the tails go into the outermost bins.
Histogram histogram(const FigureColumn& column) {
  Histogram result;
  const std::vector<double> x = finite(column.x), y = finite(column.y);
  if (x.empty() || y.empty()) return result;
  if (!column.levels.empty()) {
    result.levels = true;
    result.x = shares(x, -0.5, 1.0, column.levels.size());
    result.y = shares(y, -0.5, 1.0, column.levels.size());
    return result;
  }
  std::vector<double> all = x;
  all.insert(all.end(), y.begin(), y.end());
  std::ranges::sort(all);
  const auto at = [&](double q) {
    return all[static_cast<std::size_t>(q * static_cast<double>(all.size() - 1))];
  };
  double low = at(0.005), high = at(0.995);
  if (!(high > low)) low -= 0.5, high += 0.5;
  const double width = (high - low) / static_cast<double>(kBins);
  result.x = shares(x, low, width, kBins);
  result.y = shares(y, low, width, kBins);
  result.low = significant(low, 3);
  result.high = significant(high, 3);
  return result;
}

/// Half the sum of differences: the share of rows that would have to change.
double difference(const Histogram& histogram) {
  double sum = 0.0;
  for (std::size_t i = 0; i < histogram.x.size(); ++i) {
    sum += std::abs(histogram.x[i] - histogram.y[i]);
  }
  return 0.5 * sum;
}

std::string steps(const std::vector<double>& share, double most) {
  std::ostringstream path;
  path.precision(5);
  const double width = kWidth / static_cast<double>(share.size());
  path << "M0," << kHeight;
  for (std::size_t i = 0; i < share.size(); ++i) {
    const double y = kHeight * (1.0 - share[i] / most);
    path << "L" << width * static_cast<double>(i) << ',' << y << "H"
         << width * static_cast<double>(i + 1);
  }
  path << "V" << kHeight << "Z";
  return path.str();
}

void draw_amounts(std::ostream& out, const Histogram& histogram, const std::string& name) {
  const double most = std::max(
      {1e-9, *std::ranges::max_element(histogram.x), *std::ranges::max_element(histogram.y)});
  out << "<svg class=\"histogram\" role=\"img\" viewBox=\"0 0 " << kWidth << ' ' << kHeight + 16
      << "\" aria-label=\"Distribution of " << escape_markup(name) << " in X and in Y\">"
      << "<path class=\"hist-x\" d=\"" << steps(histogram.x, most)
      << "\"/><path class=\"hist-y\" d=\"" << steps(histogram.y, most) << "\"/><text x=\"0\" y=\""
      << kHeight + 13 << "\">" << escape_markup(histogram.low)
      << "</text><text text-anchor=\"end\" x=\"" << kWidth << "\" y=\"" << kHeight + 13 << "\">"
      << escape_markup(histogram.high) << "</text></svg>";
}

/// The levels that changed most, as pairs of bars.
void draw_levels(std::ostream& out, const Histogram& histogram, const FigureColumn& column) {
  std::vector<std::size_t> order(histogram.x.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto size = [&](std::size_t i) { return std::max(histogram.x[i], histogram.y[i]); };
  std::ranges::stable_sort(order, [&](auto a, auto b) { return size(a) > size(b); });
  constexpr std::size_t kBars = 4;
  out << "<div class=\"levels\">";
  for (std::size_t i = 0; i < std::min(order.size(), kBars); ++i) {
    const std::size_t level = order[i];
    const auto bar = [&](const char* css, double share) {
      out << "<i class=\"" << css << "\" style=\"width:" << format_number(100.0 * share, 4)
          << "%\"></i>";
    };
    out << "<span class=\"level\">" << escape_markup(column.levels[level])
        << "</span><span class=\"level-bars\">";
    bar("bar-x", histogram.x[level]);
    bar("bar-y", histogram.y[level]);
    out << "</span>";
  }
  out << "</div>";
  if (order.size() > kBars) {
    out << "<p class=\"caption\">and " << counted(order.size() - kBars, "more level") << "</p>";
  }
}

const ColumnSummary* summary_of(const RunRecord& record, const std::string& name) {
  const auto found = std::ranges::find(record.columns, name, &ColumnSummary::name);
  return found == record.columns.end() ? nullptr : &*found;
}

/// How much of a change is within components. Both are estimates: their ratio may leave [0, 1], and
/// near its ends a percentage says more than is known.
std::string part_within(double ratio) {
  constexpr double kNearEnd = 0.15;
  if (ratio < kNearEnd) return "by the mix alone";
  if (ratio > 1.0 - kNearEnd) return "all of it within components";
  return percent(ratio, 2) + " of it within components";
}

constexpr double kByChance = 0.05;  // p-values above it

void write_entry(std::ostream& out, const RunRecord& record, const FigureColumn& column,
                 const Histogram& histogram) {
  out << "<article class=\"column\"><h4>" << escape_markup(column.name) << "</h4>";
  if (histogram.levels) {
    draw_levels(out, histogram, column);
  } else {
    draw_amounts(out, histogram, column.name);
  }
  const ColumnSummary* summary = summary_of(record, column.name);
  out << "<p>";
  if (summary != nullptr && summary->change) {
    const bool by_chance = summary->change_p && *summary->change_p > kByChance;
    if (by_chance) {
      out << "no change beyond chance";
    } else {
      out << "changed by " << format_number(*summary->change, 2) << " deviations";
    }
    if (!by_chance && summary->change_within && *summary->change > 0.0) {
      out << ", " << part_within(*summary->change_within / *summary->change);
    }
    if (summary->change_p)
      out << " <span class=\"faint\">(" << p_words(*summary->change_p) << ")</span>";
  } else {
    out << percent(difference(histogram)) << " of the rows differ";
  }
  if (summary != nullptr && (summary->missing_x > 0.0 || summary->missing_y > 0.0)) {
    out << "; missing: " << percent(summary->missing_x, 2) << " of X, "
        << percent(summary->missing_y, 2) << " of Y";
  }
  out << "</p></article>";
}

}  // namespace

bool has_column_panel(const RunRecord& record) {
  return record.compare && record.figure && !record.figure->columns.empty() &&
         !record.figure->y.empty();
}

void write_column_panel(std::ostream& out, const RunRecord& record) {
  std::vector<std::pair<double, std::size_t>> order;
  std::vector<Histogram> histograms;
  for (const FigureColumn& column : record.figure->columns) {
    histograms.push_back(histogram(column));
    if (histograms.back().x.empty()) continue;
    const ColumnSummary* summary = summary_of(record, column.name);
    const double change =
        summary != nullptr && summary->change ? *summary->change : difference(histograms.back());
    order.emplace_back(-change, histograms.size() - 1);
  }
  std::ranges::stable_sort(order);
  out << "<p class=\"key\"><span class=\"swatch swatch-x\"></span> X <span class=\"swatch "
         "swatch-y\"></span> Y; columns that changed most come first</p><div "
         "class=\"column-grid\">";
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == kShown) {
      out << "</div><details class=\"numbers\"><summary>"
          << counted(order.size() - kShown, "more column")
          << "</summary><div class=\"column-grid\">";
    }
    const std::size_t c = order[i].second;
    write_entry(out, record, record.figure->columns[c], histograms[c]);
  }
  out << "</div>" << (order.size() > kShown ? "</details>" : "");
}

}  // namespace nw::report
