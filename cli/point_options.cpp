#include "cli/point_options.hpp"

#include <cstdio>

#include <CLI/CLI.hpp>

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

table::TableOptions table_options(const PointOptions& options) {
  table::TableOptions table = options.table;
  table.columns = options.load.columns;
  table.label_column = options.load.label_column;
  table.weight_column = options.load.weight_column;
  return table;
}

}  // namespace nw::cli
