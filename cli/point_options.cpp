#include "cli/point_options.hpp"

#include <algorithm>
#include <cstdio>

#include <CLI/CLI.hpp>

#include "nw/base/error.hpp"

#include "cli/option_kinds.hpp"

namespace nw::cli {
namespace {

void set_delimiter(io::LoadOptions& load, const std::string& text) {
  if (text == "tab" || text == "\\t") {
    load.delimiter = '\t';
  } else if (text.size() == 1) {
    load.delimiter = text[0];
  } else {
    throw CLI::ValidationError("--delimiter", "'" + text + "' is neither one character nor 'tab'");
  }
}

void set_tile(io::LoadOptions& load, const std::string& text) {
  std::size_t width = 0, height = 0;
  char end = 0;
  if (std::sscanf(text.c_str(), "%zux%zu%c", &width, &height, &end) != 2 || width == 0 ||
      height == 0)
    throw CLI::ValidationError("--tile", "'" + text + "' is not WIDTHxHEIGHT, such as 28x28");
  load.tiles.width = width;
  load.tiles.height = height;
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

void add_types(table::TableOptions& options, const std::string& text) {
  options.types.clear();
  for (const std::string& part : CLI::detail::split(text, ',')) {
    const auto equals = part.rfind('=');
    const std::string kind = equals == std::string::npos ? "" : trimmed(part.substr(equals + 1));
    const auto found = table::kind_from(kind);
    if (!found) {
      throw CLI::ValidationError(
          "--types", "'" + part +
                         "' is not COLUMN=KIND with one of numeric, integer, boolean, categorical, "
                         "datetime, identifier, text");
    }
    options.types.emplace_back(trimmed(part.substr(0, equals)), *found);
  }
}

}  // namespace

void add_point_options(CLI::App& command, PointOptions& options) {
  io::LoadOptions& load = options.load;
  const char* group = "Reading the inputs";
  add_list(command, "--columns", load.columns,
           "Columns to use: names, numbers from 1, ranges such as 2-5, patterns such as bill_*")
      ->type_name("LIST")
      ->group(group);
  command
      .add_option("--label-column", load.label_column,
                  "Column with classes; not used as a coordinate (NPZ: an array)")
      ->type_name("NAME")
      ->group(group);
  command
      .add_option("--weight-column", load.weight_column, "Column with weights >= 0 (NPZ: an array)")
      ->type_name("NAME")
      ->group(group);
  command.add_option("--array", load.array, "NPZ: the array with the points")
      ->type_name("NAME")
      ->group(group);
  add_choice<io::Format>(command, "--format", load.format,
                         {{"auto", io::Format::automatic},
                          {"csv", io::Format::csv},
                          {"json", io::Format::json},
                          {"arff", io::Format::arff},
                          {"parquet", io::Format::parquet},
                          {"arrow", io::Format::arrow},
                          {"xlsx", io::Format::xlsx},
                          {"npy", io::Format::npy},
                          {"npz", io::Format::npz},
                          {"idx", io::Format::idx},
                          {"png", io::Format::png},
                          {"jpeg", io::Format::jpeg},
                          {"folder", io::Format::image_folder}},
                         "Format of the inputs, if it is not recognised")
      ->group(group);
  add_choice<io::Header>(
      command, "--header", load.header,
      {{"auto", io::Header::automatic}, {"yes", io::Header::present}, {"no", io::Header::absent}},
      "CSV: the first record names the columns")
      ->group(group);
  command
      .add_option_function<std::string>(
          "--delimiter", [&load](const std::string& text) { set_delimiter(load, text); },
          "CSV: the character between cells, or 'tab'")
      ->type_name("CHAR")
      ->group(group);
  command
      .add_option_function<std::string>(
          "--tile", [&load](const std::string& text) { set_tile(load, text); },
          "Images: cut into tiles; each tile is one point")
      ->type_name("WxH")
      ->group(group);
  command
      .add_option("--channels", load.channels, "Images: 1 for grey, 3 for colour, 0 as they are")
      ->type_name("N")
      ->capture_default_str()
      ->group(group);
}

void add_table_options(CLI::App& command, PointOptions& options) {
  const char* group = "Tables";
  table::TableOptions& table = options.table;
  add_list(command, "--exclude", table.exclude, "Columns to leave out")
      ->type_name("LIST")
      ->group(group);
  command
      .add_option_function<std::string>(
          "--types", [&table](const std::string& text) { add_types(table, text); },
          "Correct the inferred kinds of columns, such as zip=categorical,code=text")
      ->type_name("LIST")
      ->group(group);
  command
      .add_option_function<std::string>(
          "--scale",
          [&table](const std::string& text) {
            for (const auto scale : {table::Scale::none, table::Scale::std, table::Scale::robust,
                                     table::Scale::rank}) {
              if (text == to_string(scale)) table.scale = scale;
            }
            if (!table.scale || text != to_string(*table.scale)) {
              throw CLI::ValidationError("--scale",
                                         "'" + text + "' is not one of none|std|robust|rank");
            }
          },
          "How to scale the columns (default: robust for tables, none for arrays)")
      ->type_name("none|std|robust|rank")
      ->group(group);
  add_choice<table::Missing>(
      command, "--missing", table.missing,
      {{"keep", table::Missing::keep},
       {"drop", table::Missing::drop},
       {"error", table::Missing::error}},
      "Missing values: keep them as part of the data, drop their rows, or refuse them")
      ->group(group);
  command.add_flag("--strict", table.strict, "Refuse columns that only one data set has")
      ->group(group);
  command.add_flag("--describe", options.describe, "Show how every column was read")->group(group);
}

void add_by_options(CLI::App& command, PointOptions& options) {
  const char* group = "One table as two data sets";
  table::BySplit& by = options.table.by;
  command
      .add_option("--by", by.column,
                  "Split the rows of one table by this column instead of giving Y")
      ->type_name("COLUMN")
      ->group(group);
  command
      .add_option(
          "--from", by.from,
          "Rows of X: a value, several separated by commas, or a range such as 10..20, 2023, >=5")
      ->type_name("VALUE")
      ->group(group);
  command.add_option("--to", by.to, "Rows of Y, in the same way (default: all others)")
      ->type_name("VALUE")
      ->group(group);
}

table::TableOptions table_options(const PointOptions& options) {
  table::TableOptions table = options.table;
  table.columns = options.load.columns;
  table.label_column = options.load.label_column;
  table.weight_column = options.load.weight_column;
  return table;
}

void load_weights(const std::string& file, const PointOptions& options, io::PointSet& points) {
  require(points.weights.empty(), "give weights by column or by file, not both");
  io::LoadOptions load;
  load.threads = options.load.threads;
  const io::PointSet weights = io::load_points(file, load);
  if (weights.dimension() != 1)
    throw IoError(
        concat(file, ": expected one weight per line, found ", weights.dimension(), " columns"));
  if (weights.size() != points.size())
    throw IoError(concat(file, ": ", weights.size(), " weights for the ", points.size(),
                         " points of ", points.source));
  const auto values = weights.values.values();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(values[i] >= 0.0))
      throw IoError(concat(file, ": weight ", i + 1, " is negative: ", values[i]));
  }
  if (std::all_of(values.begin(), values.end(), [](double weight) { return weight == 0.0; }))
    throw IoError(concat(file, ": all weights are zero"));
  points.weights.assign(values.begin(), values.end());
}

}  // namespace nw::cli
