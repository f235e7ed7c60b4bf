#include "nw/table/read_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

#include <glob.h>

#include "nw/base/error.hpp"
#include "nw/base/share_bytes.hpp"
#include "nw/io/load_input.hpp"

#include "table/counted_rows.hpp"
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

  [[nodiscard]] bool sampled() const { return table && rows_read > table->rows; }
};

/// One file: a table, of which rows are kept as memory allows, or points.
struct FilePart {
  RowSample rows;
  std::optional<io::PointSet> points = {};
};

FilePart load_file(const std::string& path, std::size_t file, const io::LoadOptions& load,
                   std::size_t most_cells) {
  io::OpenedInput input = io::open_input(path, load);
  FilePart part{.rows = RowSample(most_cells, file), .points = std::move(input.points)};
  if (part.points) return part;
  while (auto block = input.table->next(part.rows.next_cells())) part.rows.add(*std::move(block));
  return part;
}

/// What a process sends to the others of the file that it read: the rows of a table, that there are
/// points, which everyone reads, or why the file cannot be read.
enum class PartKind : std::uint8_t { table, points, problem };

/// As many files at once as there are processes, one each; then everyone has all of them.
std::vector<FilePart> load_round(std::span<const std::string> paths, std::size_t first,
                                 const io::LoadOptions& load, std::size_t most_cells, Team& team) {
  const auto own = static_cast<std::size_t>(team.rank());
  std::optional<FilePart> mine;
  std::vector<std::byte> message;
  if (own < paths.size()) {
    try {
      mine = load_file(paths[own], first + own, load, most_cells);
      if (!mine->points) message = mine->rows.to_bytes();
      message.push_back(static_cast<std::byte>(mine->points ? PartKind::points : PartKind::table));
    } catch (const IoError& error) {
      const auto text = std::as_bytes(std::span(std::string_view(error.what())));
      message.assign(text.begin(), text.end());
      message.push_back(static_cast<std::byte>(PartKind::problem));
    }
  }
  std::vector<FilePart> parts;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    std::vector<std::byte> bytes = i == own ? message : std::vector<std::byte>();
    share_from(team, static_cast<int>(i), bytes);
    const auto kind = static_cast<PartKind>(bytes.back());
    bytes.pop_back();
    if (kind == PartKind::problem) {
      throw IoError(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    }
    if (i == own) {
      parts.push_back(*std::move(mine));
    } else if (kind == PartKind::points) {
      parts.push_back(load_file(paths[i], first + i, load, most_cells));
    } else {
      parts.push_back({.rows = RowSample::from_bytes(bytes, most_cells)});
    }
  }
  return parts;
}

Side load_side(const std::string& argument, const io::LoadOptions& load, std::size_t most_cells,
               Team* team = nullptr) {
  Side side;
  RowSample rows(most_cells);
  std::vector<io::PointSet> points;
  const auto add = [&](FilePart part) {
    if (part.points) {
      points.push_back(*std::move(part.points));
    } else {
      rows.merge(std::move(part.rows));
    }
  };
  const std::vector<std::string> paths = expand_paths(argument);
  const bool dealt = team != nullptr && paths.size() > 1;
  const std::size_t step = dealt ? static_cast<std::size_t>(team->size()) : 1;
  for (std::size_t first = 0; first < paths.size(); first += step) {
    if (!dealt) {
      add(load_file(paths[first], first, load, most_cells));
      continue;
    }
    const auto now = std::span(paths).subspan(first, std::min(step, paths.size() - first));
    for (FilePart& part : load_round(now, first, load, most_cells, *team)) add(std::move(part));
  }
  if (rows.rows_read() > 0) {
    if (!points.empty()) {
      throw IoError(
          concat(argument, ": mixes tables with arrays or images; give files of one kind"));
    }
    side.rows_read = rows.rows_read();
    side.table = rows.take();
    side.counters = rows.counters();
    if (paths.size() > 1) side.table->source = concat(argument, " (", paths.size(), " files)");
    if (side.sampled()) {
      side.table->notes.push_back(concat("a sample of ", side.table->rows, " of the ",
                                         side.rows_read, " rows of ", side.table->source));
    }
  }
  if (!points.empty()) side.points = io::concatenate(std::move(points));
  return side;
}

