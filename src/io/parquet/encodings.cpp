#include "io/parquet/encodings.hpp"

#include <algorithm>
#include <utility>

#include "io/failure.hpp"

namespace nw::io::parquet {
namespace {

constexpr std::string_view kTooShort = "a page ends too early";

std::uint64_t take_varint(std::string_view& bytes, const std::string& file) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (bytes.empty()) refuse_page(file, kTooShort);
    const auto part = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= static_cast<std::uint64_t>(part & 0x7f) << shift;
    if (part < 0x80) return value;
  }
  refuse_page(file, "a number of more than ten bytes");
}

std::int64_t zigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

/// Up to eight bytes at `at`, zeros behind the end.
std::uint64_t load_some(std::string_view bytes, std::size_t at) {
  if (at + 8 <= bytes.size()) return load<std::uint64_t>(bytes.data() + at);
  std::uint64_t value = 0;
  if (at < bytes.size()) std::memcpy(&value, bytes.data() + at, bytes.size() - at);
  return value;
}

/// `width` <= 64 bits at bit `bit`.
std::uint64_t bits_at(std::string_view bytes, std::size_t bit, unsigned width) {
  if (width == 0) return 0;
  const unsigned shift = static_cast<unsigned>(bit % 8);
  std::uint64_t value = load_some(bytes, bit / 8) >> shift;
  if (shift + width > 64) value |= load_some(bytes, bit / 8 + 8) << (64 - shift);
  return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

class PlainTexts final : public TextSource {
 public:
  PlainTexts(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}
  std::string_view next() override {
    if (bytes_.size() < 4) refuse_page(file_, kTooShort);
    const auto size = load<std::uint32_t>(bytes_.data());
    bytes_.remove_prefix(4);
    if (size > bytes_.size()) refuse_page(file_, kTooShort);
    const std::string_view text = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return text;
  }

 private:
  std::string_view bytes_;
  const std::string& file_;
};

class FixedTexts final : public TextSource {
 public:
  FixedTexts(std::string_view bytes, std::size_t width, const std::string& file)
      : bytes_(bytes), width_(width), file_(file) {}
  std::string_view next() override {
    if (bytes_.size() < width_) refuse_page(file_, kTooShort);
    const std::string_view text = bytes_.substr(0, width_);
    bytes_.remove_prefix(width_);
    return text;
  }

 private:
  std::string_view bytes_;
  std::size_t width_;
  const std::string& file_;
};

/// DELTA_LENGTH_BYTE_ARRAY: all lengths, then all texts.
class LengthTexts final : public TextSource {
 public:
  LengthTexts(std::string_view bytes, std::size_t count, const std::string& file)
      : bytes_(bytes), lengths_(read_deltas(bytes_, count, file)), file_(file) {}
  std::string_view next() override {
    if (at_ == lengths_.size()) refuse_page(file_, kTooShort);
    const std::int64_t length = lengths_[at_++];
    if (length < 0 || static_cast<std::uint64_t>(length) > bytes_.size()) {
      refuse_page(file_, kTooShort);
    }
    const std::string_view text = bytes_.substr(0, static_cast<std::size_t>(length));
    bytes_.remove_prefix(text.size());
    return text;
  }

 private:
  std::string_view bytes_;
  std::vector<std::int64_t> lengths_;
  const std::string& file_;
  std::size_t at_ = 0;
};

/// DELTA_BYTE_ARRAY: how much each text shares with the one before, then the rests.
class PrefixTexts final : public TextSource {
 public:
  PrefixTexts(const TextPage& page, const std::string& file)
      : bytes_(page.bytes),
        prefixes_(read_deltas(bytes_, page.count, file)),
        rests_(bytes_, page.count, file),
        budget_(page.most_bytes),
        file_(file) {}
  std::string_view next() override {
    if (at_ == prefixes_.size()) refuse_page(file_, kTooShort);
    const std::int64_t prefix = prefixes_[at_++];
    if (prefix < 0 || static_cast<std::uint64_t>(prefix) > text_.size()) {
      refuse_page(file_, "a text shares more than the text before it has");
    }
    text_.resize(static_cast<std::size_t>(prefix));
    text_ += rests_.next();
    if (text_.size() > budget_) refuse_page(file_, "its texts are too long");
    budget_ -= text_.size();
    return text_;
  }

 private:
  std::string_view bytes_;
  std::vector<std::int64_t> prefixes_;
  LengthTexts rests_;
  std::uint64_t budget_;
  const std::string& file_;
  std::string text_;
  std::size_t at_ = 0;
};

}  // namespace

void refuse_page(const std::string& file, std::string_view what) {
  fail(file, "damaged Parquet data: ", what, "; fetch or write the file again");
}

HybridReader::HybridReader(std::string_view bytes, unsigned width, const std::string& file)
    : bytes_(bytes), width_(width), file_(file) {
  if (width > 32) refuse_page(file, "values of more than 32 bits");
}

