// Two tables as points: columns matched, typed, checked for repeats and missing values, encoded.
#include "table/encode_tables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "nw/base/error.hpp"
#include "nw/table/read_inputs.hpp"

#include "io/label_column.hpp"
#include "io/readers.hpp"
#include "table/column_names.hpp"
#include "table/fit_encoding.hpp"
#include "table/raw_rows.hpp"
#include "table/repeats.hpp"
#include "table/written_values.hpp"

namespace nw::table {
namespace {

using io::CellKind;
using io::RawColumn;
using io::RawTable;

ColumnNames names_of(const RawTable& table) {
  std::vector<std::string> names;
  for (const RawColumn& column : table.columns) names.push_back(column.name);
  return {std::move(names), table.source};
}

void require_distinct_names(const RawTable& table) {
  if (!table.has_names) return;
  const ColumnNames names = names_of(table);
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = i + 1; j < names.size(); ++j) {
      if (names.name(i) != names.name(j)) continue;
      throw IoError(concat(table.source, ": has two columns called \"", names.name(i),
                           "\" (columns ", i + 1, " and ", j + 1, "); rename one of them"));
    }
  }
}

/// What becomes of one column of X.
struct Role {
  bool coordinate = true, chosen = false;
  std::string reason;  ///< why it is not a coordinate
};

std::vector<Role> roles_of(const ColumnNames& names, const TableOptions& options) {
  std::vector<Role> roles(names.size());
  const auto take_out = [&](const std::string& text, const char* purpose, const char* reason) {
    if (text.empty()) return;
    Role& role = roles[names.find_one(text, purpose)];
    role.coordinate = false;
    role.reason = reason;
  };
  if (!options.columns.empty()) {
    for (Role& role : roles) role = {.coordinate = false, .chosen = false, .reason = "not chosen"};
    for (const std::string& text : options.columns) {
      const bool pattern = text.find_first_of("*?") != std::string::npos;
      for (const std::size_t i : names.find(text)) {
        roles[i] = {.coordinate = true, .chosen = !pattern, .reason = ""};
      }
    }
  }
  for (const std::string& text : options.exclude) {
    for (const std::size_t i : names.find(text)) {
      roles[i] = {.coordinate = false, .chosen = false, .reason = "excluded"};
    }
  }
  take_out(options.label_column, "`label_column`", "the label");
  take_out(options.weight_column, "`weight_column`", "the weight");
  return roles;
}

/// For each column of X, the one of Y that belongs to it.
std::vector<std::optional<std::size_t>> match(const RawTable& x, const RawTable& y,
                                              std::vector<std::string>& notes) {
  std::vector<std::optional<std::size_t>> partner(x.columns.size());
  if (x.has_names && y.has_names) {
    const ColumnNames known = names_of(y);
    for (std::size_t i = 0; i < partner.size(); ++i) {
      if (!x.columns[i].name.empty()) {
        partner[i] = known.by_name(x.columns[i].name);
      } else if (i < y.columns.size() && y.columns[i].name.empty()) {
        partner[i] = i;  // row numbers without a heading
      }
    }
    return partner;
  }
  if (x.columns.size() != y.columns.size()) {
    throw IoError(concat(x.source, ": has ", x.columns.size(), " columns, ", y.source, " has ",
                         y.columns.size(),
                         "; without names in both, columns are matched by their place: choose "
                         "columns, or add a header"));
  }
  for (std::size_t i = 0; i < partner.size(); ++i) partner[i] = i;
  if (x.has_names != y.has_names) {
    notes.push_back(
        concat((x.has_names ? y : x).source, " has no header: columns matched by their place"));
  }
  return partner;
}

std::vector<double> weights_of(const RawTable& table, const std::string& column) {
  if (column.empty()) return {};
  const std::size_t at = names_of(table).find_one(column, "`weight_column`");
  std::vector<double> weights = as_numbers(table.columns[at], table.source).numbers;
  io::require_usable_weights(weights, table.source);
  return weights;
}

bool cell_missing(const SideValues& side, std::size_t row) {
  return side.codes.empty() ? std::isnan(side.numbers[row])
                            : side.codes[row] == RawColumn::kMissing;
}

