// Private: Thrift's compact protocol, as far as Parquet's metadata need it
// (thrift/doc/specs/thrift-compact-protocol.md). Every read is checked against the bytes there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace nw::io {

class ThriftReader {
 public:
  enum class Type : std::uint8_t {
    stop = 0,
    boolean_true = 1,
    boolean_false = 2,
    i8 = 3,
    i16 = 4,
    i32 = 5,
    i64 = 6,
    float64 = 7,
    binary = 8,
    list = 9,
    set = 10,
    map = 11,
    structure = 12,
  };
  struct Field {
    Type type = Type::stop;
    std::int16_t id = 0;
  };
  struct List {
    Type type = Type::stop;
    std::size_t size = 0;
  };

  /// `file` must outlive the reader and begins its messages.
  ThriftReader(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  /// Reads a struct: calls visit(field) for every field, which must read the value and return true,
  /// or return false to have it passed over.
  template <typename Visit>
  void structure(Visit&& visit) {
    enter();
    Field field;
    while (next_field(field)) {
      if (!visit(static_cast<const Field&>(field))) skip(field.type);
    }
    leave();
  }

  /// Reads a list of structs: calls visit() for every element, which must read it.
  template <typename Visit>
  void structures(Visit&& visit) {
    const List list = list_header();
    if (list.type != Type::structure) refuse("a list of something else than structs");
    for (std::size_t i = 0; i < list.size; ++i) visit();
  }

  [[nodiscard]] std::int64_t integer();
  [[nodiscard]] std::int32_t integer32();
  /// The bytes stay where they are.
  [[nodiscard]] std::string_view binary();
  /// A field's type carries the value.
  [[nodiscard]] static bool boolean(const Field& field) { return field.type == Type::boolean_true; }
  /// An element takes at least one byte, so a size beyond the bytes left is refused.
  [[nodiscard]] List list_header();
  void skip(Type type);

  /// Bytes read so far.
  [[nodiscard]] std::size_t position() const noexcept { return at_; }
  [[noreturn]] void refuse(std::string_view what) const;

 private:
  bool next_field(Field& field);
  [[nodiscard]] std::uint8_t byte();
  [[nodiscard]] std::uint64_t varint();
  void enter();
  void leave() { --depth_; }

  std::string_view bytes_;
  const std::string& file_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace nw::io
