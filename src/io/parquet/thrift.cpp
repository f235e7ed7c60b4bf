#include "io/parquet/thrift.hpp"

#include <limits>

#include "io/failure.hpp"

namespace nw::io {

namespace {
constexpr int kDeepest = 32;
}  // namespace

void ThriftReader::refuse(std::string_view what) const {
  fail(file_, "damaged Parquet metadata: ", what, "; fetch or write the file again");
}

std::uint8_t ThriftReader::byte() {
  if (at_ >= bytes_.size()) refuse("they end too early");
  return static_cast<std::uint8_t>(bytes_[at_++]);
}

std::uint64_t ThriftReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint8_t part = byte();
    value |= static_cast<std::uint64_t>(part & 0x7f) << shift;
    if (part < 0x80) return value;
  }
  refuse("a number of more than ten bytes");
}

std::int64_t ThriftReader::integer() {
  const std::uint64_t zigzag = varint();
  return static_cast<std::int64_t>(zigzag >> 1) ^ -static_cast<std::int64_t>(zigzag & 1);
}

std::int32_t ThriftReader::integer32() {
  const std::int64_t value = integer();
  if (value < std::numeric_limits<std::int32_t>::min() ||
      value > std::numeric_limits<std::int32_t>::max()) {
    refuse("a number beyond 32 bits");
  }
  return static_cast<std::int32_t>(value);
}

std::string_view ThriftReader::binary() {
  const std::uint64_t size = varint();
  if (size > bytes_.size() - at_) refuse("a text longer than the file");
  const std::string_view found = bytes_.substr(at_, static_cast<std::size_t>(size));
  at_ += found.size();
  return found;
}

ThriftReader::List ThriftReader::list_header() {
  const std::uint8_t head = byte();
  std::uint64_t size = head >> 4;
  if (size == 15) size = varint();
  if (size > bytes_.size() - at_) refuse("a list longer than the file");
  if ((head & 15) > static_cast<int>(Type::structure)) refuse("a list of an unknown type");
  return {static_cast<Type>(head & 15), static_cast<std::size_t>(size)};
}

bool ThriftReader::next_field(Field& field) {
  const std::uint8_t head = byte();
  const int type = head & 15, delta = head >> 4;
  if (type == 0) return false;
  if (type > static_cast<int>(Type::structure)) refuse("a field of an unknown type");
  field.type = static_cast<Type>(type);
  const std::int64_t id = delta == 0 ? integer() : field.id + delta;
  if (id < 0 || id > std::numeric_limits<std::int16_t>::max()) refuse("a field out of range");
  field.id = static_cast<std::int16_t>(id);
  return true;
}

void ThriftReader::enter() {
  if (++depth_ > kDeepest) refuse("nested too deeply");
}

void ThriftReader::skip(Type type) {
  switch (type) {
    case Type::stop:
    case Type::boolean_true:
    case Type::boolean_false:
      return;
    case Type::i8:
      static_cast<void>(byte());
      return;
    case Type::i16:
    case Type::i32:
    case Type::i64:
      static_cast<void>(varint());
      return;
    case Type::float64:
      if (bytes_.size() - at_ < 8) refuse("they end too early");
      at_ += 8;
      return;
    case Type::binary:
      static_cast<void>(binary());
      return;
    case Type::list:
    case Type::set: {
      enter();
      const List list = list_header();
      // Elements that are booleans take a byte each, unlike fields.
      const bool flags = list.type == Type::boolean_true || list.type == Type::boolean_false;
      for (std::size_t i = 0; i < list.size; ++i) {
        if (flags || list.type == Type::stop) {
          static_cast<void>(byte());
        } else {
          skip(list.type);
        }
      }
      return leave();
    }
    case Type::map: {
      enter();
      const std::uint64_t size = varint();
      if (size == 0) return leave();
      const std::uint8_t types = byte();
      if (size > bytes_.size() - at_) refuse("a map longer than the file");
      for (std::uint64_t i = 0; i < size; ++i) {
        for (const int part : {types >> 4, types & 15}) {
          if (part > static_cast<int>(Type::structure) || part == 0) {
            refuse("a map of an unknown type");
          }
          if (part <= 2) {
            static_cast<void>(byte());
          } else {
            skip(static_cast<Type>(part));
          }
        }
      }
      return leave();
    }
    case Type::structure:
      structure([](const Field&) { return false; });
      return;
  }
}

}  // namespace nw::io
