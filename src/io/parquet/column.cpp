#include "io/parquet/column.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/failure.hpp"
#include "io/formats/codecs.hpp"

namespace nw::io::parquet {
namespace {

constexpr std::size_t kBlock = 4096;
constexpr double kExact = 9007199254740992.0;  // 2^53
constexpr std::uint32_t kUnseen = 0xfffffffe;

CellKind kind_of(const Leaf& leaf) {
  switch (leaf.meaning) {
    case Meaning::boolean:
      return CellKind::boolean;
    case Meaning::date:
    case Meaning::timestamp:
      return CellKind::timestamp;
    case Meaning::unsigned_number:
      return CellKind::integer;
    case Meaning::number:
      return leaf.physical == Physical::int32 || leaf.physical == Physical::int64
                 ? CellKind::integer
                 : CellKind::number;
    case Meaning::decimal:
      return leaf.scale == 0 ? CellKind::integer : CellKind::number;
    case Meaning::text:
    case Meaning::uuid:
      return CellKind::text;
    case Meaning::half:
    case Meaning::duration:
    case Meaning::other:
      break;
  }
  return CellKind::number;
}

/// No codec packs more bytes than that into one: what a header claims beyond is refused before
/// anything is allocated.
std::uint64_t largest_ratio(Codec codec) {
  switch (codec) {
    case Codec::none:
      return 1;
    case Codec::snappy:
      return 64;  // a copy of 64 bytes takes three
    case Codec::gzip:
      return 1032;
    case Codec::lz4:
    case Codec::lz4_raw:
      return 256;
    default:
      return 1 << 16;  // zstd: a block of 128 KiB takes four bytes
  }
}

/// The framing of Hadoop, which the name LZ4 stands for in Parquet: sizes in big-endian order, then
/// a block.
void unpack_hadoop_lz4(std::string_view packed, std::span<char> out, const std::string& file) {
  const auto number = [&] {
    if (packed.size() < 4) refuse_block(file, "lz4");
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(packed[i]);
    packed.remove_prefix(4);
    return value;
  };
  while (!packed.empty()) {
    const std::uint32_t size = number(), bytes = number();
    if (size > out.size() || bytes > packed.size()) refuse_block(file, "lz4");
    unpack_lz4_block(packed.substr(0, bytes), out.subspan(0, size), file);
    packed.remove_prefix(bytes);
    out = out.subspan(size);
  }
  if (!out.empty()) refuse_block(file, "lz4");
}

void unpack(Codec codec, std::string_view packed, std::span<char> out, const std::string& file) {
  switch (codec) {
    case Codec::none:
      break;
    case Codec::snappy:
      return unpack_snappy(packed, out, file);
    case Codec::gzip:
      return unpack_gzip(packed, out, file);
    case Codec::zstd:
      return unpack_zstd(packed, out, file);
    case Codec::lz4_raw:
      return unpack_lz4_block(packed, out, file);
    case Codec::lz4:
      return unpack_hadoop_lz4(packed, out, file);
    case Codec::lzo:
    case Codec::brotli:
      break;
  }
  fail(file, "is packed by ", codec == Codec::lzo ? "LZO" : "Brotli",
       ", which nw does not unpack; save the file with snappy, gzip or zstd");
}

std::string_view take(std::string_view& bytes, std::size_t count, const std::string& file) {
  if (count > bytes.size()) refuse_page(file, "levels longer than their page");
  const std::string_view taken = bytes.substr(0, count);
  bytes.remove_prefix(count);
  return taken;
}

unsigned bits_for(unsigned largest) {
  unsigned bits = 0;
  while (largest >> bits != 0) ++bits;
  return bits;
}

}  // namespace

ColumnReader::ColumnReader(const ByteSource& source, const Leaf& leaf, const LoadOptions& options,
                           std::size_t rows)
    : source_(source),
      leaf_(leaf),
      options_(options),
      file_(concat(source.name(), ": column ", shown(leaf.name))),
      budget_(options.max_unpacked_bytes) {
  column_.name = leaf.name;
  column_.kind = kind_of(leaf);
  // The caller has checked that so many rows fit; untouched memory costs nothing.
  text() ? column_.codes.reserve(rows) : column_.numbers.reserve(rows);
}

void ColumnReader::add(const Chunk& chunk, std::int64_t rows) {
  if (chunk.elsewhere) fail(file_, "lies in another file; give a file that holds its data");
  if (chunk.encrypted) fail(file_, "is encrypted; save the file without encryption");
  const auto size = source_.size();
  const auto begin = static_cast<std::uint64_t>(chunk.begin);
  const auto length = static_cast<std::uint64_t>(chunk.bytes);
  if (chunk.begin < 4 || chunk.bytes < 0 || begin > size || length > size - begin ||
      chunk.values != rows) {
    refuse_page(file_, concat("its place (", chunk.bytes, " bytes at ", chunk.begin, ", ",
                              chunk.values, " values for ", rows, " rows)"));
  }
  std::string bytes(static_cast<std::size_t>(length), '\0');
  if (source_.read_at(begin, bytes.data(), bytes.size()) != bytes.size()) {
    fail(file_, "shrank while being read");
  }
  dictionary_numbers_.clear();
  dictionary_texts_.clear();
  dictionary_codes_.clear();
  auto left = static_cast<std::size_t>(rows);
  std::string_view pages = bytes;
  while (left > 0) {
    const PlacedHeader placed = read_page_header(pages, file_);
    pages.remove_prefix(placed.bytes);
    const PageHeader& header = placed.header;
    if (header.packed_bytes > pages.size()) refuse_page(file_, "a page ends too early");
    const std::string_view body = pages.substr(0, header.packed_bytes);
    pages.remove_prefix(header.packed_bytes);
    if (header.kind == PageHeader::Kind::dictionary) {
      read_dictionary(header, unpacked(body, header.bytes, chunk.codec));
    } else if (header.kind != PageHeader::Kind::index) {
      if (header.values > left) refuse_page(file_, "more values than rows");
      read_data(header, body, chunk.codec);
      left -= header.values;
    }
  }
}

std::string_view ColumnReader::unpacked(std::string_view packed, std::size_t size, Codec codec) {
  if (codec == Codec::none || size == 0) return packed;
  if (size / largest_ratio(codec) > packed.size() + 1) {
    refuse_page(file_, concat(packed.size(), " bytes cannot unpack to ", size));
  }
  if (size > budget_) {
    fail(file_, "unpacks to more than ", options_.max_unpacked_bytes, " bytes");
  }
  budget_ -= size;
  page_.resize(size);
  unpack(codec, packed, page_, file_);
  return page_;
}

void ColumnReader::read_dictionary(const PageHeader& header, std::string_view body) {
  dictionary_page_.assign(body);  // the next page takes the buffer
  const std::string_view bytes = dictionary_page_;
  const std::size_t width =
      std::max<std::size_t>(text() && leaf_.width == 0 ? 4 : plain_width(leaf_), 1);
  if (header.values > bytes.size() / width + 1 && leaf_.physical != Physical::boolean) {
    refuse_page(file_, "a dictionary longer than its page");
  }
  if (header.encoding != Encoding::plain && header.encoding != Encoding::plain_dictionary) {
    refuse_page(file_, "a dictionary that is not plain");
  }
  if (text()) {
    const auto texts = open_texts({.bytes = bytes,
                                   .encoding = Encoding::plain,
                                   .fixed = leaf_.width,
                                   .count = header.values,
                                   .most_bytes = options_.max_unpacked_bytes},
                                  file_);
    dictionary_texts_.resize(header.values);
    for (std::string_view& entry : dictionary_texts_) entry = texts->next();
    dictionary_codes_.assign(header.values, kUnseen);
    return;
  }
  const NumberPage page{.bytes = bytes,
                        .encoding = Encoding::plain,
                        .count = header.values,
                        .most_bytes = options_.max_unpacked_bytes};
  const auto numbers = open_numbers(page, leaf_, file_);
  if (leaf_.physical == Physical::boolean && header.values > bytes.size() * 8) {
    refuse_page(file_, "a dictionary longer than its page");
  }
  dictionary_numbers_.resize(header.values);
  numbers->read(dictionary_numbers_.data(), header.values);
}

void ColumnReader::read_data(const PageHeader& header, std::string_view body, Codec codec) {
  std::string_view values, levels;
  if (header.kind == PageHeader::Kind::data_v2) {
    // Levels stand before the values and are never packed.
    take(body, header.repetition_bytes, file_);
    levels = take(body, header.definition_bytes, file_);
    const std::size_t before = header.repetition_bytes + header.definition_bytes;
    if (header.bytes < before) refuse_page(file_, "levels longer than their page");
    values = header.packed ? unpacked(body, header.bytes - before, codec) : body;
  } else {
    values = unpacked(body, header.bytes, codec);
    if (leaf_.max_definition > 0) {
      if (header.level_encoding != Encoding::rle) {
        fail(file_, "has levels in an encoding that was given up in 2013; save the file again");
      }
      const std::string_view size = take(values, 4, file_);
      levels = take(values, load<std::uint32_t>(size.data()), file_);
    }
  }
  if (leaf_.max_definition == 0) return read_values(header, values, nullptr);
  HybridReader reader(levels, bits_for(leaf_.max_definition), file_);
  read_values(header, values, &reader);
}

void ColumnReader::read_values(const PageHeader& header, std::string_view values,
                               HybridReader* levels) {
  const bool indexed =
      header.encoding == Encoding::rle_dictionary || header.encoding == Encoding::plain_dictionary;
  if (!text()) {
    const NumberPage page{.bytes = values,
                          .encoding = header.encoding,
                          .count = header.values,
                          .most_bytes = options_.max_unpacked_bytes};
    // A page of missing values alone may have no values, and no width of their indices.
    static const std::string kNoValues(1, '\0');
    const auto source =
        indexed ? open_indexed_numbers(values.empty() ? std::string_view(kNoValues) : values,
                                       dictionary_numbers_, file_)
                : open_numbers(page, leaf_, file_);
    return append_numbers(*source, header.values, levels);
  }
  if (indexed) {
    const unsigned width = values.empty() ? 0 : static_cast<unsigned char>(values.front());
    HybridReader indices(values.empty() ? values : values.substr(1), width, file_);
    return append_codes(
        [&](std::uint32_t* codes, std::size_t n) {
          indices.read(codes, n);
          for (std::size_t i = 0; i < n; ++i) codes[i] = code_of_index(codes[i]);
        },
        header.values, levels);
  }
  const auto texts = open_texts({.bytes = values,
                                 .encoding = header.encoding,
                                 .fixed = leaf_.width,
                                 .count = header.values,
                                 .most_bytes = options_.max_unpacked_bytes},
                                file_);
  append_codes(
      [&](std::uint32_t* codes, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) codes[i] = code_of(texts->next());
      },
      header.values, levels);
}

