// A table as a file holds it: named columns of typed or written cells, before anyone decided what
// they mean. Readers of all formats fill it; the layer `table` interprets it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace nw::io {

/// What the file says about the cells of a column. CSV says nothing: its cells are `text` unless
/// every one of them that is not missing is written as a plain number.
enum class CellKind {
  text,       ///< `levels` and `codes`
  number,     ///< `numbers`
  integer,    ///< `numbers`, whole
  boolean,    ///< `numbers`, 0 or 1
  timestamp,  ///< `numbers`: seconds since 1970-01-01 00:00 UTC
};

/// One column. Only the members of its kind are filled.
struct RawColumn {
  std::string name;  ///< UTF-8; empty when the file has no names
  CellKind kind = CellKind::text;
  /// [rows], NaN where missing. Integers beyond 2^53 are not exact here: `inexact` says so.
  std::vector<double> numbers;
  bool inexact = false;
  /// Text is coded: cell i is levels[codes[i]]. Missing cells have the code kMissing.
  std::vector<std::string> levels;   ///< in the order of first appearance
  std::vector<std::uint32_t> codes;  ///< [rows]
  std::size_t missing = 0;           ///< how many cells are missing

  static constexpr std::uint32_t kMissing = 0xffffffff;
};

struct RawTable {
  std::string source;  ///< the file, for messages
  std::size_t rows = 0;
  std::vector<RawColumn> columns;
  bool has_names = false;
  /// What the reader did that a user may want to know: "read as Latin-1", "decimal comma".
  std::vector<std::string> notes;
};

}  // namespace nw::io
