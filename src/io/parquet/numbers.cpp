#include "io/parquet/numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "nw/base/error.hpp"

#include "io/half.hpp"
#include "io/parquet/encodings.hpp"

namespace nw::io::parquet {
namespace {

constexpr std::size_t kBlock = 1024;
constexpr std::size_t kInt96 = 12;

/// What an integer has to be multiplied with and divided by. Division keeps tenths and thousandths
/// exact to the last digit, which multiplying by 0.001 would not.
struct Conversion {
  bool is_unsigned = false;
  double factor = 1.0, divisor = 1.0;

  explicit Conversion(const Leaf& leaf) : is_unsigned(leaf.meaning == Meaning::unsigned_number) {
    if (leaf.meaning == Meaning::date) factor = 86400.0;
    if (leaf.meaning == Meaning::decimal) divisor = std::pow(10.0, leaf.scale);
    if (leaf.meaning == Meaning::timestamp || leaf.meaning == Meaning::duration) {
      divisor = std::round(1.0 / leaf.unit);
    }
  }
  [[nodiscard]] bool trivial() const { return factor == 1.0 && divisor == 1.0; }
  void apply(double* values, std::size_t count) const {
    if (trivial()) return;
    for (std::size_t i = 0; i < count; ++i) values[i] = values[i] * factor / divisor;
  }
};

template <typename Raw>
void convert(const char* from, double* out, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = static_cast<double>(load<Raw>(from + i * sizeof(Raw)));
  }
}

/// Nanoseconds of the day, then the Julian day, as Impala and Spark write times.
double from_int96(const char* from) {
  constexpr double kJulianDayOf1970 = 2440588.0;
  const double days = static_cast<double>(load<std::uint32_t>(from + 8)) - kJulianDayOf1970;
  return days * 86400.0 + static_cast<double>(load<std::int64_t>(from)) / 1e9;
}

/// A big-endian integer in two's complement.
double from_big_endian(std::string_view bytes) {
  if (bytes.empty()) return 0.0;
  double value = static_cast<signed char>(bytes.front());
  if (bytes.size() <= 8) {
    std::int64_t exact = static_cast<signed char>(bytes.front());
    for (const char byte : bytes.substr(1)) {
      exact = static_cast<std::int64_t>(static_cast<std::uint64_t>(exact) << 8 |
                                        static_cast<unsigned char>(byte));
    }
    return static_cast<double>(exact);
  }
  long double sum = value;
  for (const char byte : bytes.substr(1)) sum = sum * 256.0L + static_cast<unsigned char>(byte);
  return static_cast<double>(sum);
}

/// One value of the storage of `leaf` after another.
void convert_plain(const Leaf& leaf, const Conversion& conversion, const char* from,
                   std::pair<double*, std::size_t> out) {
  const auto [to, count] = out;
  switch (leaf.physical) {
    case Physical::int32:
      conversion.is_unsigned ? convert<std::uint32_t>(from, to, count)
                             : convert<std::int32_t>(from, to, count);
      return conversion.apply(to, count);
    case Physical::int64:
      conversion.is_unsigned ? convert<std::uint64_t>(from, to, count)
                             : convert<std::int64_t>(from, to, count);
      return conversion.apply(to, count);
    case Physical::float32:
      return convert<float>(from, to, count);
    case Physical::float64:
      if (count > 0) std::memcpy(to, from, count * sizeof(double));
      return;
    case Physical::int96:
      for (std::size_t i = 0; i < count; ++i) to[i] = from_int96(from + i * kInt96);
      return;
    default:  // fixed
      for (std::size_t i = 0; i < count; ++i) {
        const std::string_view value(from + i * leaf.width, leaf.width);
        to[i] = leaf.meaning == Meaning::half ? half_to_double(load<std::uint16_t>(value.data()))
                                              : from_big_endian(value);
      }
      return conversion.apply(to, count);
  }
}

class PlainNumbers final : public NumberSource {
 public:
  PlainNumbers(std::string_view bytes, const Leaf& leaf, const std::string& file)
      : bytes_(bytes), leaf_(leaf), conversion_(leaf), width_(plain_width(leaf)), file_(file) {}
  void read(double* out, std::size_t count) override {
    if (bytes_.size() / width_ < count) refuse_page(file_, "a page ends too early");
    convert_plain(leaf_, conversion_, bytes_.data(), {out, count});
    bytes_.remove_prefix(count * width_);
  }

