#include "experiments/bench/growth.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "nw/base/version.hpp"
#include "nw/io/atomic_file.hpp"
#include "nw/report/svg_chart.hpp"
#include "nw/report/text_table.hpp"

namespace nw::experiments {
namespace {

constexpr const char* kBegin = "<!-- growth: begin (written by nw bench ot --growth) -->\n";
constexpr const char* kEnd = "<!-- growth: end -->\n";

const GrowthCurve kCurves[] = {{"far", 2}, {"near", 1}, {"far", 1}};

std::string metric_name(int p) {
  return p == 1 ? "W1" : "W2²";
}

std::string name_of(const GrowthCurve& curve) {
  return metric_name(curve.p) + " " + curve.clouds;
}

bool belongs(const BenchRow& row, const GrowthCurve& curve) {
  return row.name == curve.clouds && row.p == curve.p;
}

report::ChartSeries series(const std::vector<BenchRow>& rows, const GrowthCurve& curve, int colour,
                           bool ours) {
  report::ChartSeries line;
  line.name = (ours ? "nw " : "POT ") + name_of(curve);
  line.colour = colour;
  line.dashed = !ours;
  for (const BenchRow& row : rows) {
    if (!belongs(row, curve) || (!ours && !row.peer)) continue;
    line.x.push_back(static_cast<double>(row.n));
    line.y.push_back(ours ? row.ours.cpu_seconds : row.peer->cpu_seconds);
  }
  return line;
}

report::Chart growth_chart(const std::vector<BenchRow>& rows) {
  report::Chart chart;
  chart.title = "Exact transport in the plane";
  chart.description =
      "CPU seconds against the number of points, both axes logarithmic: nw and POT.";
  chart.x_label = "points in each cloud";
  chart.y_label = "CPU seconds";
  chart.x_scale = chart.y_scale = report::Scale::logarithmic;
  for (const bool ours : {true, false}) {
    int colour = 0;
    for (const GrowthCurve& curve : kCurves) {
      auto line = series(rows, curve, colour++, ours);
      if (!line.x.empty()) chart.series.push_back(std::move(line));
    }
  }
  return chart;
}

std::string growth_table(const std::vector<BenchRow>& rows) {
  report::TextTable table({"n = m", "problem", "nw CPU s", "pivots", "nw MB", "relative gap",
                           "POT CPU s", "POT MB", "ratio"});
  for (const BenchRow& row : rows) {
    const auto peer = [&](double SolveReport::*field) {
      return row.peer ? significant((*row.peer).*field, 3) : std::string("—");
    };
    const double pivots = static_cast<double>(row.pivots) / static_cast<double>(row.n);
    table.add(
        {std::to_string(row.n), name_of({row.name, row.p}), significant(row.ours.cpu_seconds, 3),
         significant(pivots, 3) + " n", significant(row.ours.memory_mb, 3), significant(row.gap, 2),
         peer(&SolveReport::cpu_seconds), peer(&SolveReport::memory_mb),
         row.peer ? significant(row.peer->cpu_seconds / row.ours.cpu_seconds, 3) + "x" : "—"});
  }
  return table.markdown();
}

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

double growth_exponent(const std::vector<BenchRow>& rows, const GrowthCurve& curve) {
  double count = 0, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  for (const BenchRow& row : rows) {
    if (!belongs(row, curve) || row.n < kGrowthFrom || row.ours.cpu_seconds <= 0.0) continue;
    const double x = std::log(static_cast<double>(row.n)), y = std::log(row.ours.cpu_seconds);
    count += 1, sum_x += x, sum_y += y, sum_xx += x * x, sum_xy += x * y;
  }
  const double spread = count * sum_xx - sum_x * sum_x;
  if (count < 2 || spread <= 0.0) return std::numeric_limits<double>::quiet_NaN();
  return (count * sum_xy - sum_x * sum_y) / spread;
}

void write_growth(const std::filesystem::path& page, const std::vector<BenchRow>& rows,
                  const std::string& machine) {
  std::filesystem::path image = page;
  image.replace_filename(page.stem().string() + "-growth.svg");
  report::write_svg(image.string(), growth_chart(rows));

  std::ostringstream section;
  section << kBegin
          << "Points of the plane with equal masses. *Far*: a standard Gaussian against one with "
             "deviations 0.5 and 1.5 about (2, 0.5). *Near*: two uniform\nsamples of the unit "
             "square. One draw and one solve a row, nw "
          << version() << ", " << machine
          << ".\nCPU seconds are those of all threads; memory is what the solve adds to the "
             "points. POT's cost matrix counts as its memory, but not as its time.\n\n"
          << growth_table(rows) << "\n![CPU seconds against n](" << image.filename().string()
          << ")\n";
  for (const GrowthCurve& curve : kCurves) {
    const double exponent = growth_exponent(rows, curve);
    if (!std::isfinite(exponent)) continue;
    std::size_t largest = 0;
    for (const BenchRow& row : rows) {
      if (belongs(row, curve)) largest = std::max(largest, row.n);
    }
    section << "\n"
            << name_of(curve) << ": CPU seconds grow like n^" << significant(exponent, 3)
            << " from " << kGrowthFrom << " to " << largest << " points.\n";
  }
  section << kEnd;

  std::string text = std::filesystem::exists(page) ? read_text(page) : "# Benchmarks\n\n";
  const std::size_t begin = text.find(kBegin), end = text.find(kEnd);
  if (begin != std::string::npos && end != std::string::npos && begin < end) {
    text.replace(begin, end + std::string(kEnd).size() - begin, section.str());
  } else {
    text += section.str();
  }
  io::write_file_atomically(page, text);
}

}  // namespace nw::experiments
