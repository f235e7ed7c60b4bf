#include "nw/report/svg_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>

#include "nw/base/error.hpp"
#include "nw/io/atomic_file.hpp"

#include "report/axis.hpp"
#include "report/markup.hpp"

namespace nw::report {
namespace {

// Okabe and Ito's colours, in an order whose neighbours differ in lightness too. They are written
// as attributes, which every program that reads SVG understands; style sheets override them in the
// dark by the classes s0, s1, … (stroke) and f0, f1, … (fill).
constexpr std::array<const char*, 7> kPalette = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                 "#56b4e9", "#e69f00", "#7f7f7f"};

constexpr const char* kStyle =
    ".nw-chart{color:#222;background:transparent;font:13px system-ui,sans-serif}"
    ".nw-chart text{fill:currentColor}.nw-chart .grid{stroke:currentColor;stroke-opacity:.12}"
    ".nw-chart .frame{stroke:currentColor;stroke-opacity:.5;fill:none}"
    ".nw-chart .minor{stroke:currentColor;stroke-opacity:.05}"
    "@media screen and (prefers-color-scheme:dark){.nw-chart{color:#ddd}"
    ".nw-chart .s0{stroke:#5bb8f0}.nw-chart .f0{fill:#5bb8f0}.nw-chart .s1{stroke:#ff9a52}"
    ".nw-chart .f1{fill:#ff9a52}.nw-chart .s2{stroke:#2fcf9f}.nw-chart .f2{fill:#2fcf9f}"
    ".nw-chart .s3{stroke:#e6a3c6}.nw-chart .f3{fill:#e6a3c6}.nw-chart .s6{stroke:#aaa}"
    ".nw-chart .f6{fill:#aaa}}";

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value, Scale scale) {
    if (!std::isfinite(value) || (scale == Scale::logarithmic && value <= 0.0)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  [[nodiscard]] bool empty() const { return low > high; }
};

/// Pixels with two decimals: finer is invisible and only makes files larger.
std::string px(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  std::string out = text;
  out.erase(out.find_last_not_of('0') + 1);
  if (out.ends_with('.')) out.pop_back();
  return out == "-0" ? "0" : out;
}

Axis make_axis(Range range, Scale scale, bool from_zero) {
  if (range.empty()) range = scale == Scale::linear ? Range{0.0, 1.0} : Range{1.0, 10.0};
  if (scale == Scale::logarithmic) {
    const double pad = std::pow(range.high / range.low, 0.04);
    return {scale, range.low / pad, range.high * pad};
  }
  const double pad = 0.04 * (range.high - range.low);
  const double low = from_zero && range.low >= 0.0 ? 0.0 : range.low - pad;
  return {scale, low, range.high + pad};
}

/// Draws one chart: the plot area lies between the margins that labels need.
class Drawing {
 public:
  explicit Drawing(const Chart& chart)
      : chart_(chart),
        x_(make_axis(range_of_x(chart), chart.x_scale, false)),
        y_(make_axis(range_of_y(chart), chart.y_scale, chart.y_from_zero)) {
    top_ = chart.title.empty() ? 16.0 : 40.0;
    if (has_legend()) top_ += 22.0 * static_cast<double>(legend_rows());
    right_ = chart.width - 18.0;
    bottom_ = chart.height - (chart.x_label.empty() ? 32.0 : 52.0);
    std::size_t widest = 0;
    for (const Tick& tick : y_.ticks(6)) widest = std::max(widest, tick.label.size());
    left_ = 16.0 + 7.5 * static_cast<double>(widest) + (chart.y_label.empty() ? 0.0 : 20.0);
    if (chart.same_scale) equalise();
  }

  std::string render() {
    begin();
    axes();
    for (std::size_t i = 0; i < chart_.series.size(); ++i) series(chart_.series[i], slot(i));
    mark();
    legend();
    out_ << "</svg>";
    return out_.str();
  }

 private:
  static Range range_of_x(const Chart& chart) {
    Range range;
    for (const ChartSeries& s : chart.series) {
      for (const double x : s.x) range.add(x, chart.x_scale);
    }
    return range;
  }

  static Range range_of_y(const Chart& chart) {
    Range range;
    for (const ChartSeries& s : chart.series) {
      for (const auto* values : {&s.y, &s.y_low, &s.y_high}) {
        for (const double y : *values) range.add(y, chart.y_scale);
      }
    }
    return range;
  }

  // Widens the axis whose unit would be longer, so that circles stay circles.
  void equalise() {
    const double x_unit = (right_ - left_) / (x_.high() - x_.low());
    const double y_unit = (bottom_ - top_) / (y_.high() - y_.low());
    const double unit = std::min(x_unit, y_unit);
    const auto widened = [unit](const Axis& axis, double pixels) {
      const double middle = 0.5 * (axis.low() + axis.high()), half = 0.5 * pixels / unit;
      return Axis(Scale::linear, middle - half, middle + half);
    };
    x_ = widened(x_, right_ - left_);
    y_ = widened(y_, bottom_ - top_);
  }

  [[nodiscard]] double px_x(double value) const {
    return left_ + x_.position(value) * (right_ - left_);
  }
  [[nodiscard]] double px_y(double value) const {
    return bottom_ - y_.position(value) * (bottom_ - top_);
  }
  [[nodiscard]] bool visible(double x, double y) const { return x_.can_show(x) && y_.can_show(y); }

  [[nodiscard]] std::string point(double x, double y) const {
    return px(px_x(x)) + "," + px(px_y(y));
  }

  [[nodiscard]] std::size_t slot(std::size_t index) const {
    const auto chosen = chart_.series[index].colour;
    return (chosen ? static_cast<std::size_t>(*chosen) : index) % kPalette.size();
  }
  static std::string stroke(std::size_t slot) {
    return "stroke=\"" + std::string(kPalette[slot]) + "\"";
  }
  static std::string fill(std::size_t slot) {
    return "fill=\"" + std::string(kPalette[slot]) + "\"";
  }

  void begin() {
    out_ << "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"nw-chart\" role=\"img\" viewBox=\"0 "
            "0 "
         << px(chart_.width) << ' ' << px(chart_.height) << "\" width=\"" << px(chart_.width)
         << "\" height=\"" << px(chart_.height) << "\"";
    const std::string& label = chart_.description.empty() ? chart_.title : chart_.description;
    out_ << " aria-label=\"" << escape_markup(label) << "\"><style>" << kStyle << "</style>";
    if (!chart_.title.empty()) {
      out_ << "<text x=\"" << px(left_) << "\" y=\"22\" font-size=\"16\" font-weight=\"600\">"
           << escape_markup(chart_.title) << "</text>";
    }
  }

  void line(const char* kind, double x1, double y1, double x2, double y2) {
    out_ << "<line class=\"" << kind << "\" x1=\"" << px(x1) << "\" y1=\"" << px(y1) << "\" x2=\""
         << px(x2) << "\" y2=\"" << px(y2) << "\"/>";
  }

  void axes() {
    const int about_x = std::max(2, static_cast<int>((right_ - left_) / 80.0));
    const int about_y = std::max(2, static_cast<int>((bottom_ - top_) / 50.0));
    for (const Tick& tick : x_.ticks(about_x)) {
      const double x = px_x(tick.value);
      line(tick.label.empty() ? "minor" : "grid", x, top_, x, bottom_);
      if (tick.label.empty()) continue;
      out_ << "<text text-anchor=\"middle\" x=\"" << px(x) << "\" y=\"" << px(bottom_ + 18) << "\">"
           << tick.label << "</text>";
    }
    for (const Tick& tick : y_.ticks(about_y)) {
      const double y = px_y(tick.value);
      line(tick.label.empty() ? "minor" : "grid", left_, y, right_, y);
      if (tick.label.empty()) continue;
      out_ << "<text text-anchor=\"end\" x=\"" << px(left_ - 6) << "\" y=\"" << px(y + 4) << "\">"
           << tick.label << "</text>";
    }
    out_ << "<path class=\"frame\" d=\"M" << px(left_) << ',' << px(top_) << 'V' << px(bottom_)
         << 'H' << px(right_) << "\"/>";
    if (!chart_.x_label.empty()) {
      out_ << "<text text-anchor=\"middle\" x=\"" << px(0.5 * (left_ + right_)) << "\" y=\""
           << px(bottom_ + 40) << "\">" << escape_markup(chart_.x_label) << "</text>";
    }
    if (!chart_.y_label.empty()) {
      out_ << "<text text-anchor=\"middle\" transform=\"translate(16," << px(0.5 * (top_ + bottom_))
           << ") rotate(-90)\">" << escape_markup(chart_.y_label) << "</text>";
    }
  }

  void band(const ChartSeries& s, std::size_t colour) {
    std::string upper, lower;
    const auto shown = [&](std::size_t i) {
      return visible(s.x[i], s.y_low[i]) && visible(s.x[i], s.y_high[i]);
    };
    for (std::size_t i = 0; i < s.y_low.size(); ++i) {
      if (shown(i)) upper += (upper.empty() ? "M" : "L") + point(s.x[i], s.y_high[i]);
    }
    for (std::size_t i = s.y_low.size(); i-- > 0;) {  // and back along the other edge
      if (shown(i)) lower += "L" + point(s.x[i], s.y_low[i]);
    }
    if (upper.empty()) return;
    out_ << "<path class=\"band f" << colour << "\" " << fill(colour) << " fill-opacity=\".2\" d=\""
         << upper << lower << "Z\"/>";
  }

  void series(const ChartSeries& s, std::size_t colour) {
    band(s, colour);
    if (s.mark != Mark::points) {
      std::string path;
      bool pen_down = false;
      for (std::size_t i = 0; i < s.x.size(); ++i) {
        const bool drawn = visible(s.x[i], s.y[i]);
        if (drawn) path += (pen_down ? "L" : "M") + point(s.x[i], s.y[i]);
        pen_down = drawn;
      }
      out_ << "<path class=\"line s" << colour << "\" fill=\"none\" " << stroke(colour)
           << " stroke-opacity=\"" << format_number(s.opacity) << "\" stroke-width=\""
           << px(s.line_width) << "\" stroke-linejoin=\"round\""
           << (s.dashed ? " stroke-dasharray=\"6 4\"" : "") << " d=\"" << path << "\"/>";
    }
    if (s.mark == Mark::line) return;
    out_ << "<g class=\"points f" << colour << "\" " << fill(colour) << " fill-opacity=\""
         << format_number(s.opacity) << "\">";
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      if (!visible(s.x[i], s.y[i])) continue;
      symbol(s.symbol, px_x(s.x[i]), px_y(s.y[i]), s.point_size);
    }
    out_ << "</g>";
  }

  /// A diamond of the area of the circle.
  void symbol(Symbol shape, double x, double y, double radius) {
    if (shape == Symbol::circle) {
      out_ << "<circle cx=\"" << px(x) << "\" cy=\"" << px(y) << "\" r=\"" << px(radius) << "\"/>";
      return;
    }
    const std::string half = px(1.25 * radius);
    out_ << "<path d=\"M" << px(x) << ',' << px(y - 1.25 * radius) << 'l' << half << ',' << half
         << 'l' << '-' << half << ',' << half << 'l' << '-' << half << ",-" << half << "z\"/>";
  }

  void mark() {
    if (chart_.mark_label.empty() || !x_.can_show(chart_.mark_x)) return;
    const double x = px_x(chart_.mark_x);
    const bool near_right = x > 0.75 * right_;
    out_ << "<line stroke=\"currentColor\" stroke-dasharray=\"3 3\" x1=\"" << px(x) << "\" y1=\""
         << px(top_) << "\" x2=\"" << px(x) << "\" y2=\"" << px(bottom_) << "\"/><text x=\""
         << px(x + (near_right ? -6 : 6)) << "\" y=\"" << px(top_ + 14) << "\" text-anchor=\""
         << (near_right ? "end" : "start") << "\" font-weight=\"600\">"
         << escape_markup(chart_.mark_label) << "</text>";
  }

  [[nodiscard]] bool has_legend() const {
    return std::any_of(chart_.series.begin(), chart_.series.end(),
                       [](const ChartSeries& s) { return !s.name.empty(); });
  }

  static double legend_width(const ChartSeries& s) {
    return 38.0 + 7.2 * static_cast<double>(s.name.size());
  }

  [[nodiscard]] std::size_t legend_rows() const {
    std::size_t rows = 1;
    double x = 0.0;
    for (const ChartSeries& s : chart_.series) {
      if (s.name.empty()) continue;
      if (x > 0.0 && x + legend_width(s) > chart_.width - 80.0) ++rows, x = 0.0;
      x += legend_width(s);
    }
    return rows;
  }

  void legend() {
    double x = 0.0, y = chart_.title.empty() ? 18.0 : 44.0;
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      const ChartSeries& s = chart_.series[i];
      if (s.name.empty()) continue;
      if (x > 0.0 && x + legend_width(s) > chart_.width - 80.0) x = 0.0, y += 22.0;
      const double at = left_ + x;
      if (s.mark != Mark::points) {
        out_ << "<line class=\"s" << slot(i) << "\" " << stroke(slot(i)) << " stroke-width=\"2\""
             << (s.dashed ? " stroke-dasharray=\"6 4\"" : "") << " x1=\"" << px(at) << "\" y1=\""
             << px(y - 4) << "\" x2=\"" << px(at + 20) << "\" y2=\"" << px(y - 4) << "\"/>";
      }
      if (s.mark != Mark::line) {
        out_ << "<g class=\"f" << slot(i) << "\" " << fill(slot(i)) << '>';
        symbol(s.symbol, at + 10, y - 4, 3.5);
        out_ << "</g>";
      }
      out_ << "<text x=\"" << px(at + 26) << "\" y=\"" << px(y) << "\">" << escape_markup(s.name)
           << "</text>";
      x += legend_width(s);
    }
  }

  const Chart& chart_;
  Axis x_, y_;
  double left_ = 0.0, top_ = 0.0, right_ = 0.0, bottom_ = 0.0;
  std::ostringstream out_;
};

}  // namespace