 private:
  std::string_view bytes_;
  const Leaf& leaf_;
  Conversion conversion_;
  std::size_t width_;
  const std::string& file_;
};

/// BYTE_STREAM_SPLIT: all first bytes, then all second bytes, and so on.
class SplitNumbers final : public NumberSource {
 public:
  SplitNumbers(std::string_view bytes, const Leaf& leaf, const std::string& file)
      : bytes_(bytes), leaf_(leaf), conversion_(leaf), width_(plain_width(leaf)), file_(file) {
    total_ = bytes.size() / width_;
  }
  void read(double* out, std::size_t count) override {
    if (total_ - at_ < count) refuse_page(file_, "a page ends too early");
    joined_.resize(width_);
    for (std::size_t i = 0; i < count; ++i, ++at_) {
      for (std::size_t b = 0; b < width_; ++b) joined_[b] = bytes_[b * total_ + at_];
      convert_plain(leaf_, conversion_, joined_.data(), {out + i, 1});
    }
  }

 private:
  std::string_view bytes_;
  const Leaf& leaf_;
  Conversion conversion_;
  std::size_t width_, total_ = 0, at_ = 0;
  const std::string& file_;
  std::string joined_;
};

class PlainBooleans final : public NumberSource {
 public:
  PlainBooleans(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}
  void read(double* out, std::size_t count) override {
    if (bytes_.size() * 8 - bit_ < count) refuse_page(file_, "a page ends too early");
    for (std::size_t i = 0; i < count; ++i, ++bit_) {
      out[i] = (static_cast<unsigned char>(bytes_[bit_ / 8]) >> (bit_ % 8)) & 1;
    }
  }

 private:
  std::string_view bytes_;
  const std::string& file_;
  std::size_t bit_ = 0;
};

class HybridBooleans final : public NumberSource {
 public:
  HybridBooleans(std::string_view bytes, const std::string& file) : values_(bytes, 1, file) {}
  void read(double* out, std::size_t count) override {
    std::array<std::uint32_t, kBlock> block;
    for (std::size_t done = 0; done < count; done += kBlock) {
      const std::size_t step = std::min(kBlock, count - done);
      values_.read(block.data(), step);
      std::copy_n(block.data(), step, out + done);
    }
  }

 private:
  HybridReader values_;
};

class DeltaNumbers final : public NumberSource {
 public:
  DeltaNumbers(const NumberPage& page, const Leaf& leaf, const std::string& file)
      : conversion_(leaf), narrow_(leaf.physical == Physical::int32), file_(file) {
    std::string_view bytes = page.bytes;
    values_ = read_deltas(bytes, page.count, file);
  }
  void read(double* out, std::size_t count) override {
    if (values_.size() - at_ < count) refuse_page(file_, "a page ends too early");
    for (std::size_t i = 0; i < count; ++i) {
      const auto bits = static_cast<std::uint64_t>(values_[at_ + i]);
      if (narrow_) {  // 32-bit deltas wrap around at 32 bits
        const auto low = static_cast<std::uint32_t>(bits);
        out[i] = conversion_.is_unsigned ? static_cast<double>(low)
                                         : static_cast<double>(static_cast<std::int32_t>(low));
      } else {
        out[i] = conversion_.is_unsigned ? static_cast<double>(bits)
                                         : static_cast<double>(values_[at_ + i]);
      }
    }
    at_ += count;
    conversion_.apply(out, count);
  }

