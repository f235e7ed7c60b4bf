#include "table/pair_columns.hpp"

#include <algorithm>

#include "nw/base/error.hpp"

#include "table/repeats.hpp"
#include "table/written_values.hpp"

namespace nw::table {
namespace {

using io::CellKind;
using io::RawColumn;
using io::RawTable;

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
  take_out(options.count_column, "`count_column`", "counts the rows");
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

std::string list_left_out(const std::vector<TypedColumn>& columns) {
  std::string text;
  for (const TypedColumn& column : columns) {
    text += (text.empty() ? "" : ", ") + column.name + " (" + column.reason + ")";
  }
  return text;
}

/// The kinds that a user named, by column of X.
std::vector<std::optional<Kind>> kinds_asked_for(const ColumnNames& names,
                                                 const TableOptions& options) {
  std::vector<std::optional<Kind>> wanted(names.size());
  for (const auto& [text, kind] : options.types) {
    for (const std::size_t i : names.find(text)) wanted[i] = kind;
  }
  return wanted;
}

/// Where X and Y have labels in different columns, that of Y is no coordinate either.
void take_out_label_of_y(const RawTable& y, const TableOptions& options,
                         const std::vector<std::optional<std::size_t>>& partner,
                         std::vector<Role>& roles) {
  if (!options.label_column_y || options.label_column_y->empty()) return;
  const std::size_t own = names_of(y).find_one(*options.label_column_y, "label of Y");
  for (std::size_t i = 0; i < partner.size(); ++i) {
    if (partner[i] == own && roles[i].coordinate) {
      roles[i] = {.coordinate = false, .chosen = false, .reason = "the label of Y"};
    }
  }
}

/// In raw units only numbers are coordinates.
TypedColumn type_column(ColumnPair pair, const TableSides& sides, std::size_t index,
                        bool numbers_only) {
  TypedColumn column = infer_column(pair);
  if (!numbers_only || !column.used()) return column;
  const bool text =
      pair.x->kind == CellKind::text || (pair.y != nullptr && pair.y->kind == CellKind::text);
  if (text) refuse_mixed(pair, sides, index);
  if (!column.has_levels()) return column;
  if (text) {
    column.reason = "not a number";
    return column;
  }
  pair.wanted = Kind::numeric;  // two numbers, in their own units
  return infer_column(pair);
}

[[noreturn]] void refuse_lone_column(const RawTable& without, const RawTable& with,
                                     const std::string& name) {
  throw IoError(concat(without.source, ": has no column \"", name, "\", which ", with.source,
                       " has; `strict` asks for the same columns"));
}

}  // namespace

ColumnNames names_of(const RawTable& table) {
  std::vector<std::string> names;
  for (const RawColumn& column : table.columns) names.push_back(column.name);
  return {std::move(names), table.source};
}

PairedColumns pair_columns(const TableSides& sides, const TableOptions& options) {
  const RawTable& x = *sides.x;
  const RawTable* const y = sides.y;
  require_distinct_names(x);
  if (y != nullptr) require_distinct_names(*y);
  // Without a header in X, the names of Y are those of both.
  const bool names_from_y =
      y != nullptr && !x.has_names && y->has_names && x.columns.size() == y->columns.size();
  PairedColumns paired{.names = names_of(names_from_y ? *y : x),
                       .has_names = x.has_names || names_from_y,
                       .columns = {},
                       .notes = {}};
  const ColumnNames& names = paired.names;
  std::vector<Role> roles = roles_of(names, options);
  if (sides.split_column) {
    roles[*sides.split_column] = {
        .coordinate = false, .chosen = false, .reason = "splits the rows"};
  }
  std::vector<std::optional<std::size_t>> partner(x.columns.size());
  if (y != nullptr) {
    partner = match(x, *y, paired.notes);
    take_out_label_of_y(*y, options, partner, roles);
  }
  const auto wanted = kinds_asked_for(names, options);
  bool in_common = y == nullptr;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool alone = y != nullptr && !partner[i];
    in_common = in_common || !alone;
    if (roles[i].coordinate && !alone) {
      paired.columns.push_back(type_column({.name = names.name(i),
                                            .x = &x.columns[i],
                                            .y = y == nullptr ? nullptr : &y->columns[*partner[i]],
                                            .wanted = wanted[i],
                                            .chosen = roles[i].chosen,
                                            .row_numbers = sides.counters[i],
                                            .nameless = x.has_names && x.columns[i].name.empty()},
                                           sides, i, options.numbers_only));
      continue;
    }
    if (alone && roles[i].coordinate && options.strict) refuse_lone_column(*y, x, names.name(i));
    paired.columns.push_back({.name = names.name(i),
                              .kind = Kind::text,
                              .reason = roles[i].coordinate ? "only in X" : roles[i].reason});
  }
  for (std::size_t j = 0; y != nullptr && j < y->columns.size(); ++j) {
    if (std::ranges::find(partner, std::optional(j)) != partner.end()) continue;
    if (options.strict) refuse_lone_column(x, *y, y->columns[j].name);
    paired.columns.push_back(
        {.name = y->columns[j].name, .kind = Kind::text, .reason = "only in Y"});
  }
  if (!in_common) {
    throw IoError(concat(x.source, " and ", y->source,
                         ": have no column name in common; rename columns, or give both without "
                         "header (`header` no) to match them by place"));
  }
  return paired;
}

std::vector<TypedColumn*> collect_used(PairedColumns& paired, const TableSides& sides,
                                       const TableOptions& options) {
  const auto collect = [&] {
    std::vector<TypedColumn*> used;
    for (TypedColumn& column : paired.columns) {
      if (column.used()) used.push_back(&column);
    }
    if (paired.has_names) {
      std::ranges::stable_sort(used, {}, [](const TypedColumn* c) { return folded(c->name); });
    }
    return used;
  };
  std::vector<TypedColumn*> used = collect();
  if (options.columns.empty() && !options.numbers_only) {
    leave_out_repeats(used);
    used = collect();
  }
  if (used.empty()) {
    throw IoError(concat(sides.x->source, sides.y == nullptr ? "" : " and " + sides.y->source,
                         ": no column is left to work with: ", list_left_out(paired.columns),
                         "; choose with `columns` or `types`"));
  }
  return used;
}

}  // namespace nw::table