void add_labels(const io::LoadOptions& load, io::PointSet& points) {
  if (load.labels_file.empty()) return;
  points.labels = io::load_labels(load.labels_file);
  if (points.labels->size() == points.size()) return;
  throw IoError(concat(load.labels_file.string(), ": has ", points.labels->size(), " labels for ",
                       points.size(), " points of ", points.source, "; give one label per point"));
}

/// Rows that stand for several become several. Their files are not read once more.
void count_rows(Side& side, const TableOptions& options) {
  if (options.count_column.empty() || !side.table) return;
  repeat_counted_rows(*side.table, options.count_column);
  side.rows_read = side.table->rows;
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
  Side x = load_side(files.x, reading, most_cells, files.team), y;
  const bool two = !files.y.empty();
  io::LoadOptions reading_y = reading;
  reading_y.label_column = options.label_column_y.value_or(options.label_column);
  reading_y.labels_file.clear();
  if (two) y = load_side(files.y, reading_y, most_cells, files.team);
  count_rows(x, options);
  count_rows(y, options);
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
          "`scale` is for tables; pixels stay as they are");
  Inputs inputs;
  inputs.files = files;
  inputs.load = load;
  if (!as_columns || images) {
    require(!options.by.given(), "`by` is for tables; images have no columns");
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
    inputs.description.sampled_y = y.sampled();
  } else {
    require(!two, "`by` splits one table; leave Y away, or leave `by` away");
    SplitTable split = split_table(*x.table, options.by);
    sides.x = &split.x;
    sides.y = &split.y;
    sides.split_column = split.column;
    inputs = encode_sides(sides, rest);
    inputs.description.x = split.rule.x_name;
    inputs.description.y = split.rule.y_name;
    inputs.description.rows_read_x = x.rows_read;
    if (split.left_out > 0) {
      inputs.description.notes.push_back(
          concat(split.left_out, split.left_out == 1 ? " row" : " rows", " with another value of ",
                 split.rule.column, " left out"));
    }
    inputs.split = std::move(split.rule);
  }
  inputs.description.sampled_x = x.sampled();
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

namespace {

bool can_be_read_again(const std::string& argument) {
  return std::ranges::all_of(expand_paths(argument), [](const std::string& path) {
    std::error_code none;
    return path != "-" && std::filesystem::is_regular_file(path, none);
  });
}

struct SidesAgain {
  bool x = false, y = false;
};

SidesAgain sides_again(const Inputs& inputs) {
  const Description& about = inputs.description;
  // What is dropped for a missing value would have to be dropped there too.
  if (!inputs.encoding || about.rows_dropped) return {};
  return {.x = about.sampled_x && can_be_read_again(inputs.files.x),
          .y = about.sampled_y && can_be_read_again(inputs.files.y)};
}

void visit_side(const Inputs& inputs, bool of_y,
                const std::function<void(const RowBlock&)>& visit) {
  constexpr std::size_t kCells = 1'000'000;
  const Team* const team = inputs.files.team;
  const std::size_t step = team == nullptr ? 1 : static_cast<std::size_t>(team->size());
  const auto encode = [&](const io::RawTable& table, std::size_t file, bool to_y) {
    if (table.rows == 0) return;
    const Matrix points = inputs.encoding->encode(table);
    visit({.of_y = to_y, .file = file, .rows = points});
  };
  const std::vector<std::string> paths = expand_paths(of_y ? inputs.files.y : inputs.files.x);
  for (std::size_t file = team == nullptr ? 0 : static_cast<std::size_t>(team->rank());
       file < paths.size(); file += step) {
    const io::OpenedInput input = io::open_input(paths[file], inputs.load);
    require(input.table != nullptr, paths[file], " is not a table");
    while (const auto block = input.table->next(kCells)) {
      if (inputs.split) {
        const TwoTables parts = split_like(*inputs.split, *block);
        encode(parts.x, file, false);
        encode(parts.y, file, true);
      } else {
        encode(*block, file, of_y);
      }
    }
  }
}

}  // namespace

bool can_visit_all_rows(const Inputs& inputs) {
  const SidesAgain again = sides_again(inputs);
  return again.x || again.y;
}

void visit_all_rows(const Inputs& inputs, const std::function<void(const RowBlock&)>& visit) {
  const SidesAgain again = sides_again(inputs);
  if (again.x) visit_side(inputs, false, visit);
  if (again.y) visit_side(inputs, true, visit);
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