 private:
  Conversion conversion_;
  bool narrow_;
  const std::string& file_;
  std::vector<std::int64_t> values_;
  std::size_t at_ = 0;
};

/// Decimals in byte arrays.
class TextDecimals final : public NumberSource {
 public:
  TextDecimals(const NumberPage& page, const Leaf& leaf, const std::string& file)
      : conversion_(leaf),
        texts_(open_texts({.bytes = page.bytes,
                           .encoding = page.encoding,
                           .fixed = leaf.width,
                           .count = page.count,
                           .most_bytes = page.most_bytes},
                          file)) {}
  void read(double* out, std::size_t count) override {
    for (std::size_t i = 0; i < count; ++i) out[i] = from_big_endian(texts_->next());
    conversion_.apply(out, count);
  }

 private:
  Conversion conversion_;
  std::unique_ptr<TextSource> texts_;
};

class IndexedNumbers final : public NumberSource {
 public:
  IndexedNumbers(std::string_view bytes, const std::vector<double>& dictionary,
                 const std::string& file)
      : indices_(bytes.substr(1), static_cast<unsigned char>(bytes.front()), file),
        dictionary_(dictionary),
        file_(file) {}
  void read(double* out, std::size_t count) override {
    std::array<std::uint32_t, kBlock> block;
    for (std::size_t done = 0; done < count; done += kBlock) {
      const std::size_t step = std::min(kBlock, count - done);
      indices_.read(block.data(), step);
      for (std::size_t i = 0; i < step; ++i) {
        if (block[i] >= dictionary_.size()) refuse_page(file_, "an index beyond the dictionary");
        out[done + i] = dictionary_[block[i]];
      }
    }
  }

 private:
  HybridReader indices_;
  const std::vector<double>& dictionary_;
  const std::string& file_;
};

}  // namespace

std::size_t plain_width(const Leaf& leaf) {
  switch (leaf.physical) {
    case Physical::int32:
    case Physical::float32:
      return 4;
    case Physical::int64:
    case Physical::float64:
      return 8;
    case Physical::int96:
      return kInt96;
    case Physical::fixed:
      return leaf.width;
    case Physical::boolean:
    case Physical::byte_array:
      break;
  }
  return 0;
}

std::unique_ptr<NumberSource> open_numbers(const NumberPage& page, const Leaf& leaf,
                                           const std::string& file) {
  const bool plain =
      page.encoding == Encoding::plain || page.encoding == Encoding::plain_dictionary;
  if (leaf.physical == Physical::boolean) {
    if (plain) return std::make_unique<PlainBooleans>(page.bytes, file);
    if (page.encoding == Encoding::rle && page.bytes.size() >= 4) {
      // The size stands first, as it does for levels.
      const auto size = load<std::uint32_t>(page.bytes.data());
      return std::make_unique<HybridBooleans>(page.bytes.substr(4, size), file);
    }
  }
  const std::size_t width = plain_width(leaf);
  const bool integer = leaf.physical == Physical::int32 || leaf.physical == Physical::int64;
  if (plain && width > 0) return std::make_unique<PlainNumbers>(page.bytes, leaf, file);
  if (page.encoding == Encoding::byte_stream_split && width > 0) {
    return std::make_unique<SplitNumbers>(page.bytes, leaf, file);
  }
  if (page.encoding == Encoding::delta_binary_packed && integer) {
    return std::make_unique<DeltaNumbers>(page, leaf, file);
  }
  if (leaf.meaning == Meaning::decimal && !integer) {
    return std::make_unique<TextDecimals>(page, leaf, file);
  }
  refuse_page(file, concat("numbers in encoding ", static_cast<int>(page.encoding)));
}

std::unique_ptr<NumberSource> open_indexed_numbers(std::string_view bytes,
                                                   const std::vector<double>& dictionary,
                                                   const std::string& file) {
  if (bytes.empty()) refuse_page(file, "a page ends too early");
  return std::make_unique<IndexedNumbers>(bytes, dictionary, file);
}

}  // namespace nw::io::parquet
