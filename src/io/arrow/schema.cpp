#include "io/arrow/schema.hpp"

#include "io/failure.hpp"

namespace nw::io::arrow {
namespace {

constexpr int kDeepest = 16;
constexpr std::size_t kMostFields = 100'000;

/// The union `Type` of Schema.fbs.
enum Type : std::uint8_t {
  kNull = 1,
  kInt = 2,
  kFloatingPoint = 3,
  kBinary = 4,
  kUtf8 = 5,
  kBool = 6,
  kDecimal = 7,
  kDate = 8,
  kTime = 9,
  kTimestamp = 10,
  kInterval = 11,
  kList = 12,
  kStruct = 13,
  kUnion = 14,
  kFixedSizeBinary = 15,
  kFixedSizeList = 16,
  kMap = 17,
  kDuration = 18,
  kLargeBinary = 19,
  kLargeUtf8 = 20,
  kLargeList = 21,
  kRunEndEncoded = 22,
  kBinaryView = 23,
  kUtf8View = 24,
  kListView = 25,
  kLargeListView = 26,
};

double units_per_second(std::int16_t unit) {
  return unit == 0 ? 1.0 : unit == 1 ? 1e3 : unit == 2 ? 1e6 : 1e9;
}

void read_integer(const FlatTable& type, unsigned& bits, bool& is_signed, const std::string& file) {
  const auto width = type.scalar<std::int32_t>(0, 0);
  if (width != 8 && width != 16 && width != 32 && width != 64) {
    refuse_metadata(file, concat("integers of ", width, " bits"));
  }
  bits = static_cast<unsigned>(width);
  is_signed = type.scalar<std::uint8_t>(1, 0) != 0;
}

/// Types that are counted in units of time, and stored as integers.
void read_time(std::uint8_t kind, const FlatTable& type, Field& field, const std::string& file) {
  std::int32_t bits = 64;
  field.meaning = kind == kDate || kind == kTimestamp ? Meaning::time : Meaning::duration;
  if (kind == kDate) {
    const bool days = type.scalar<std::int16_t>(0, 1) == 0;
    (days ? field.factor : field.divisor) = days ? 86400.0 : 1e3;
    bits = days ? 32 : 64;
  } else {
    field.divisor = units_per_second(type.scalar<std::int16_t>(0, kind == kTimestamp ? 0 : 1));
    if (kind == kTime) bits = type.scalar<std::int32_t>(1, 32);
  }
  if (bits != 32 && bits != 64) refuse_metadata(file, concat("times of ", bits, " bits"));
  field.bits = static_cast<unsigned>(bits);
}

void read_decimal(const FlatTable& type, Field& field, const std::string& file) {
  const auto bits = type.scalar<std::int32_t>(2, 128);
  field.scale = type.scalar<std::int32_t>(1, 0);
  const bool known = bits == 32 || bits == 64 || bits == 128 || bits == 256;
  if (!known || field.scale < -80 || field.scale > 80) {
    refuse_metadata(file, concat("decimals of ", bits, " bits and scale ", field.scale));
  }
  field.bits = static_cast<unsigned>(bits);
}

void read_fixed(const FlatTable& type, Field& field, const std::string& file) {
  const auto bytes = type.scalar<std::int32_t>(0, 0);
  if (bytes <= 0 || bytes > (1 << 20)) refuse_metadata(file, concat("values of ", bytes, " bytes"));
  field.bits = static_cast<unsigned>(bytes) * 8;
}

void read_type(std::uint8_t kind, const FlatTable& type, Field& field, const std::string& file) {
  const auto store = [&](Storage storage, unsigned buffers) {
    field.storage = storage;
    field.buffers = buffers;
  };
  switch (kind) {
    case kNull:
      return store(Storage::none, 0);
    case kInt:
      store(Storage::integer, 2);
      return read_integer(type, field.bits, field.is_signed, file);
    case kFloatingPoint: {
      store(Storage::floating, 2);
      const auto precision = type.scalar<std::int16_t>(0, 0);
      field.bits = precision == 0 ? 16 : precision == 1 ? 32 : 64;
      return;
    }
    case kBinary:
    case kUtf8:
      return store(Storage::text, 3);
    case kLargeBinary:
    case kLargeUtf8:
      return store(Storage::large_text, 3);
    case kBinaryView:
    case kUtf8View:
      return store(Storage::text_view, 2);
    case kBool:
      return store(Storage::boolean, 2);
    case kDecimal:
      store(Storage::decimal, 2);
      return read_decimal(type, field, file);
    case kDate:
    case kTime:
    case kTimestamp:
    case kDuration:
      store(Storage::integer, 2);
      return read_time(kind, type, field, file);
    case kFixedSizeBinary:
      store(Storage::fixed_bytes, 2);
      return read_fixed(type, field, file);
    case kInterval:
    case kList:
    case kMap:
    case kLargeList:
      return store(Storage::nested, 2);
    case kListView:
    case kLargeListView:
      return store(Storage::nested, 3);
    case kStruct:
    case kFixedSizeList:
      return store(Storage::nested, 1);
    case kUnion:  // sparse unions have types, dense ones offsets too
      return store(Storage::nested, type.scalar<std::int16_t>(0, 0) == 0 ? 1 : 2);
    case kRunEndEncoded:
      return store(Storage::nested, 0);
    default:
      fail(file, "column ", shown(field.name), " has Arrow's type ", int{kind},
           ", which nw does not know; save the file as Parquet or leave the column out");
  }
}

class SchemaReader {
 public:
  explicit SchemaReader(const std::string& file) : file_(file) {}

  Field read(const FlatTable& table, int depth) {
    if (depth > kDeepest) refuse_metadata(file_, "nested too deeply");
    if (++fields_ > kMostFields) refuse_metadata(file_, "too many columns");
    Field field;
    field.name = std::string(table.text(0));
    read_type(table.scalar<std::uint8_t>(2, 0), table.table(3), field, file_);
    if (const FlatTable coding = table.table(4); coding.there()) {
      field.coded = true;
      field.dictionary = coding.scalar<std::int64_t>(0, 0);
      const FlatTable index = coding.table(1);
      if (index.there()) read_integer(index, field.index_bits, field.index_signed, file_);
    }
    const FlatVector children = table.vector(5, 4);
    for (std::size_t i = 0; i < children.size(); ++i) {
      field.children.push_back(read(children.table(i), depth + 1));
    }
    return field;
  }

 private:
  const std::string& file_;
  std::size_t fields_ = 0;
};

}  // namespace

std::vector<Field> read_schema(const FlatTable& schema, const std::string& file) {
  if (schema.scalar<std::int16_t>(0, 0) != 0) {
    fail(file, "is an Arrow file in big-endian order; save it on a little-endian machine");
  }
  SchemaReader reader(file);
  std::vector<Field> fields;
  const FlatVector tables = schema.vector(1, 4);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    fields.push_back(reader.read(tables.table(i), 0));
  }
  if (fields.empty()) fail(file, "has no columns");
  return fields;
}

}  // namespace nw::io::arrow
