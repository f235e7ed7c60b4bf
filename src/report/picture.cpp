#include "nw/report/picture.hpp"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "nw/base/error.hpp"
#include "nw/report/comparison_in_words.hpp"

#include "report/column_view.hpp"
#include "report/markup.hpp"
#include "report/static_charts.hpp"

namespace nw::report {
namespace {

constexpr double kWidth = 920.0, kPlotWidth = 520.0, kPlotHeight = 430.0;
constexpr double kTop = 74.0;                  // below the headline and a line of summary
constexpr double kLine = 20.0, kLetter = 7.9;  // of the summary, in the widest usual font
constexpr double kPairHeight = 58.0;
constexpr std::size_t kMostShown = 7;

constexpr const char* kStyle =
    ".nw-picture{color:#1b2330;font:13px system-ui,sans-serif}.nw-picture text{fill:currentColor}"
    ".nw-picture .soft{fill-opacity:.7}"
    "@media screen and (prefers-color-scheme:dark){.nw-picture{color:#e6eaf0}"
    ".nw-picture .f0{fill:#5bb8f0}.nw-picture .f1{fill:#ff9a52}}";

std::string shortened(const std::string& text, std::size_t most) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U) continue;
    if (++count > most) return text.substr(0, i) + "…";
  }
  return text;
}

/// Text in one line of at most `most` letters, or in two, of which the second may be cut.
std::vector<std::string> two_lines(const std::string& text, std::size_t most) {
  const std::string first = shortened(text, most);
  if (first == text) return {text};
  const auto at = first.find_last_of(' ');
  if (at == std::string::npos) return {first};
  return {text.substr(0, at), shortened(text.substr(at + 1), most)};
}

class Drawing {
 public:
  explicit Drawing(const record::RunRecord& record)
      : record_(record), story_(comparison_in_words(record, kMostShown)) {
    left_ = record.figure ? kPlotWidth + 20.0 : 0.0;
    summary_ = two_lines(story_.summary, static_cast<std::size_t>(width() / kLetter));
    top_ = kTop + (summary_.size() > 1 ? kLine : 0.0);
  }

  std::string render() {
    const double bars = top_ + 24.0 + kPairHeight * static_cast<double>(story_.components.size()) +
                        (story_.left_out > 0 ? 20.0 : 0.0);
    const double height = std::max(record_.figure ? top_ + kPlotHeight : 0.0, bars) + 6.0;
    out_ << "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"nw-picture\" role=\"img\" "
            "viewBox=\"0 0 "
         << width() << ' ' << height << "\" width=\"" << width() << "\" height=\"" << height
         << "\" aria-label=\"" << escape_markup(story_.headline + ". " + story_.summary)
         << "\"><style>" << kStyle << "</style>";
    text(4.0, 26.0, story_.headline, "font-size=\"20\" font-weight=\"700\"");
    for (std::size_t line = 0; line < summary_.size(); ++line) {
      text(4.0, 50.0 + kLine * static_cast<double>(line), summary_[line], "font-size=\"14\"");
    }
    if (record_.figure) scatter();
    shares();
    out_ << "</svg>\n";
    return out_.str();
  }

 private:
  [[nodiscard]] double width() const { return record_.figure ? kWidth : kWidth - kPlotWidth; }

  void text(double x, double y, const std::string& words, const char* looks) {
    out_ << "<text x=\"" << x << "\" y=\"" << y << "\" " << looks << ">" << escape_markup(words)
         << "</text>";
  }

  void scatter() {
    const auto columns = telling_columns(*record_.figure);
    std::string chart = columns ? column_scatter(record_, *columns, kPlotWidth, kPlotHeight)
                                : static_scatter(record_);
    // An SVG inside another stands where its attributes say.
    const double height = columns ? kPlotHeight : kPlotWidth * 520.0 / 640.0;
    const auto size = chart.find(" width=\"");
    const auto end = chart.find('"', chart.find(" height=\"", size) + 9);
    chart.replace(
        size, end + 1 - size,
        concat(" x=\"0\" y=\"", top_, "\" width=\"", kPlotWidth, "\" height=\"", height, "\""));
    out_ << chart;
  }

  void shares() {
    const auto& result = *record_.compare;
    double most = 0.0;
    for (const auto& component : result.components) {
      most = std::max({most, component.mass_x, component.mass_y});
    }
    double y = top_ + 16.0;
    text(left_, y, concat("Share of the rows: ", story_.side_x, " and ", story_.side_y),
         "font-weight=\"600\"");
    y += 10.0;
    for (const ComponentInWords& told : story_.components) {
      const auto& component = result.components[told.number - 1];
      const std::string name = told.name.empty() ? "" : " · " + told.name;
      const std::string fate = told.fate.empty() ? "" : " (" + told.fate + ")";
      text(left_, y + 16.0, shortened(concat(told.number, name), 48) + fate, "");
      bar(y + 22.0, component.mass_x / most, told.share_x, "f0", "#0072b2");
      bar(y + 37.0, component.mass_y / most, told.share_y, "f1", "#d55e00");
      y += kPairHeight;
    }
    if (story_.left_out > 0) {
      text(left_, y + 14.0, concat("and ", story_.left_out, " more"), "class=\"soft\"");
    }
  }

  void bar(double y, double share, const std::string& words, const char* css, const char* colour) {
    const double room = 300.0, length = std::max(1.0, room * share);
    out_ << "<rect class=\"" << css << "\" fill=\"" << colour << "\" x=\"" << left_ << "\" y=\""
         << y << "\" width=\"" << format_number(length, 5) << "\" height=\"12\" rx=\"2\"/>";
    text(left_ + length + 6.0, y + 10.5, words, "font-size=\"12\"");
  }

  const record::RunRecord& record_;
  ComparisonInWords story_;
  std::vector<std::string> summary_;
  double left_ = 0.0, top_ = kTop;
  std::ostringstream out_;
};

}  // namespace

std::string render_picture(const record::RunRecord& record) {
  require(record.compare.has_value(), "render_picture: the record holds no comparison");
  return Drawing(record).render();
}

}  // namespace nw::report
