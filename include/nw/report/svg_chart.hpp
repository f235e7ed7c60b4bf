// Charts as SVG text: lines, points and bands on linear or logarithmic axes.
//
// For figures in documents, benchmarks and pages that must do without scripts. The colours follow
// the reader's light or dark mode and can be told apart by colour-blind readers.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace nw::report {

enum class Scale { linear, logarithmic };

/// How one series is drawn.
enum class Mark { line, points, line_and_points };

/// The shape of a point.
enum class Symbol { circle, diamond };

/// One series of a chart. A value that is not finite (or not positive on a logarithmic axis)
/// interrupts the line and is not drawn as a point.
struct ChartSeries {
  std::string name{};  ///< in the legend; a series without a name stays out of it
  std::vector<double> x{}, y{};
  std::vector<double> y_low{}, y_high{};  ///< a band around the line: empty, or as long as y
  Mark mark = Mark::line_and_points;
  /// Which colour of the palette; series without one take the next in turn.
  std::optional<int> colour = std::nullopt;
  bool dashed = false;
  double opacity = 1.0;     ///< in (0, 1]
  double line_width = 2.0;  ///< pixels
  double point_size = 3.0;  ///< radius in pixels
  Symbol symbol = Symbol::circle;
};

/// A chart and its looks.
struct Chart {
  std::string title{};
  std::string description{};  ///< text alternative for readers who cannot see the chart
  std::string x_label{}, y_label{};
  Scale x_scale = Scale::linear, y_scale = Scale::linear;
  std::vector<ChartSeries> series{};
  double width = 720.0, height = 440.0;  ///< pixels, at least 160 x 120
  bool same_scale = false;               ///< one unit of x is as long as one of y (linear only)
  bool y_from_zero = false;              ///< linear y axis starts at zero
  double mark_x = 0.0;                   ///< where `mark_label` points to on the x axis
  std::string mark_label{};              ///< empty: no vertical mark

  /// Throws InvalidArgument naming the first member out of range.
  void validate() const;
};

/// The chart as one SVG element, ready for a file of its own or for a page.
[[nodiscard]] std::string render_svg(const Chart& chart);

/// Writes the chart to a file. Throws IoError.
void write_svg(const std::string& path, const Chart& chart);

}  // namespace nw::report
