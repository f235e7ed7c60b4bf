#include "nw/app/transport/coupling_file.hpp"

#include <cmath>
#include <vector>

#include "nw/io/points.hpp"
#include "nw/io/write.hpp"
#include "nw/ot/plan_columns.hpp"

namespace nw::app {
namespace {

bool is_npz(const std::string& path) {
  return path.ends_with(".npz");
}

std::vector<double> load_column(const std::string& path, const std::string& array) {
  const io::PointSet set = io::load_points(path, {.array = array});
  return {set.values.values().begin(), set.values.values().end()};
}

/// Whether an NPZ holds the arrays of write_plan rather than one matrix.
bool has_triples(const std::string& path) {
  try {
    (void)load_column(path, "mass");
    return true;
  } catch (const IoError&) {
    return false;
  }
}

std::uint32_t as_row(const std::string& path, std::size_t entry, const char* side, double value,
                     std::size_t rows) {
  if (value >= 0.0 && value < static_cast<double>(rows) && value == std::floor(value)) {
    return static_cast<std::uint32_t>(value);
  }
  throw IoError(concat(path, ", entry ", entry, ": the ", side, " is ", value,
                       "; rows are whole numbers from 0 to ", rows - 1));
}

std::vector<ot::Flow> triples(const std::string& path, const std::vector<double>& source,
                              const std::vector<double>& target, const std::vector<double>& mass,
                              std::size_t sources, std::size_t targets) {
  if (source.size() != mass.size() || target.size() != mass.size()) {
    throw IoError(concat(path, ": source, target and mass have ", source.size(), ", ",
                         target.size(), " and ", mass.size(), " entries"));
  }
  std::vector<ot::Flow> plan;
  plan.reserve(mass.size());
  for (std::size_t k = 0; k < mass.size(); ++k) {
    plan.push_back({as_row(path, k, "source", source[k], sources),
                    as_row(path, k, "target", target[k], targets), mass[k]});
  }
  return plan;
}

}  // namespace

void write_plan(const std::string& path, const ot::TransportResult& result) {
  if (is_npz(path)) {
    const auto [source, target, mass] = ot::plan_columns(result.plan);
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

std::vector<ot::Flow> read_plan(const std::string& path, std::size_t sources, std::size_t targets) {
  if (is_npz(path) && has_triples(path)) {
    const auto column = [&](const char* name) { return load_column(path, name); };
    return triples(path, column("source"), column("target"), column("mass"), sources, targets);
  }
  const io::PointSet table = io::load_points(path);
  const Matrix& values = table.values;
  if (table.column_names == std::vector<std::string>{"source", "target", "mass"} ||
      (values.cols() == 3 && !(values.rows() == sources && targets == 3))) {
    std::vector<double> columns[3];
    for (std::size_t i = 0; i < values.rows(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) columns[k].push_back(values(i, k));
    }
    return triples(path, columns[0], columns[1], columns[2], sources, targets);
  }
  if (values.rows() != sources || values.cols() != targets) {
    throw IoError(concat(path, ": ", values.rows(), " x ", values.cols(),
                         " numbers; a plan has columns source, target and mass, or is a matrix of ",
                         sources, " x ", targets));
  }
  std::vector<ot::Flow> plan;
  for (std::size_t i = 0; i < sources; ++i) {
    for (std::size_t j = 0; j < targets; ++j) {
      if (values(i, j) == 0.0) continue;
      plan.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), values(i, j)});
    }
  }
  return plan;
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

}  // namespace nw::app
