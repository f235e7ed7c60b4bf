#include "nw/app/learning/run_columns.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "nw/base/error.hpp"
#include "nw/io/atomic_file.hpp"
#include "nw/io/squarable.hpp"
#include "nw/io/write.hpp"

namespace nw::app {
namespace {

std::filesystem::path columns_file(const std::string& run) {
  return std::filesystem::path(run) / "columns.json";
}

void keep_columns(const std::string& run, const table::Inputs& inputs) {
  if (inputs.encoding) {
    io::write_file_atomically(columns_file(run), table::to_json(*inputs.encoding) + "\n");
  } else {
    std::filesystem::remove(columns_file(run));
  }
}

Matrix numbers_of(const io::RawTable& table, const std::string& file) {
  Matrix values(table.rows, table.columns.size());
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const io::RawColumn& column = table.columns[j];
    require(column.kind != io::CellKind::text, file, ": column \"", column.name,
            "\" holds text, which NPY cannot; write CSV");
    for (std::size_t i = 0; i < table.rows; ++i) values(i, j) = column.numbers[i];
  }
  return values;
}

}  // namespace

ProgressObserver keeping_columns(const std::string& run, const table::Inputs& inputs,
                                 const ProgressObserver& observer) {
  if (run.empty()) return observer;
  return [run, &inputs, &observer, kept = false](const nw::Progress& now) mutable {
    if (!kept) keep_columns(run, inputs);
    kept = true;
    return !observer || observer(now);
  };
}

std::optional<table::Encoding> columns_of_run(const std::string& run) {
  const auto file = columns_file(run);
  if (!std::filesystem::exists(file)) return std::nullopt;
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  return table::encoding_from_json(text, file.string());
}

std::optional<table::Encoding> columns_of_runs(const std::vector<std::string>& runs) {
  require(!runs.empty(), "columns_of_runs: no run was given");
  auto columns = columns_of_run(runs.front());
  for (const std::string& other : runs) {
    if (columns_of_run(other) == columns) continue;
    throw IoError(concat(other, ": learnt from other columns, or at another scale, than ",
                         runs.front(), "; predict with each of them alone"));
  }
  return columns;
}

io::PointSet load_like(const std::optional<table::Encoding>& columns, const std::string& data,
                       const io::LoadOptions& options) {
  io::PointSet points =
      columns ? table::read_like(*columns, data, options) : io::load_points(data, options);
  io::require_squarable(points);
  return points;
}

void write_rows(const std::string& file, const Matrix& rows, const table::Encoding& columns,
                const std::vector<std::uint32_t>& component_of) {
  io::RawTable table = columns.decode(rows);
  if (std::filesystem::path(file).extension() == ".npy") {
    io::write_npy(file, numbers_of(table, file).view());
    return;
  }
  if (!component_of.empty()) {
    io::RawColumn component;
    component.name = "component";
    component.kind = io::CellKind::integer;
    for (const auto j : component_of) component.numbers.push_back(j + 1.0);
    table.columns.push_back(std::move(component));
  }
  io::write_csv(file, table);
}

void write_rows(const std::string& file, const Matrix& rows,
                const std::optional<table::Encoding>& columns) {
  if (columns) {
    write_rows(file, rows, *columns);
  } else if (std::filesystem::path(file).extension() == ".npy") {
    io::write_npy(file, rows.view());
  } else {
    io::write_csv(file, rows.view());
  }
}

}  // namespace nw::app
