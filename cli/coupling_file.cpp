#include "cli/coupling_file.hpp"

#include <vector>

#include "nw/io/write.hpp"

namespace nw::cli {
namespace {

bool is_npz(const std::string& path) {
  return path.ends_with(".npz");
}

}  // namespace

void write_plan(const std::string& path, const ot::TransportResult& result) {
  if (is_npz(path)) {
    std::vector<std::int64_t> source, target;
    std::vector<double> mass;
    for (const ot::Flow& flow : result.plan) {
      source.push_back(flow.source);
      target.push_back(flow.target);
      mass.push_back(flow.mass);
    }
    const std::vector<io::NamedArray> arrays{{"source", std::span<const std::int64_t>(source)},
                                             {"target", std::span<const std::int64_t>(target)},
                                             {"mass", std::span<const double>(mass)}};
    io::write_npz(path, arrays);
    return;
  }
  Matrix table(result.plan.size(), 3);
  for (std::size_t i = 0; i < result.plan.size(); ++i) {
    table(i, 0) = result.plan[i].source;
    table(i, 1) = result.plan[i].target;
    table(i, 2) = result.plan[i].mass;
  }
  io::write_csv(path, table, {.column_names = {"source", "target", "mass"}});
}

void write_potentials(const std::string& path, const ot::TransportResult& result) {
  const auto &f = result.source_potential, &g = result.target_potential;
  if (is_npz(path)) {
    const std::vector<io::NamedArray> arrays{{"f", std::span<const double>(f)},
                                             {"g", std::span<const double>(g)}};
    io::write_npz(path, arrays);
    return;
  }
  Matrix table(f.size() + g.size(), 3);
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const bool first = i < f.size();
    const std::size_t row = first ? i : i - f.size();
    table(i, 0) = first ? 1.0 : 2.0;
    table(i, 1) = static_cast<double>(row);
    table(i, 2) = first ? f[row] : g[row];
  }
  io::write_csv(path, table, {.column_names = {"cloud", "row", "potential"}});
}

}  // namespace nw::cli