/// Rows of one side without a missing value in a column that is used.
std::vector<std::size_t> complete_rows(const std::vector<TypedColumn*>& used,
                                       SideValues TypedColumn::*side, std::size_t rows) {
  std::vector<std::size_t> complete;
  for (std::size_t i = 0; i < rows; ++i) {
    const bool whole = std::ranges::none_of(
        used, [&](const TypedColumn* column) { return cell_missing(column->*side, i); });
    if (whole) complete.push_back(i);
  }
  return complete;
}

void refuse_missing(const std::vector<TypedColumn*>& used, const RawTable& x, const RawTable* y) {
  for (const TypedColumn* column : used) {
    for (const bool first : {true, false}) {
      const SideValues& side = first ? column->x : column->y;
      if (side.missing == 0) continue;
      std::size_t row = 0;
      while (!cell_missing(side, row)) ++row;
      throw IoError(concat((first ? x : *y).source, ": column \"", column->name, "\" has ",
                           side.missing, side.missing == 1 ? " missing value" : " missing values",
                           ", the first in row ", row + 1,
                           "; fill them in, or leave these rows out with `missing` drop"));
    }
  }
}

/// Numbers and words in one column: in raw units a word is a mistake rather than a level.
void refuse_mixed(const ColumnPair& pair, const TableSides& sides, std::size_t index) {
  NumberStyle seen;
  const auto is_number = [&](const std::string& level) {
    return written_number(level, '.', seen) || written_number(level, ',', seen);
  };
  bool numbers = false;
  for (const RawColumn* column : {pair.x, pair.y}) {
    if (column == nullptr) continue;
    numbers =
        numbers || column->kind != CellKind::text || std::ranges::any_of(column->levels, is_number);
  }
  if (!numbers) return;
  for (const RawColumn* column : {pair.x, pair.y}) {
    if (column == nullptr || column->kind != CellKind::text) continue;
    for (std::size_t row = 0; row < column->codes.size(); ++row) {
      const std::uint32_t code = column->codes[row];
      if (code == RawColumn::kMissing || is_number(column->levels[code])) continue;
      throw IoError(concat((column == pair.x ? *sides.x : *sides.y).source, ": row ", row + 1,
                           ", column ", index + 1, " (\"", pair.name, "\"): \"",
                           column->levels[code],
                           "\" is not a number; leave the column out with `exclude`"));
    }
  }
}

/// Two-sided p-value of equal shares, by the normal approximation of their difference.
double equal_shares_p(double a, double rows_a, double b, double rows_b) {
  const double pooled = (a * rows_a + b * rows_b) / (rows_a + rows_b);
  const double variance = pooled * (1.0 - pooled) * (1.0 / rows_a + 1.0 / rows_b);
  if (!(variance > 0.0)) return 1.0;
  return std::erfc(std::abs(a - b) / std::sqrt(2.0 * variance));
}

constexpr double kMissingAlpha = 0.01;

/// Share of rows that X and Y have in common in a column: the overlap of the shares of levels, and
/// of numbers one minus the largest difference of their distribution functions.
double overlap(const TypedColumn& column) {
  if (column.has_levels()) {
    std::vector<double> shares[2];
    for (const bool first : {true, false}) {
      const SideValues& side = first ? column.x : column.y;
      auto& share = shares[first ? 0 : 1];
      share.assign(column.levels.size() + 1, 0.0);
      for (const std::uint32_t code : side.codes) {
        const std::size_t state = code == RawColumn::kMissing ? column.levels.size() : code;
        share[state] += 1.0 / static_cast<double>(side.rows());
      }
    }
    double common = 0.0;
    for (std::size_t i = 0; i < shares[0].size(); ++i) {
      common += std::min(shares[0][i], shares[1][i]);
    }
    return common;
  }
  std::vector<double> x = column.x.numbers, y = column.y.numbers;
  for (auto* values : {&x, &y}) {
    std::erase_if(*values, [](double value) { return std::isnan(value); });
    std::ranges::sort(*values);
  }
  if (x.empty() || y.empty()) return 1.0;
  double largest = 0.0;
  for (std::size_t i = 0, j = 0; i < x.size() && j < y.size();) {
    const double at = std::min(x[i], y[j]);
    while (i < x.size() && x[i] <= at) ++i;
    while (j < y.size() && y[j] <= at) ++j;
    largest = std::max(largest, std::abs(static_cast<double>(i) / static_cast<double>(x.size()) -
                                         static_cast<double>(j) / static_cast<double>(y.size())));
  }
  return 1.0 - largest;
}

