#include "io/arrow/column.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "io/failure.hpp"
#include "io/formats/codecs.hpp"
#include "io/half.hpp"

namespace nw::io::arrow {
namespace {

constexpr double kExact = 9007199254740992.0;  // 2^53
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint32_t kUnseen = 0xfffffffe;

template <typename Value>
Value load(std::string_view bytes, std::size_t at) {
  Value value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

CellKind kind_of(const Field& field) {
  switch (field.storage) {
    case Storage::integer:
      return field.meaning == Meaning::time       ? CellKind::timestamp
             : field.meaning == Meaning::duration ? CellKind::number
                                                  : CellKind::integer;
    case Storage::boolean:
      return CellKind::boolean;
    case Storage::decimal:
      return field.scale <= 0 ? CellKind::integer : CellKind::number;
    case Storage::floating:
      return CellKind::number;
    default:
      return CellKind::text;
  }
}

std::int64_t integer_at(std::string_view bytes, std::size_t row, unsigned bits) {
  switch (bits) {
    case 8:
      return load<std::int8_t>(bytes, row);
    case 16:
      return load<std::int16_t>(bytes, row * 2);
    case 32:
      return load<std::int32_t>(bytes, row * 4);
    default:
      return load<std::int64_t>(bytes, row * 8);
  }
}

double unsigned_at(std::string_view bytes, std::size_t row, unsigned bits) {
  switch (bits) {
    case 8:
      return load<std::uint8_t>(bytes, row);
    case 16:
      return load<std::uint16_t>(bytes, row * 2);
    case 32:
      return load<std::uint32_t>(bytes, row * 4);
    default:
      return static_cast<double>(load<std::uint64_t>(bytes, row * 8));
  }
}

/// A little-endian integer in two's complement, of any number of bytes.
double wide_integer(std::string_view bytes) {
  long double value = static_cast<signed char>(bytes.back());
  for (std::size_t i = bytes.size() - 1; i-- > 0;) {
    value = value * 256.0L + static_cast<unsigned char>(bytes[i]);
  }
  return static_cast<double>(value);
}

double number_at(const Field& field, std::string_view bytes, std::size_t row) {
  switch (field.storage) {
    case Storage::boolean:
      return static_cast<unsigned char>(bytes[row / 8]) >> (row % 8) & 1;
    case Storage::floating:
      return field.bits == 16   ? half_to_double(load<std::uint16_t>(bytes, row * 2))
             : field.bits == 32 ? static_cast<double>(load<float>(bytes, row * 4))
                                : load<double>(bytes, row * 8);
    case Storage::decimal: {
      const std::size_t width = field.bits / 8;
      const std::string_view value = bytes.substr(row * width, width);
      const double whole = width <= 8 ? static_cast<double>(integer_at(bytes, row, field.bits))
                                      : wide_integer(value);
      return field.scale >= 0 ? whole / std::pow(10.0, field.scale)
                              : whole * std::pow(10.0, -field.scale);
    }
    default: {
      const double value = field.is_signed ? static_cast<double>(integer_at(bytes, row, field.bits))
                                           : unsigned_at(bytes, row, field.bits);
      return value * field.factor / field.divisor;
    }
  }
}

}  // namespace

ColumnReader::ColumnReader(const ByteSource& source, const Field& field, const LoadOptions& options)
    : source_(source),
      field_(field),
      options_(options),
      file_(concat(source.name(), ": column ", shown(field.name))),
      budget_(options.max_unpacked_bytes) {
  column_.name = field.name;
  column_.kind = kind_of(field);
}

std::string_view ColumnReader::fetch(const Batch& batch, std::size_t index, std::string& kept) {
  if (index >= batch.buffers.size()) refuse_metadata(file_, "a batch has too few buffers");
  const Batch::Buffer& buffer = batch.buffers[index];
  std::string bytes(static_cast<std::size_t>(buffer.bytes), '\0');
  if (source_.read_at(buffer.offset, bytes.data(), bytes.size()) != bytes.size()) {
    fail(file_, "shrank while being read");
  }
  if (batch.packing == Packing::none || bytes.empty()) {
    kept = std::move(bytes);
    return kept;
  }
  // The size stands before the packed bytes; -1 says that they are not packed.
  if (bytes.size() < 8) refuse_metadata(file_, "a packed buffer of less than eight bytes");
  const auto size = load<std::int64_t>(bytes, 0);
  const std::string_view packed = std::string_view(bytes).substr(8);
  if (size == -1) {
    kept = packed;
    return kept;
  }
  // LZ4 packs at most 255 bytes into one, zstd 128 KiB into four.
  const std::uint64_t ratio = batch.packing == Packing::lz4 ? 256 : 1 << 16;
  const auto unpacked = static_cast<std::uint64_t>(size);
  if (size < 0 || unpacked / ratio > packed.size() + 1) {
    refuse_metadata(file_, concat(packed.size(), " bytes cannot unpack to ", size));
  }
  if (unpacked > budget_) {
    fail(file_, "unpacks to more than ", options_.max_unpacked_bytes, " bytes");
  }
  budget_ -= unpacked;
  kept.assign(static_cast<std::size_t>(size), '\0');
  batch.packing == Packing::lz4 ? unpack_lz4_frame(packed, kept, file_)
                                : unpack_zstd(packed, kept, file_);
  return kept;
}

std::string_view ColumnReader::fetch_at_least(const Batch& batch, std::size_t index,
                                              std::uint64_t needed, std::string& kept) {
  const std::string_view bytes = fetch(batch, index, kept);
  if (bytes.size() < needed) {
    refuse_metadata(file_,
                    concat("a buffer of ", bytes.size(), " bytes where ", needed, " are needed"));
  }
  return bytes;
}

void ColumnReader::add(const Batch& batch, const ColumnPlace& place, const RawColumn* dictionary) {
  if (place.node >= batch.lengths.size() || batch.lengths[place.node] != batch.rows) {
    refuse_metadata(file_, "a column of another length than its batch");
  }
  const std::size_t rows = batch.rows;
  if (rows == 0) return;
  if (field_.storage == Storage::none && !field_.coded) return add_missing(rows);
  validity_ = fetch(batch, place.buffer, kept_validity_);
  if (!validity_.empty() && validity_.size() < (rows + 7) / 8) {
    refuse_metadata(file_, "too few bits that say what is missing");
  }
  const std::uint64_t count = rows;
  if (field_.coded) {
    if (dictionary == nullptr) refuse_metadata(file_, "a dictionary is not there");
    return add_indices(
        fetch_at_least(batch, place.buffer + 1, count * (field_.index_bits / 8), kept_values_),
        rows, *dictionary);
  }
  switch (field_.storage) {
    case Storage::text:
      return add_texts<std::int32_t>(batch, place, rows);
    case Storage::large_text:
      return add_texts<std::int64_t>(batch, place, rows);
    case Storage::text_view:
      return add_views(batch, place, rows);
    case Storage::fixed_bytes: {
      const std::size_t width = field_.bits / 8;
      const std::string_view bytes =
          fetch_at_least(batch, place.buffer + 1, count * width, kept_values_);
      for (std::size_t i = 0; i < rows; ++i) {
        column_.codes.push_back(present(i) ? texts_.code_of(bytes.substr(i * width, width))
                                           : RawColumn::kMissing);
        column_.missing += column_.codes.back() == RawColumn::kMissing;
      }
      return;
    }
    case Storage::boolean:
      return add_numbers(fetch_at_least(batch, place.buffer + 1, (count + 7) / 8, kept_values_),
                         rows);
    default:
      return add_numbers(
          fetch_at_least(batch, place.buffer + 1, count * (field_.bits / 8), kept_values_), rows);
  }
}

void ColumnReader::add_missing(std::size_t rows) {
  column_.codes.insert(column_.codes.end(), rows, RawColumn::kMissing);
  column_.missing += rows;
}

void ColumnReader::add_numbers(std::string_view values, std::size_t rows) {
  const bool wide = column_.kind == CellKind::integer && field_.bits > 32;
  column_.numbers.reserve(column_.numbers.size() + rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const double value = present(i) ? number_at(field_, values, i) : kNaN;
    column_.numbers.push_back(value);
    column_.missing += std::isnan(value);
    if (wide && std::abs(value) >= kExact) column_.inexact = true;
  }
}

template <typename Offset>
void ColumnReader::add_texts(const Batch& batch, const ColumnPlace& place, std::size_t rows) {
  const std::uint64_t needed = (std::uint64_t{rows} + 1) * sizeof(Offset);
  const std::string_view offsets = fetch_at_least(batch, place.buffer + 1, needed, kept_values_);
  const std::string_view bytes = fetch(batch, place.buffer + 2, kept_bytes_);
  for (std::size_t i = 0; i < rows; ++i) {
    if (!present(i)) {
      column_.codes.push_back(RawColumn::kMissing);
      ++column_.missing;
      continue;
    }
    const auto begin = static_cast<std::int64_t>(load<Offset>(offsets, i * sizeof(Offset)));
    const auto end = static_cast<std::int64_t>(load<Offset>(offsets, (i + 1) * sizeof(Offset)));
    if (begin < 0 || end < begin || static_cast<std::uint64_t>(end) > bytes.size()) {
      refuse_metadata(file_, concat("the text of row ", i + 1, " lies outside of its buffer"));
    }
    column_.codes.push_back(texts_.code_of(
        bytes.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin))));
  }
}