void ColumnReader::append_numbers(NumberSource& source, std::size_t count, HybridReader* levels) {
  const bool floats = leaf_.physical == Physical::float32 || leaf_.physical == Physical::float64 ||
                      leaf_.meaning == Meaning::half;
  const bool wide = column_.kind == CellKind::integer && leaf_.physical != Physical::int32;
  std::vector<double>& numbers = column_.numbers;
  levels_.resize(kBlock);
  present_.resize(kBlock);
  for (std::size_t done = 0; done < count;) {
    const std::size_t step = std::min(kBlock, count - done);
    std::size_t present = step;
    if (levels != nullptr) {
      levels->read(levels_.data(), step);
      const auto all = std::span(levels_).first(step);
      present = static_cast<std::size_t>(std::ranges::count(all, leaf_.max_definition));
    }
    const std::size_t at = numbers.size();
    // Values first: a page that ends too early shall not have grown the column.
    source.read(present_.data(), present);
    if (present == step) {
      numbers.insert(numbers.end(), present_.begin(),
                     present_.begin() + static_cast<std::ptrdiff_t>(step));
    } else {
      numbers.resize(at + step, std::numeric_limits<double>::quiet_NaN());
      for (std::size_t i = 0, next = 0; i < step; ++i) {
        if (levels_[i] == leaf_.max_definition) numbers[at + i] = present_[next++];
      }
      column_.missing += step - present;
    }
    for (std::size_t i = 0; floats && i < present; ++i) column_.missing += std::isnan(present_[i]);
    for (std::size_t i = 0; wide && i < present; ++i) {
      if (std::abs(present_[i]) >= kExact) column_.inexact = true;
    }
    done += step;
  }
}

