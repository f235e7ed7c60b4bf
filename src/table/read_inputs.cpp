#include "nw/table/read_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include <glob.h>

#include "nw/base/error.hpp"
#include "nw/io/load_input.hpp"

#include "table/encode_tables.hpp"
#include "table/raw_rows.hpp"

namespace nw::table {
namespace {

/// One side as it was read: all its files are tables, or all are points.
struct Side {
  std::optional<io::RawTable> table;
  std::optional<io::PointSet> points;
  std::vector<bool> counters;  ///< columns that count the rows of every file
};

Side load_side(const std::string& argument, const io::LoadOptions& load) {
  Side side;
  std::vector<io::PointSet> parts;
  const std::vector<std::string> paths = expand_paths(argument);
  for (const std::string& path : paths) {
    io::LoadedInput input = io::load_input(path, load);
    if (input.points) {
      parts.push_back(*std::move(input.points));
      continue;
    }
    const std::vector<bool> counters = row_counters(*input.table);
    if (!side.table) {
      side.counters = counters;
      side.table = std::move(input.table);
    } else {
      append_table(*side.table, *input.table);
      for (std::size_t i = 0; i < std::min(counters.size(), side.counters.size()); ++i) {
        side.counters[i] = side.counters[i] && counters[i];
      }
    }
  }
  if (side.table && !parts.empty()) {
    throw IoError(concat(argument, ": mixes tables with arrays or images; give files of one kind"));
  }
  if (!parts.empty()) side.points = io::concatenate(std::move(parts));
  if (side.table && paths.size() > 1) {
    side.table->source = concat(argument, " (", paths.size(), " files)");
  }
  return side;
}

void add_labels(const io::LoadOptions& load, io::PointSet& points) {
  if (load.labels_file.empty()) return;
  points.labels = io::load_labels(load.labels_file);
  if (points.labels->size() == points.size()) return;
  throw IoError(concat(load.labels_file.string(), ": has ", points.labels->size(), " labels for ",
                       points.size(), " points of ", points.source, "; give one label per point"));
}

/// A table of an array, for a side whose other half is a table.
void require_table(Side& side) {
  if (side.table) return;
  side.table = as_table(*side.points);
  side.counters.assign(side.table->columns.size(), false);
}

}  // namespace

std::vector<std::string> expand_paths(const std::string& argument) {
  std::error_code none;
  if (argument == "-" || std::filesystem::exists(argument, none)) return {argument};
  std::vector<std::string> paths;
  std::size_t begin = 0;
  while (begin <= argument.size()) {
    const std::size_t comma = std::min(argument.find(',', begin), argument.size());
    const std::string part = argument.substr(begin, comma - begin);
    begin = comma + 1;
    if (part.find_first_of("*?[") == std::string::npos) {
      if (!part.empty()) paths.push_back(part);
      continue;
    }
    glob_t found{};
    const int failed = glob(part.c_str(), GLOB_TILDE, nullptr, &found);
    for (std::size_t i = 0; failed == 0 && i < found.gl_pathc; ++i) {
      paths.emplace_back(found.gl_pathv[i]);
    }
    globfree(&found);
    if (failed != 0) throw IoError(part + ": no file has such a name; check the pattern");
  }
  return paths;
}

Inputs read_inputs(const InputFiles& files, const io::LoadOptions& load,
                   const TableOptions& options) {
  options.validate();
  require(files.x != "-" || files.y != "-", "X and Y cannot both be standard input");
  io::LoadOptions reading = load;
  reading.columns = options.columns;
  reading.label_column = options.label_column;
  reading.weight_column = options.weight_column;
  Side x = load_side(files.x, reading), y;
  const bool two = !files.y.empty();
  if (two) y = load_side(files.y, reading);
  const bool any_table = x.table || (two && y.table);
  const bool as_columns = any_table || options.scale.has_value() || !options.exclude.empty() ||
                          !options.types.empty() || options.by.given();
  const bool images = x.points && x.points->image;
  require(!images || options.scale.value_or(Scale::none) == Scale::none,
          "--scale is for tables; pixels stay as they are");
  Inputs inputs;
  inputs.files = files;
  if (!as_columns || images) {
    require(!options.by.given(), "--by is for tables; images have no columns");
    inputs.x = *std::move(x.points);
    if (two) {
      inputs.y = *std::move(y.points);
      io::require_same_dimension(inputs.x, inputs.y);
    }
    return inputs;
  }
  TableOptions rest = options;
  if (!any_table) {
    // Arrays have given up label and weight already.
    rest.columns.clear();
    rest.label_column.clear();
    rest.weight_column.clear();
  }
  require_table(x);
  TableSides sides{.x = &*x.table, .y = nullptr, .counters = x.counters, .split_column = {}};
  if (!options.by.given()) {
    if (two) {
      require_table(y);
      sides.y = &*y.table;
      for (std::size_t i = 0; i < std::min(y.counters.size(), sides.counters.size()); ++i) {
        sides.counters[i] = sides.counters[i] || y.counters[i];
      }
    }
    inputs = encode_sides(sides, rest);
  } else {
    require(!two, "--by splits one table; leave Y away, or leave --by away");
    const SplitTable split = split_table(*x.table, options.by);
    sides.x = &split.x;
    sides.y = &split.y;
    sides.split_column = split.column;
    inputs = encode_sides(sides, rest);
    inputs.description.x = split.x_name;
    inputs.description.y = split.y_name;
    if (split.left_out > 0) {
      inputs.description.notes.push_back(
          concat(split.left_out, split.left_out == 1 ? " row" : " rows", " with another value of ",
                 split.x.columns[split.column].name, " left out"));
    }
  }
  inputs.files = files;
  if (x.points && x.points->labels) inputs.x.labels = x.points->labels;
  if (two && y.points && y.points->labels) inputs.y.labels = y.points->labels;
  if (x.points) inputs.x.weights = x.points->weights;
  if (two && y.points) inputs.y.weights = y.points->weights;
  if (x.table && !options.by.given()) add_labels(load, inputs.x);
  return inputs;
}

std::optional<DominantColumn> dominant_column(const io::PointSet& x, const io::PointSet& y) {
  constexpr double kMost = 0.9;
  if (x.dimension() < 2 || x.column_names.empty()) return {};
  const double rows = static_cast<double>(x.size() + y.size());
  double total = 0.0, largest = 0.0;
  std::size_t at = 0;
  for (std::size_t j = 0; j < x.dimension(); ++j) {
    double mean = 0.0, variance = 0.0;
    const auto each = [&](auto&& visit) {
      for (std::size_t i = 0; i < x.size(); ++i) visit(x.values(i, j));
      for (std::size_t i = 0; i < y.size(); ++i) visit(y.values(i, j));
    };
    each([&](double value) { mean += value / rows; });
    each([&](double value) { variance += (value - mean) * (value - mean) / rows; });
    total += variance;
    if (variance > largest) {
      largest = variance;
      at = j;
    }
  }
  if (!(total > 0.0) || largest <= kMost * total) return {};
  return DominantColumn{.name = x.column_names[at], .share = largest / total};
}

}  // namespace nw::table