/// A column with less in common than this says by itself which rows are X.
constexpr double kTellsApart = 0.1;
constexpr std::size_t kFewRows = 20;

void report_missing(const TypedColumn& column, ColumnReport& report) {
  const auto rows_x = static_cast<double>(column.x.rows());
  const auto rows_y = static_cast<double>(column.y.rows());
  if (rows_x > 0.0) report.missing_x = static_cast<double>(column.x.missing) / rows_x;
  if (rows_y == 0.0) return;
  report.missing_y = static_cast<double>(column.y.missing) / rows_y;
  report.missing_p = equal_shares_p(report.missing_x, rows_x, report.missing_y, rows_y);
}

/// Many columns of whole numbers from 0 to 255 are pixels, which have a common scale already.
bool are_pixels(const std::vector<TypedColumn*>& used) {
  constexpr std::size_t kFewest = 64;
  double greatest = 0.0;
  std::size_t numbers = 0;
  for (const TypedColumn* column : used) {
    if (column->has_levels()) continue;  // pixels with two values
    ++numbers;
    if (column->kind != Kind::integer) return false;
    for (const SideValues* side : {&column->x, &column->y}) {
      for (const double value : side->numbers) {
        if (!(value >= 0.0 && value <= 255.0)) return false;
        greatest = std::max(greatest, value);
      }
    }
  }
  return numbers >= kFewest && greatest > 127.0;
}

std::string list_left_out(const std::vector<TypedColumn>& columns) {
  std::string text;
  for (const TypedColumn& column : columns) {
    text += (text.empty() ? "" : ", ") + column.name + " (" + column.reason + ")";
  }
  return text;
}

}  // namespace

std::optional<io::Labels> labels_of(const RawTable& table, const std::string& column) {
  if (column.empty()) return {};
  const auto& cells = table.columns[names_of(table).find_one(column, "`label_column`")];
  io::LabelColumn labels;
  for (std::size_t i = 0; i < table.rows; ++i) {
    const bool text = cells.kind == CellKind::text;
    const bool missing =
        text ? cells.codes[i] == RawColumn::kMissing : std::isnan(cells.numbers[i]);
    if (missing) {
      throw IoError(concat(table.source, ": row ", i + 1, ", column \"", column,
                           "\": the label is missing; every point needs one"));
    }
    labels.add(text ? cells.levels[cells.codes[i]] : shortest(cells.numbers[i]));
  }
  return labels.finish();
}

std::vector<bool> row_counters(const RawTable& table) {
  std::vector<bool> counters;
  for (const RawColumn& column : table.columns) counters.push_back(counts_rows(column));
  return counters;
}

Inputs encode_tables(const RawTable& x, const RawTable* y, const TableOptions& options) {
  TableSides sides{.x = &x, .y = y, .counters = row_counters(x), .split_column = {}};
  if (y != nullptr) {
    const auto own = row_counters(*y);
    for (std::size_t i = 0; i < std::min(own.size(), sides.counters.size()); ++i) {
      sides.counters[i] = sides.counters[i] || own[i];
    }
  }
  return encode_sides(sides, options);
}