template <typename Fill>
void ColumnReader::append_codes(Fill&& fill, std::size_t count, HybridReader* levels) {
  levels_.resize(kBlock);
  codes_.resize(kBlock);
  for (std::size_t done = 0; done < count;) {
    const std::size_t step = std::min(kBlock, count - done);
    std::size_t present = step;
    if (levels != nullptr) {
      levels->read(levels_.data(), step);
      const auto all = std::span(levels_).first(step);
      present = static_cast<std::size_t>(std::ranges::count(all, leaf_.max_definition));
    }
    fill(codes_.data(), present);
    for (std::size_t i = 0, next = 0; i < step; ++i) {
      const bool there = present == step || levels_[i] == leaf_.max_definition;
      column_.codes.push_back(there ? codes_[next++] : RawColumn::kMissing);
    }
    column_.missing += step - present;
    done += step;
  }
}

std::uint32_t ColumnReader::code_of(std::string_view text) {
  if (leaf_.meaning != Meaning::uuid) return texts_.code_of(text);
  if (text.size() != 16) refuse_page(file_, "a UUID that has not 16 bytes");
  constexpr std::string_view kDigits = "0123456789abcdef";
  uuid_.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) uuid_ += '-';
    const auto byte = static_cast<unsigned char>(text[i]);
    uuid_ += kDigits[byte >> 4];
    uuid_ += kDigits[byte & 15];
  }
  return texts_.code_of(uuid_);
}

std::uint32_t ColumnReader::code_of_index(std::uint32_t index) {
  if (index >= dictionary_codes_.size()) refuse_page(file_, "an index beyond the dictionary");
  // Dictionaries may hold texts that no row has: a text gets its code when it is seen.
  if (dictionary_codes_[index] == kUnseen) {
    dictionary_codes_[index] = code_of(dictionary_texts_[index]);
  }
  return dictionary_codes_[index];
}

RawColumn ColumnReader::finish() {
  column_.levels = texts_.take_levels();
  return std::move(column_);
}

}  // namespace nw::io::parquet
