// Private: a column of both sides with a meaning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nw/io/raw_table.hpp"
#include "nw/table/options.hpp"

namespace nw::table {

/// The cells of one side: `numbers` (NaN where missing) or `codes` into the column's levels
/// (RawColumn::kMissing where missing).
struct SideValues {
  std::vector<double> numbers = {};
  std::vector<std::uint32_t> codes = {};
  std::size_t missing = 0;

  [[nodiscard]] std::size_t rows() const noexcept { return numbers.size() + codes.size(); }
};

struct TypedColumn {
  std::string name;
  Kind kind = Kind::numeric;
  std::string reason = {};               ///< why it is left out; empty: it is used
  std::vector<std::string> notes = {};   ///< how its cells were read, where that was a choice
  std::vector<std::string> levels = {};  ///< of boolean and categorical columns, sorted
  SideValues x = {}, y = {};

  [[nodiscard]] bool used() const noexcept { return reason.empty(); }
  [[nodiscard]] bool has_levels() const noexcept {
    return kind == Kind::boolean || kind == Kind::categorical;
  }
};

/// One column of both tables, before it has a meaning. `y` is null for a single data set.
struct ColumnPair {
  std::string name;
  const io::RawColumn* x = nullptr;
  const io::RawColumn* y = nullptr;
  std::optional<Kind> wanted = {};  ///< the kind a user gave it
  bool chosen = false;              ///< a user named it: nothing but a constant is left out
  bool row_numbers = false;         ///< counts the rows of the table it comes from
  bool nameless = false;            ///< alone among columns with names, as names of rows are
};

/// Finds out what a column is from both sides together. Throws IoError where it cannot be the kind
/// that is wanted, with a value that shows it.
[[nodiscard]] TypedColumn infer_column(const ColumnPair& pair);

/// Whether the values of a column grow by the same step from row to row, as numbers of rows do.
[[nodiscard]] bool counts_rows(const io::RawColumn& column);

/// The cells of a column as numbers or as codes of known levels, for a kind that is known: new rows
/// for an encoding. Texts that are not among the levels get the code levels.size().
[[nodiscard]] SideValues as_numbers(const io::RawColumn& column, const std::string& file);
/// The same for a column of dates, whose days may be written as 20240131.
[[nodiscard]] SideValues as_times(const io::RawColumn& column, const std::string& file);
[[nodiscard]] SideValues as_codes(const io::RawColumn& column,
                                  const std::vector<std::string>& levels);

/// A number in its shortest form.
[[nodiscard]] std::string shortest(double value);

}  // namespace nw::table