/// A view holds the length and, where at most twelve bytes, the text itself; longer texts lie in
/// one of the buffers that follow.
void ColumnReader::add_views(const Batch& batch, const ColumnPlace& place, std::size_t rows) {
  const std::string_view views =
      fetch_at_least(batch, place.buffer + 1, std::uint64_t{rows} * 16, kept_values_);
  if (place.view >= batch.views.size()) refuse_metadata(file_, "views without their buffers");
  const std::size_t more = batch.views[place.view];
  if (more > batch.buffers.size()) refuse_metadata(file_, "a batch has too few buffers");
  std::vector<std::string> kept(more);
  for (std::size_t i = 0; i < more; ++i) {
    static_cast<void>(fetch(batch, place.buffer + 2 + i, kept[i]));
  }
  for (std::size_t i = 0; i < rows; ++i) {
    if (!present(i)) {
      column_.codes.push_back(RawColumn::kMissing);
      ++column_.missing;
      continue;
    }
    const auto length = load<std::uint32_t>(views, i * 16);
    std::string_view text = views.substr(i * 16 + 4, std::min<std::uint32_t>(length, 12));
    if (length > 12) {
      const auto buffer = load<std::uint32_t>(views, i * 16 + 8);
      const auto offset = load<std::uint32_t>(views, i * 16 + 12);
      if (buffer >= more || offset > kept[buffer].size() || length > kept[buffer].size() - offset) {
        refuse_metadata(file_, concat("the text of row ", i + 1, " lies outside of its buffer"));
      }
      text = std::string_view(kept[buffer]).substr(offset, length);
    }
    column_.codes.push_back(texts_.code_of(text));
  }
}

