// Two tables as points: columns matched and typed, rows with missing values dropped, cells encoded.
#include "table/encode_tables.hpp"

#include <algorithm>
#include <cmath>

#include "nw/base/error.hpp"
#include "nw/table/read_inputs.hpp"

#include "io/label_column.hpp"
#include "io/readers.hpp"
#include "table/counted_rows.hpp"
#include "table/describe_columns.hpp"
#include "table/fit_encoding.hpp"
#include "table/missing_cells.hpp"
#include "table/pair_columns.hpp"
#include "table/raw_rows.hpp"
#include "table/written_values.hpp"

namespace nw::table {
namespace {

using io::CellKind;
using io::RawColumn;
using io::RawTable;

std::vector<double> weights_of(const RawTable& table, const std::string& column) {
  if (column.empty()) return {};
  const std::size_t at = names_of(table).find_one(column, "`weight_column`");
  std::vector<double> weights = as_numbers(table.columns[at], table.source).numbers;
  io::require_usable_weights(weights, table.source);
  return weights;
}

/// Both tables without the rows that miss a value in a used column, encoded; nothing where every
/// row is whole. Throws IoError when no row of a side is.
std::optional<Inputs> encode_complete_rows(const TableSides& sides,
                                           const std::vector<TypedColumn*>& used,
                                           const TableOptions& options) {
  if (std::ranges::all_of(used, [](const TypedColumn* column) {
        return column->x.missing + column->y.missing == 0;
      })) {
    return std::nullopt;
  }
  const RawTable& x = *sides.x;
  const RawTable* const y = sides.y;
  const std::size_t rows_y = y == nullptr ? 0 : y->rows;
  const auto keep_x = complete_rows(used, &TypedColumn::x, x.rows);
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
  dropped.description.notes.push_back(concat(x.rows - keep_x.size() + rows_y - keep_y.size(),
                                             " rows with missing values left out"));
  return dropped;
}

/// Sources, weights and labels of both sides.
void fill_sides(const TableSides& sides, const ColumnNames& names, const TableOptions& options,
                Inputs& inputs) {
  const RawTable& x = *sides.x;
  inputs.x.weights = weights_of(x, options.weight_column);
  inputs.x.labels = labels_of(x, options.label_column);
  inputs.x.source = x.source;
  if (sides.y == nullptr) return;
  const RawTable& y = *sides.y;
  inputs.y.weights = weights_of(y, options.weight_column);
  // Classes are often known on one side only. A number stands for a column of X.
  const std::string& label = options.label_column;
  const std::string name =
      label.empty() || !y.has_names ? label : names.name(names.find_one(label, "`label_column`"));
  if (options.label_column_y) {
    inputs.y.labels = labels_of(y, *options.label_column_y);
  } else if (!y.has_names || names_of(y).by_name(name)) {
    inputs.y.labels = labels_of(y, name);
  }
  inputs.y.source = y.source;
}

/// The encoding that both sides share, and the coordinates of their rows.
void encode_rows(const TableSides& sides, std::vector<TypedColumn*>& used, Scale scale,
                 Inputs& inputs) {
  const RowWeights weights{.x = inputs.x.weights, .y = inputs.y.weights};
  inputs.encoding = fit_encoding(used, weights, scale);
  for (std::size_t j = 0; j < used.size(); ++j) {
    const auto before = [&](const TypedColumn* other) { return other < used[j]; };
    inputs.encoding->columns[j].place =
        static_cast<std::size_t>(std::ranges::count_if(used, before));
  }
  inputs.x.values = encode_side(*inputs.encoding, used, &TypedColumn::x, sides.x->rows);
  inputs.x.column_names = inputs.encoding->coordinate_names();
  if (sides.y == nullptr) return;
  inputs.y.values = encode_side(*inputs.encoding, used, &TypedColumn::y, sides.y->rows);
  inputs.y.column_names = inputs.x.column_names;
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

Inputs encode_tables(const RawTable& given_x, const RawTable* given_y,
                     const TableOptions& options) {
  RawTable counted_x, counted_y;
  const auto counted = [&](const RawTable* given, RawTable& own) {
    if (given == nullptr || options.count_column.empty()) return given;
    own = *given;
    repeat_counted_rows(own, options.count_column);
    return static_cast<const RawTable*>(&own);
  };
  const RawTable& x = *counted(&given_x, counted_x);
  const RawTable* const y = counted(given_y, counted_y);
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
  PairedColumns paired = pair_columns(sides, options);
  std::vector<TypedColumn*> used = collect_used(paired, sides, options);
  if (options.missing == Missing::error) refuse_missing(used, *sides.x, sides.y);
  if (options.missing == Missing::drop) {
    if (auto complete = encode_complete_rows(sides, used, options)) return *std::move(complete);
  }
  Inputs inputs;
  Description& description = inputs.description;
  description.notes = paired.notes;
  fill_sides(sides, paired.names, options, inputs);
  description.scale = options.scale.value_or(Scale::robust);
  if (!options.scale && are_pixels(used)) {
    description.scale = Scale::none;
    description.notes.emplace_back("pixels: left in their scale");
  }
  if (options.count_column.empty() && options.weight_column.empty() && options.columns.empty()) {
    description.advice = advice_on_counts(paired.columns);
  }
  encode_rows(sides, used, description.scale, inputs);
  describe_tables(sides, used, paired.columns, description);
  return inputs;
}

}  // namespace nw::table
