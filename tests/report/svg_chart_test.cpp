#include "nw/report/svg_chart.hpp"

#include <cmath>
#include <limits>
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/error.hpp"

#include "report/axis.hpp"

namespace nw::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// Pixel positions (cx, cy) of all points of the data (the legend's dots have another radius).
std::vector<std::pair<double, double>> circles(const std::string& svg) {
  static const std::regex pattern("<circle cx=\"([-0-9.]+)\" cy=\"([-0-9.]+)\"");
  std::vector<std::pair<double, double>> found;
  for (std::sregex_iterator it(svg.begin(), svg.end(), pattern), end; it != end; ++it) {
    found.emplace_back(std::stod((*it)[1]), std::stod((*it)[2]));
  }
  return found;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

TEST(RenderSvg, DrawsAPowerLawAsAStraightLineOnLogarithmicAxes) {
  Chart chart;
  chart.x_scale = chart.y_scale = Scale::logarithmic;
  ChartSeries series;
  for (const double n : {1e2, 1e3, 1e4, 1e5}) {
    series.x.push_back(n);
    series.y.push_back(1e-7 * n * n);
  }
  chart.series = {series};
  const auto at = circles(render_svg(chart));
  ASSERT_EQ(at.size(), 4u);
  const double slope = (at[1].second - at[0].second) / (at[1].first - at[0].first);
  EXPECT_LT(slope, 0.0);  // pixels grow downwards
  for (std::size_t i = 2; i < 4; ++i) {
    EXPECT_NEAR(at[i].first - at[i - 1].first, at[1].first - at[0].first, 0.02);
    EXPECT_NEAR((at[i].second - at[0].second) / (at[i].first - at[0].first), slope, 1e-3);
  }
}

TEST(RenderSvg, KeepsCirclesRoundWhenBothAxesShareTheirScale) {
  Chart chart{.width = 800, .height = 300, .same_scale = true};
  chart.series = {{.x = {0, 1, 0, 1}, .y = {0, 0, 1, 1}, .mark = Mark::points}};
  const auto at = circles(render_svg(chart));
  ASSERT_EQ(at.size(), 4u);
  EXPECT_NEAR(at[1].first - at[0].first, at[0].second - at[2].second, 0.02);
}

TEST(RenderSvg, InterruptsTheLineWhereNothingCanBeDrawn) {
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  Chart chart{.y_scale = Scale::logarithmic};
  chart.series = {{.x = {1, 2, 3, 4, 5, 6}, .y = {1, 2, nothing, 4, 0, 6}, .mark = Mark::line}};
  const std::string svg = render_svg(chart);
  const std::size_t path = svg.find("class=\"line ");
  ASSERT_NE(path, std::string::npos);
  EXPECT_EQ(count(svg.substr(path, svg.find("/>", path) - path), "M"), 3u);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(RenderSvg, EscapesEveryTextThatComesFromTheCaller) {
  Chart chart{.title = "<script>", .description = "\"&'", .x_label = "<x>", .y_label = "<y>"};
  chart.series = {{.name = "a<b", .x = {1}, .y = {1}}};
  chart.mark_label = "<k>";
  const std::string svg = render_svg(chart);
  for (const char* raw : {"<script>", "<x>", "<y>", "a<b", "<k>", "\"\"&"}) {
    EXPECT_THAT(svg, Not(HasSubstr(raw)));
  }
  EXPECT_THAT(svg, HasSubstr("aria-label=\"&quot;&amp;&#39;\""));
}

TEST(RenderSvg, CopesWithNoDataAndWithASingleValue) {
  EXPECT_THAT(render_svg(Chart{}), HasSubstr("</svg>"));
  Chart chart;
  chart.series = {{.x = {3}, .y = {0}}};
  const auto at = circles(render_svg(chart));
  ASSERT_EQ(at.size(), 1u);
  EXPECT_TRUE(std::isfinite(at[0].first) && std::isfinite(at[0].second));
}

TEST(RenderSvg, RejectsSeriesOfUnequalLength) {
  Chart chart;
  chart.series = {{.name = "loss", .x = {1, 2}, .y = {1}}};
  try {
    (void)render_svg(chart);
    FAIL() << "nothing was thrown";
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "Chart.series loss has 2 x and 1 y values");
  }
}

TEST(RoundValues, AreOneTwoOrFiveTimesAPowerOfTen) {
  EXPECT_THAT(round_values(0.0, 10.0, 5), ElementsAre(0, 2, 4, 6, 8, 10));
  EXPECT_FALSE(std::signbit(round_values(0.0, 1.0, 5)[0]));
  EXPECT_THAT(round_values(-0.07, 0.11, 4), ElementsAre(-0.05, 0, 0.05, 0.1));
}

TEST(Axis, LabelsPowersOfTenAcrossManyDecades) {
  std::vector<std::string> labels;
  for (const Tick& tick : Axis(Scale::logarithmic, 1e-4, 1e4).ticks(4)) {
    if (!tick.label.empty()) labels.push_back(tick.label);
  }
  EXPECT_THAT(labels, ElementsAre("1e−4", "0.01", "1", "100", "10000"));
}

}  // namespace
}  // namespace nw::report