void HybridReader::next_run() {
  const std::uint64_t header = take_varint(bytes_, file_);
  const std::uint64_t count = header >> 1;
  packed_ = (header & 1) != 0;
  if (packed_) {
    // Eight values of `width` bits take `width` bytes; the last group may be cut off.
    if (width_ > 0 && count > bytes_.size() / width_ + 1) refuse_page(file_, kTooShort);
    const std::size_t size = std::min<std::size_t>(count * width_, bytes_.size());
    packed_run_ = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    bit_ = 0;
    run_ = width_ == 0 ? count : std::min<std::size_t>(count * 8, size * 8 / width_);
  } else {
    const std::size_t size = (width_ + 7) / 8;
    if (bytes_.size() < size) refuse_page(file_, kTooShort);
    value_ = static_cast<std::uint32_t>(bits_at(bytes_.substr(0, size), 0, width_));
    bytes_.remove_prefix(size);
    run_ = count;
  }
  if (run_ == 0 && bytes_.empty()) refuse_page(file_, kTooShort);
}

void HybridReader::unpack(std::uint32_t* out, std::size_t count) {
  const std::uint64_t mask = (std::uint64_t{1} << width_) - 1;
  std::size_t i = 0;
  // While eight bytes are there to load, no value needs to look where the run ends.
  for (; i < count && bit_ / 8 + 8 <= packed_run_.size(); ++i, bit_ += width_) {
    const auto word = load<std::uint64_t>(packed_run_.data() + bit_ / 8);
    out[i] = static_cast<std::uint32_t>(word >> (bit_ % 8) & mask);
  }
  for (; i < count; ++i, bit_ += width_) {
    out[i] = static_cast<std::uint32_t>(bits_at(packed_run_, bit_, width_));
  }
}

void HybridReader::read(std::uint32_t* out, std::size_t count) {
  while (count > 0) {
    if (run_ == 0) {
      next_run();
      continue;
    }
    const std::size_t step = std::min(run_, count);
    if (packed_) {
      unpack(out, step);
    } else {
      std::fill_n(out, step, value_);
    }
    out += step;
    count -= step;
    run_ -= step;
  }
}

std::vector<std::int64_t> read_deltas(std::string_view& bytes, std::size_t most,
                                      const std::string& file) {
  const std::uint64_t block = take_varint(bytes, file);
  const std::uint64_t minis = take_varint(bytes, file);
  const std::uint64_t total = take_varint(bytes, file);
  std::int64_t value = zigzag(take_varint(bytes, file));
  if (minis == 0 || minis > 1024 || block == 0 || block > (1 << 24) || block % minis != 0 ||
      block / minis % 8 != 0) {
    refuse_page(file, "blocks of deltas of an impossible size");
  }
  if (total > most) refuse_page(file, "more values than the page has");
  const std::size_t per_mini = static_cast<std::size_t>(block / minis);
  std::vector<std::int64_t> values;
  values.reserve(static_cast<std::size_t>(total));
  if (total > 0) values.push_back(value);
  while (values.size() < total) {
    const std::int64_t least = zigzag(take_varint(bytes, file));
    if (bytes.size() < minis) refuse_page(file, kTooShort);
    const std::string_view widths = bytes.substr(0, static_cast<std::size_t>(minis));
    bytes.remove_prefix(widths.size());
    for (const char width_byte : widths) {
      if (values.size() == total) break;  // what follows the last value may be left away
      const auto width = static_cast<unsigned char>(width_byte);
      if (width > 64) refuse_page(file, "deltas of more than 64 bits");
      const std::size_t size = per_mini / 8 * width;
      const std::size_t count = std::min<std::size_t>(per_mini, total - values.size());
      if (bytes.size() < (count * width + 7) / 8) refuse_page(file, kTooShort);
      for (std::size_t i = 0; i < count; ++i) {
        // Deltas wrap around, as the format has it.
        const std::uint64_t delta = bits_at(bytes, i * width, width);
        value = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) +
                                          static_cast<std::uint64_t>(least) + delta);
        values.push_back(value);
      }
      bytes.remove_prefix(std::min(size, bytes.size()));
    }
  }
  return values;
}

std::unique_ptr<TextSource> open_texts(const TextPage& page, const std::string& file) {
  switch (page.encoding) {
    case Encoding::plain:
    case Encoding::plain_dictionary:
      if (page.fixed != 0) return std::make_unique<FixedTexts>(page.bytes, page.fixed, file);
      return std::make_unique<PlainTexts>(page.bytes, file);
    case Encoding::delta_length_byte_array:
      return std::make_unique<LengthTexts>(page.bytes, page.count, file);
    case Encoding::delta_byte_array:
      return std::make_unique<PrefixTexts>(page, file);
    default:
      refuse_page(file, "texts in an encoding that is not for texts");
  }
}

}  // namespace nw::io::parquet
