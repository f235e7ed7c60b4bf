// Private: tables of a FlatBuffer, as far as Arrow's metadata need them (flatbuffers'
// internals.md). Every offset is checked before it is followed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace nw::io::arrow {

[[noreturn]] void refuse_metadata(const std::string& file, std::string_view what);

class FlatVector;

/// A table, or nothing: every field of nothing is absent.
class FlatTable {
 public:
  FlatTable() = default;
  /// The root of `buffer`, which must outlive it, as must `file`.
  FlatTable(std::string_view buffer, const std::string& file);

  [[nodiscard]] bool there() const noexcept { return file_ != nullptr; }
  /// Field `index` of the schema, or `otherwise` where it is absent.
  template <typename Value>
  [[nodiscard]] Value scalar(unsigned index, Value otherwise) const {
    const std::size_t at = field(index);
    return at == 0 ? otherwise : load<Value>(at);
  }
  [[nodiscard]] FlatTable table(unsigned index) const;
  [[nodiscard]] std::string_view text(unsigned index) const;
  [[nodiscard]] FlatVector vector(unsigned index, std::size_t element_bytes) const;

 private:
  friend class FlatVector;
  FlatTable(std::string_view buffer, const std::string* file, std::size_t at);

  /// Where the field lies, or 0.
  [[nodiscard]] std::size_t field(unsigned index) const;
  /// Where the offset at `at` leads.
  [[nodiscard]] std::size_t follow(std::size_t at) const;
  template <typename Value>
  [[nodiscard]] Value load(std::size_t at) const {
    if (at > buffer_.size() || buffer_.size() - at < sizeof(Value)) out_of_range();
    Value value;
    std::memcpy(&value, buffer_.data() + at, sizeof value);
    return value;
  }
  [[noreturn]] void out_of_range() const { refuse_metadata(*file_, "an offset out of range"); }

  std::string_view buffer_;
  const std::string* file_ = nullptr;
  std::size_t at_ = 0, vtable_ = 0;
  std::uint16_t vtable_bytes_ = 0, table_bytes_ = 0;
};

/// A vector of structs, numbers or tables.
class FlatVector {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Element `i`, a table.
  [[nodiscard]] FlatTable table(std::size_t i) const;
  /// A number at `offset` of element `i`.
  template <typename Value>
  [[nodiscard]] Value scalar(std::size_t i, std::size_t offset = 0) const {
    return owner_.load<Value>(begin_ + i * element_bytes_ + offset);
  }

 private:
  friend class FlatTable;
  FlatTable owner_;
  std::size_t begin_ = 0, size_ = 0, element_bytes_ = 1;
};

}  // namespace nw::io::arrow
