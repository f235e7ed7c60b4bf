#include "cli/torch/run_inputs.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "nw/base/error.hpp"
#include "nw/io/atomic_file.hpp"
#include "nw/io/squarable.hpp"
#include "nw/io/write.hpp"

namespace nw::cli {
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

io::PointSet load_like(const std::optional<table::Encoding>& columns, const std::string& data,
                       const PointOptions& options, const CommonOptions& common) {
  io::LoadOptions load = options.load;
  load.threads = common.threads;
  io::PointSet points =
      columns ? table::read_like(*columns, data, load) : io::load_points(data, load);
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

}  // namespace nw::cli
