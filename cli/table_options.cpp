// The options of commands on tables.
#include <CLI/CLI.hpp>

#include "cli/option_kinds.hpp"
#include "cli/point_options.hpp"

namespace nw::cli {
namespace {

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
  command
      .add_option("--count-column", table.count_column,
                  "Column that says for how many rows each one stands, as in tables of frequencies")
      ->type_name("NAME")
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

}  // namespace nw::cli
