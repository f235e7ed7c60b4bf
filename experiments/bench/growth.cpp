#include "experiments/bench/growth.hpp"

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

std::string metric_name(int p) {
  return p == 1 ? "W1" : "W2²";
}

report::ChartSeries series(const std::vector<BenchRow>& rows, int p, bool ours) {
  report::ChartSeries line;
  line.name = (ours ? "nw " : "POT ") + metric_name(p);
  line.colour = p - 1;
  line.dashed = !ours;
  for (const BenchRow& row : rows) {
    if (row.p != p || (!ours && !row.peer)) continue;
    line.x.push_back(static_cast<double>(row.n));
    line.y.push_back(ours ? row.ours.seconds : row.peer->seconds);
  }
  return line;
}

report::Chart growth_chart(const std::vector<BenchRow>& rows) {
  report::Chart chart;
  chart.title = "Exact transport in the plane";
  chart.description = "Seconds against the number of points, both axes logarithmic: nw and POT.";
  chart.x_label = "points in each cloud";
  chart.y_label = "seconds";
  chart.x_scale = chart.y_scale = report::Scale::logarithmic;
  for (const bool ours : {true, false}) {
    for (const int p : {1, 2}) {
      auto line = series(rows, p, ours);
      if (!line.x.empty()) chart.series.push_back(std::move(line));
    }
  }
  return chart;
}

std::string growth_table(const std::vector<BenchRow>& rows) {
  report::TextTable table(
      {"n = m", "cost", "nw s", "nw MB", "relative gap", "POT s", "POT MB", "ratio"});
  for (const BenchRow& row : rows) {
    const auto peer = [&](double SolveReport::*field) {
      return row.peer ? significant((*row.peer).*field, 3) : std::string("—");
    };
    table.add({std::to_string(row.n), metric_name(row.p), significant(row.ours.seconds, 3),
               significant(row.ours.memory_mb, 3), significant(row.gap, 2),
               peer(&SolveReport::seconds), peer(&SolveReport::memory_mb),
               row.peer ? significant(*row.ratio(), 3) + "x" : "—"});
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

double growth_exponent(const std::vector<BenchRow>& rows, int p) {
  double count = 0, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  for (const BenchRow& row : rows) {
    if (row.p != p) continue;
    const double x = std::log(static_cast<double>(row.n)), y = std::log(row.ours.seconds);
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
  section << kBegin << "Four-component mixtures in the plane, nw " << version() << ", " << machine
          << ".\nMemory is what the solve adds to the points; POT's cost matrix counts as its "
             "memory, but not as its time.\n\n"
          << growth_table(rows) << "\n![Seconds against n](" << image.filename().string() << ")\n";
  for (const int p : {1, 2}) {
    const double exponent = growth_exponent(rows, p);
    if (std::isfinite(exponent))
      section << "\n"
              << metric_name(p) << ": seconds grow like n^" << significant(exponent, 3) << ".\n";
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