void Chart::validate() const {
  require(width >= 160.0 && height >= 120.0, "Chart must be at least 160 x 120, got ", width, " x ",
          height);
  require(!same_scale || (x_scale == Scale::linear && y_scale == Scale::linear),
          "Chart.same_scale needs linear axes");
  for (const ChartSeries& s : series) {
    require(s.x.size() == s.y.size(), "Chart.series ", s.name, " has ", s.x.size(), " x and ",
            s.y.size(), " y values");
    require(s.y_low.size() == s.y_high.size() && (s.y_low.empty() || s.y_low.size() == s.y.size()),
            "Chart.series ", s.name, " has a band of ", s.y_low.size(), " low and ",
            s.y_high.size(), " high values for ", s.y.size(), " points");
    require(s.opacity > 0.0 && s.opacity <= 1.0, "Chart.series ", s.name,
            ": opacity must lie in (0, 1], got ", s.opacity);
    require(!s.colour || *s.colour >= 0, "Chart.series ", s.name, ": colour must be >= 0");
  }
}

std::string render_svg(const Chart& chart) {
  chart.validate();
  return Drawing(chart).render();
}

void write_svg(const std::string& path, const Chart& chart) {
  io::write_file_atomically(path, render_svg(chart) + '\n');
}

}  // namespace nw::report
