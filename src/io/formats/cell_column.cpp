#include "io/formats/cell_column.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace nw::io {
namespace {

/// The shortest text that gives `value` again.
std::string written(double value, CellKind kind) {
  if (kind == CellKind::boolean) return value != 0.0 ? "true" : "false";
  std::array<char, 32> text{};
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), result.ptr};
}

}  // namespace

void CellColumn::add_missing() {
  ++missing_;
  ++size_;
  if (kind_ == CellKind::text) {
    codes_.push_back(RawColumn::kMissing);
  } else {
    numbers_.push_back(std::numeric_limits<double>::quiet_NaN());
  }
}

void CellColumn::add_typed(double value, CellKind kind) {
  if (std::isnan(value)) return add_missing();
  if (kind_ != CellKind::text) {
    const auto numeric = [](CellKind k) { return k == CellKind::number || k == CellKind::integer; };
    if (!any_) {
      kind_ = kind;
    } else if (kind_ != kind) {
      // 1 and 1.5 share a column of numbers; true and 1, or a date and 1, share nothing but text.
      if (numeric(kind_) && numeric(kind)) {
        kind_ = CellKind::number;
      } else {
        become_text();
      }
    }
  }
  any_ = true;
  if (kind_ == CellKind::text) return add_text(written(value, kind));
  numbers_.push_back(value);
  ++size_;
}

void CellColumn::add_number(double value) {
  add_typed(value, CellKind::number);
}

void CellColumn::add_integer(double value, bool exact) {
  inexact_ = inexact_ || !exact;
  add_typed(value, CellKind::integer);
}

void CellColumn::add_boolean(bool value) {
  add_typed(value ? 1.0 : 0.0, CellKind::boolean);
}

void CellColumn::add_timestamp(double seconds) {
  add_typed(seconds, CellKind::timestamp);
}

void CellColumn::add_text(std::string_view text) {
  if (kind_ != CellKind::text) become_text();
  any_ = true;
  codes_.push_back(texts_.code_of(text));
  ++size_;
}

void CellColumn::become_text() {
  codes_.reserve(numbers_.size() + 1);
  for (const double value : numbers_) {
    codes_.push_back(std::isnan(value) ? RawColumn::kMissing
                                       : texts_.code_of(written(value, kind_)));
  }
  numbers_ = {};
  kind_ = CellKind::text;
}

void CellColumn::pad_to(std::size_t rows) {
  while (size_ < rows) add_missing();
}

RawColumn CellColumn::finish(std::string name) {
  if (!any_ && kind_ != CellKind::text) become_text();  // a column without cells says no kind
  return {.name = std::move(name),
          .kind = kind_,
          .numbers = std::move(numbers_),
          .inexact = inexact_ && kind_ != CellKind::text,
          .levels = texts_.take_levels(),
          .codes = std::move(codes_),
          .missing = missing_};
}

}  // namespace nw::io
