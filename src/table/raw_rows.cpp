#include "table/raw_rows.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "nw/base/error.hpp"

#include "io/level_codes.hpp"
#include "table/column_names.hpp"
#include "table/typed_column.hpp"
#include "table/written_values.hpp"

namespace nw::table {
namespace {

using io::CellKind;
using io::RawColumn;
using io::RawTable;

void recount_missing(RawColumn& column) {
  column.missing = 0;
  for (const double value : column.numbers) column.missing += std::isnan(value) ? 1 : 0;
  for (const auto code : column.codes) column.missing += code == RawColumn::kMissing ? 1 : 0;
}

void drop_unused_levels(RawColumn& column) {
  std::vector<std::uint32_t> now(column.levels.size(), RawColumn::kMissing);
  std::vector<std::string> levels;
  for (std::uint32_t& code : column.codes) {
    if (code == RawColumn::kMissing) continue;
    if (now[code] == RawColumn::kMissing) {
      now[code] = static_cast<std::uint32_t>(levels.size());
      levels.push_back(std::move(column.levels[code]));
    }
    code = now[code];
  }
  column.levels = std::move(levels);
}

/// The column as text, whatever it was.
void become_text(RawColumn& column) {
  if (column.kind == CellKind::text) return;
  io::LevelCodes levels;
  for (const double value : column.numbers) {
    const bool time = column.kind == CellKind::timestamp;
    column.codes.push_back(std::isnan(value)
                               ? RawColumn::kMissing
                               : levels.code_of(time ? date_text(value) : shortest(value)));
  }
  column.levels = levels.take_levels();
  column.numbers.clear();
  column.kind = CellKind::text;
}

void append_column(RawColumn& column, RawColumn more) {
  column.inexact = column.inexact || more.inexact;
  if (column.kind != CellKind::text && more.kind != CellKind::text) {
    if (column.kind != more.kind) column.kind = CellKind::number;
    column.numbers.insert(column.numbers.end(), more.numbers.begin(), more.numbers.end());
  } else {
    become_text(column);
    become_text(more);
    io::LevelCodes levels;
    for (const std::string& level : column.levels) static_cast<void>(levels.code_of(level));
    std::vector<std::uint32_t> translated;
    for (const std::string& level : more.levels) translated.push_back(levels.code_of(level));
    for (const auto code : more.codes) {
      column.codes.push_back(code == RawColumn::kMissing ? code : translated[code]);
    }
    column.levels = levels.take_levels();
  }
  column.missing += more.missing;
}

}  // namespace

RawTable take_rows(const RawTable& table, const std::vector<std::size_t>& rows) {
  RawTable part{.source = table.source,
                .rows = rows.size(),
                .columns = {},
                .has_names = table.has_names,
                .notes = table.notes};
  for (const RawColumn& column : table.columns) {
    RawColumn taken{.name = column.name,
                    .kind = column.kind,
                    .numbers = {},
                    .inexact = column.inexact,
                    .levels = column.levels,
                    .codes = {},
                    .missing = 0};
    for (const std::size_t row : rows) {
      if (column.kind == CellKind::text) {
        taken.codes.push_back(column.codes[row]);
      } else {
        taken.numbers.push_back(column.numbers[row]);
      }
    }
    recount_missing(taken);
    part.columns.push_back(std::move(taken));
  }
  return part;
}

void keep_rows(RawTable& table, const std::vector<std::size_t>& rows) {
  for (RawColumn& column : table.columns) {
    const auto keep = [&](auto& cells) {
      for (std::size_t i = 0; i < rows.size(); ++i) cells[i] = cells[rows[i]];
      cells.resize(rows.size());
    };
    if (column.kind == CellKind::text) {
      keep(column.codes);
      drop_unused_levels(column);
    } else {
      keep(column.numbers);
    }
    recount_missing(column);
  }
  table.rows = rows.size();
}

void append_table(RawTable& table, const RawTable& more) {
  std::vector<std::string> names;
  for (const RawColumn& column : more.columns) names.push_back(column.name);
  const ColumnNames known(names, more.source);
  const bool by_name = table.has_names && more.has_names;
  if (!by_name && table.columns.size() != more.columns.size()) {
    throw IoError(concat(more.source, ": has ", more.columns.size(), " columns where ",
                         table.source, " has ", table.columns.size(),
                         "; files of one side need the same columns"));
  }
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto at = by_name ? known.by_name(table.columns[i].name) : std::optional(i);
    if (!at) {
      throw IoError(concat(more.source, ": has no column \"", table.columns[i].name, "\", which ",
                           table.source, " has; files of one side need the same columns"));
    }
    append_column(table.columns[i], more.columns[*at]);
  }
  table.rows += more.rows;
  for (const std::string& note : more.notes) table.notes.push_back(more.source + ": " + note);
}

RawTable as_table(const io::PointSet& points) {
  RawTable table{.source = points.source,
                 .rows = points.size(),
                 .columns = {},
                 .has_names = !points.column_names.empty(),
                 .notes = {}};
  for (std::size_t j = 0; j < points.dimension(); ++j) {
    RawColumn column{.name = table.has_names ? points.column_names[j] : std::string(),
                     .kind = CellKind::number,
                     .numbers = std::vector<double>(points.size()),
                     .inexact = false,
                     .levels = {},
                     .codes = {},
                     .missing = 0};
    for (std::size_t i = 0; i < points.size(); ++i) column.numbers[i] = points.values(i, j);
    table.columns.push_back(std::move(column));
  }
  return table;
}

}  // namespace nw::table