Inputs encode_sides(const TableSides& sides, const TableOptions& options) {
  options.validate();
  const RawTable& x = *sides.x;
  const RawTable* const y = sides.y;
  Inputs inputs;
  Description& description = inputs.description;
  require_distinct_names(x);
  if (y != nullptr) require_distinct_names(*y);
  // Without a header in X, the names of Y are those of both.
  const bool names_from_y =
      y != nullptr && !x.has_names && y->has_names && x.columns.size() == y->columns.size();
  const ColumnNames names = names_of(names_from_y ? *y : x);
  std::vector<Role> roles = roles_of(names, options);
  if (sides.split_column) {
    roles[*sides.split_column] = {
        .coordinate = false, .chosen = false, .reason = "splits the rows"};
  }
  std::vector<std::optional<std::size_t>> partner(x.columns.size());
  if (y != nullptr) partner = match(x, *y, description.notes);

  if (y != nullptr && options.label_column_y && !options.label_column_y->empty()) {
    const std::size_t own = names_of(*y).find_one(*options.label_column_y, "label of Y");
    for (std::size_t i = 0; i < partner.size(); ++i) {
      if (partner[i] == own && roles[i].coordinate) {
        roles[i] = {.coordinate = false, .chosen = false, .reason = "the label of Y"};
      }
    }
  }

  std::vector<std::optional<Kind>> wanted(names.size());
  for (const auto& [text, kind] : options.types) {
    for (const std::size_t i : names.find(text)) wanted[i] = kind;
  }

  std::vector<TypedColumn> columns;
  bool in_common = y == nullptr;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool alone = y != nullptr && !partner[i];
    in_common = in_common || !alone;
    if (!roles[i].coordinate || alone) {
      if (alone && roles[i].coordinate && options.strict) {
        throw IoError(concat(y->source, ": has no column \"", names.name(i), "\", which ", x.source,
                             " has; `strict` asks for the same columns"));
      }
      columns.push_back({.name = names.name(i),
                         .kind = Kind::text,
                         .reason = roles[i].coordinate ? "only in X" : roles[i].reason});
      continue;
    }
    ColumnPair pair{.name = names.name(i),
                    .x = &x.columns[i],
                    .y = y == nullptr ? nullptr : &y->columns[*partner[i]],
                    .wanted = wanted[i],
                    .chosen = roles[i].chosen,
                    .row_numbers = sides.counters[i]};
    columns.push_back(infer_column(pair));
    if (!options.numbers_only || !columns.back().used()) continue;
    const bool text =
        pair.x->kind == CellKind::text || (y != nullptr && pair.y->kind == CellKind::text);
    if (text) refuse_mixed(pair, sides, i);
    if (!columns.back().has_levels()) continue;
    if (text) {
      columns.back().reason = "not a number";
    } else {
      pair.wanted = Kind::numeric;  // two numbers, in their own units
      columns.back() = infer_column(pair);
    }
  }
  if (y != nullptr) {
    for (std::size_t j = 0; j < y->columns.size(); ++j) {
      if (std::ranges::find(partner, std::optional(j)) != partner.end()) continue;
      if (options.strict) {
        throw IoError(concat(x.source, ": has no column \"", y->columns[j].name, "\", which ",
                             y->source, " has; `strict` asks for the same columns"));
      }
      columns.push_back({.name = y->columns[j].name, .kind = Kind::text, .reason = "only in Y"});
    }
  }
  if (!in_common) {
    throw IoError(concat(x.source, " and ", y->source,
                         ": have no column name in common; rename columns, or give both without "
                         "header (`header` no) to match them by place"));
  }

  // In the order of their names, so that the order in the files does not matter.
  std::vector<TypedColumn*> used;
  const auto collect = [&] {
    used.clear();
    for (TypedColumn& column : columns) {
      if (column.used()) used.push_back(&column);
    }
    if (!x.has_names && !names_from_y) return;
    std::ranges::stable_sort(used, {}, [](const TypedColumn* c) { return folded(c->name); });
  };
  collect();
  if (options.columns.empty() && !options.numbers_only) {
    leave_out_repeats(used);
    collect();
  }
  if (used.empty()) {
    throw IoError(concat(x.source, y == nullptr ? "" : " and " + y->source,
                         ": no column is left to work with: ", list_left_out(columns),
                         "; choose with `columns` or `types`"));
  }

  std::size_t rows_x = x.rows, rows_y = y == nullptr ? 0 : y->rows;
  if (options.missing == Missing::error) refuse_missing(used, x, y);
  for (TypedColumn* column : used) {
    if (options.missing != Missing::drop) break;
    if (column->x.missing + column->y.missing == 0) continue;
    const auto keep_x = complete_rows(used, &TypedColumn::x, rows_x);
    const auto keep_y = complete_rows(used, &TypedColumn::y, rows_y);
    if (keep_x.empty() || (y != nullptr && keep_y.empty())) {
      throw IoError(concat((keep_x.empty() ? x : *y).source,
                           ": every row has a missing value; leave columns out with `exclude`, or "
                           "keep missing values"));
    }
    TableOptions again = options;
    again.missing = Missing::keep;
    const RawTable kept_x = take_rows(x, keep_x);
    RawTable kept_y;
    TableSides rest = sides;
    rest.x = &kept_x;
    if (y != nullptr) {
      kept_y = take_rows(*y, keep_y);
      rest.y = &kept_y;
    }
    Inputs dropped = encode_sides(rest, again);
    dropped.description.rows_dropped = true;
    dropped.description.notes.push_back(concat(rows_x - keep_x.size() + rows_y - keep_y.size(),
                                               " rows with missing values left out"));
    return dropped;
  }

  inputs.x.weights = weights_of(x, options.weight_column);
  inputs.x.labels = labels_of(x, options.label_column);
  inputs.x.source = x.source;
  if (y != nullptr) {
    inputs.y.weights = weights_of(*y, options.weight_column);
    // Classes are often known on one side only. A number stands for a column of X.
    const std::string& label = options.label_column;
    const std::string name = label.empty() || !y->has_names
                                 ? label
                                 : names.name(names.find_one(label, "`label_column`"));
    if (options.label_column_y) {
      inputs.y.labels = labels_of(*y, *options.label_column_y);
    } else if (!y->has_names || names_of(*y).by_name(name)) {
      inputs.y.labels = labels_of(*y, name);
    }
    inputs.y.source = y->source;
  }
  const RowWeights weights{.x = inputs.x.weights, .y = inputs.y.weights};
  Scale scale = options.scale.value_or(Scale::robust);
  if (!options.scale && are_pixels(used)) {
    scale = Scale::none;
    description.notes.emplace_back("pixels: left in their scale");
  }
  inputs.encoding = fit_encoding(used, weights, scale);
  for (std::size_t j = 0; j < used.size(); ++j) {
    const auto before = [&](const TypedColumn* other) { return other < used[j]; };
    inputs.encoding->columns[j].place =
        static_cast<std::size_t>(std::ranges::count_if(used, before));
  }
  inputs.x.values = encode_side(*inputs.encoding, used, &TypedColumn::x, rows_x);
  inputs.x.column_names = inputs.encoding->coordinate_names();
  if (y != nullptr) {
    inputs.y.values = encode_side(*inputs.encoding, used, &TypedColumn::y, rows_y);
    inputs.y.column_names = inputs.x.column_names;
  }

  description.scale = scale;
  description.x = x.source;
  description.rows_x = rows_x;
  description.rows_y = rows_y;
  if (y != nullptr) description.y = y->source;
  for (const std::string& note : x.notes) description.notes.push_back(note);
  for (const std::string& note : y == nullptr ? std::vector<std::string>() : y->notes) {
    if (std::ranges::find(description.notes, note) == description.notes.end())
      description.notes.push_back(note);
  }
  for (TypedColumn* column : used) {
    if (y != nullptr && std::min(rows_x, rows_y) >= kFewRows && overlap(*column) < kTellsApart) {
      column->notes.emplace_back("tells X from Y by itself");
    }
  }
  for (const TypedColumn& column : columns) {
    ColumnReport report{.name = column.name,
                        .kind = column.kind,
                        .used = column.used(),
                        .reason = column.reason,
                        .notes = column.notes,
                        .levels = column.has_levels() ? column.levels.size() : 0};
    report_missing(column, report);
    report.missing_changed =
        report.missing_p <
        kMissingAlpha / static_cast<double>(std::max<std::size_t>(used.size(), 1));
    description.columns.push_back(std::move(report));
  }
  return inputs;
}

}  // namespace nw::table
