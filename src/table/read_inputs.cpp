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
#include "table/row_sample.hpp"

namespace nw::table {
namespace {

/// One side as it was read: all its files are tables, or all are points.
struct Side {
  std::optional<io::RawTable> table;
  std::optional<io::PointSet> points;
  std::vector<bool> counters;  ///< columns that count the rows of every file
  std::size_t rows_read = 0;   ///< of tables: more than `table` has where it is a sample
};

Side load_side(const std::string& argument, const io::LoadOptions& load, std::size_t most_cells) {
  Side side;
  RowSample rows(most_cells);
  std::vector<io::PointSet> parts;
  const std::vector<std::string> paths = expand_paths(argument);
  for (std::size_t file = 0; file < paths.size(); ++file) {
    io::OpenedInput input = io::open_input(paths[file], load);
    if (input.points) {
      parts.push_back(*std::move(input.points));
      continue;
    }
    while (auto block = input.table->next(rows.next_cells())) rows.add(*std::move(block), file);
  }
  if (rows.rows_read() > 0) {
    if (!parts.empty()) {
      throw IoError(
          concat(argument, ": mixes tables with arrays or images; give files of one kind"));
    }
    side.rows_read = rows.rows_read();
    side.table = rows.take();
    side.counters = rows.counters();
    if (paths.size() > 1) side.table->source = concat(argument, " (", paths.size(), " files)");
    if (side.rows_read > side.table->rows) {
      side.table->notes.push_back(concat("a sample of ", side.table->rows, " of the ",
                                         side.rows_read, " rows of ", side.table->source));
    }
  }
  if (!parts.empty()) side.points = io::concatenate(std::move(parts));
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
  // A file of labels has a line for every row.
  const std::size_t sides_of_x = options.by.given() ? 2 : 1;
  const std::size_t most_cells = load.labels_file.empty() ? sides_of_x * options.most_cells : 0;
  Side x = load_side(files.x, reading, most_cells), y;
  const bool two = !files.y.empty();
  io::LoadOptions reading_y = reading;
  reading_y.label_column = options.label_column_y.value_or(options.label_column);
  reading_y.labels_file.clear();
  if (two) y = load_side(files.y, reading_y, most_cells);
  const bool any_table = x.table || (two && y.table);
  const bool as_columns = any_table || options.scale.has_value() || !options.exclude.empty() ||
                          !options.types.empty() || options.by.given();
  const auto holds_images = [](const Side& side) { return side.points && side.points->image; };
  const bool images = holds_images(x);
  if (two && ((images && y.table) || (x.table && holds_images(y)))) {
    throw IoError(concat(images ? files.x : files.y, ": holds images, and ",
                         images ? files.y : files.x, " a table; give two data sets of one kind"));
  }
  require(!images || options.scale.value_or(Scale::none) == Scale::none,
          "--scale is for tables; pixels stay as they are");
  Inputs inputs;
  inputs.files = files;
  inputs.load = load;
  if (!as_columns || images) {
    require(!options.by.given(), "--by is for tables; images have no columns");
    inputs.x = *std::move(x.points);
    if (two) {
      inputs.y = *std::move(y.points);
      // Images of different sizes are for those who can bring them to one.
      if (!images || !inputs.y.image) io::require_same_dimension(inputs.x, inputs.y);
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
    inputs.description.rows_read_x = x.rows_read;
    inputs.description.rows_read_y = y.rows_read;
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
  inputs.load = load;
  if (x.points && x.points->labels) inputs.x.labels = x.points->labels;
  if (two && y.points && y.points->labels) inputs.y.labels = y.points->labels;
  if (x.points) inputs.x.weights = x.points->weights;
  if (two && y.points) inputs.y.weights = y.points->weights;
  if (x.table && !options.by.given()) add_labels(load, inputs.x);
  return inputs;
}

io::PointSet read_like(const Encoding& encoding, const std::string& argument,
                       const io::LoadOptions& load) {
  io::LoadOptions reading = load;
  reading.labels_file.clear();
  Side side = load_side(argument, reading, 0);
  io::PointSet points;
  if (side.points) {
    points.labels = side.points->labels;
    points.weights = side.points->weights;
  }
  require_table(side);
  points.values = encoding.encode(*side.table);
  points.column_names = encoding.coordinate_names();
  points.source = side.table->source;
  if (!side.points && !load.label_column.empty()) {
    points.labels = labels_of(*side.table, load.label_column);
  }
  add_labels(load, points);
  return points;
}

void visit_like(const Encoding& encoding, const std::string& argument, const io::LoadOptions& load,
                const std::function<void(MatrixView)>& visit) {
  constexpr std::size_t kCells = 1'000'000;
  for (const std::string& path : expand_paths(argument)) {
    const io::OpenedInput input = io::open_input(path, load);
    require(input.table != nullptr, path, " is not a table");
    while (const auto block = input.table->next(kCells)) {
      if (block->rows > 0) visit(encoding.encode(*block));
    }
  }
}

bool can_be_read_again(const std::string& argument) {
  return std::ranges::all_of(expand_paths(argument), [](const std::string& path) {
    std::error_code none;
    return path != "-" && std::filesystem::is_regular_file(path, none);
  });
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
