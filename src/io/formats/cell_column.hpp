// Private: columns filled cell by cell, whose kind is what all of their cells have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "nw/io/raw_table.hpp"

#include "io/level_codes.hpp"

namespace nw::io {

/// One column of a format whose cells carry their own type. Numbers that share a column with text
/// become text.
class CellColumn {
 public:
  void add_missing();
  void add_number(double value);
  void add_integer(double value, bool exact = true);
  void add_boolean(bool value);
  /// Seconds since 1970-01-01.
  void add_timestamp(double seconds);
  void add_text(std::string_view text);

  /// Cells so far, missing ones included.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Adds missing cells up to `rows`.
  void pad_to(std::size_t rows);
  [[nodiscard]] RawColumn finish(std::string name);

 private:
  void add_typed(double value, CellKind kind);
  void become_text();

  std::size_t size_ = 0, missing_ = 0;
  bool any_ = false;  ///< a cell that is not missing came
  bool inexact_ = false;
  CellKind kind_ = CellKind::number;
  std::vector<double> numbers_;
  std::vector<std::uint32_t> codes_;
  LevelCodes texts_;
};

}  // namespace nw::io