void ColumnReader::add_indices(std::string_view values, std::size_t rows,
                               const RawColumn& dictionary) {
  const bool text = dictionary.kind == CellKind::text;
  const std::size_t size = text ? dictionary.codes.size() : dictionary.numbers.size();
  // Another batch may come with another dictionary, and some values of one are never used.
  dictionary_codes_.assign(text ? size : 0, kUnseen);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::int64_t index =
        !present(i) ? 0
        : field_.index_signed
            ? integer_at(values, i, field_.index_bits)
            : static_cast<std::int64_t>(unsigned_at(values, i, field_.index_bits));
    if (present(i) && (index < 0 || static_cast<std::uint64_t>(index) >= size)) {
      refuse_metadata(
          file_, concat("row ", i + 1, " has the value ", index, " of a dictionary of ", size));
    }
    const auto at = static_cast<std::size_t>(index);
    if (!text) {
      column_.numbers.push_back(present(i) ? dictionary.numbers[at] : kNaN);
      column_.missing += std::isnan(column_.numbers.back());
      continue;
    }
    std::uint32_t code = RawColumn::kMissing;
    if (present(i) && dictionary.codes[at] != RawColumn::kMissing) {
      if (dictionary_codes_[at] == kUnseen) {
        dictionary_codes_[at] = texts_.code_of(dictionary.levels[dictionary.codes[at]]);
      }
      code = dictionary_codes_[at];
    }
    column_.codes.push_back(code);
    column_.missing += code == RawColumn::kMissing;
  }
  column_.inexact = column_.inexact || dictionary.inexact;
}

RawColumn ColumnReader::finish() {
  column_.levels = texts_.take_levels();
  return std::move(column_);
}

}  // namespace nw::io::arrow
