#include "io/text_stream.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace nw::io {
namespace {

constexpr std::string_view kLittleMark("\xff\xfe", 2), kBigMark("\xfe\xff", 2);
constexpr std::size_t kPeeked = 64;
constexpr unsigned kReplacement = 0xfffd;

void append_utf8(std::string& text, unsigned code) {
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xc0 | (code >> 6));
    text += static_cast<char>(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    text += static_cast<char>(0xe0 | (code >> 12));
    text += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
    text += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    text += static_cast<char>(0xf0 | (code >> 18));
    text += static_cast<char>(0x80 | ((code >> 12) & 0x3f));
    text += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
    text += static_cast<char>(0x80 | (code & 0x3f));
  }
}

/// Every second byte from `first` is zero and the others are not: ASCII as UTF-16.
bool zeros_at(std::string_view bytes, std::size_t first) {
  if (bytes.size() < 4) return false;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    if (bytes[i + first] != '\0' || bytes[i + 1 - first] == '\0') return false;
  }
  return true;
}

// Windows-1252 from 0x80 to 0x9f; 0 where it has nothing, as Latin-1 then has a control character.
constexpr std::array<unsigned, 32> kWindows1252 = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

}  // namespace

bool starts_as_utf16(std::string_view bytes) {
  return bytes.starts_with(kLittleMark) || bytes.starts_with(kBigMark) || zeros_at(bytes, 0) ||
         zeros_at(bytes, 1);
}

TextStream::TextStream(ByteStream& inner) : ByteStream(inner.name()), inner_(inner) {
  ready_.resize(kPeeked);
  ready_.resize(inner_.read(ready_.data(), kPeeked));
  ended_ = ready_.size() < kPeeked;
  if (!starts_as_utf16(ready_)) return;
  const bool marked = ready_.starts_with(kLittleMark) || ready_.starts_with(kBigMark);
  const bool little = marked ? ready_.starts_with(kLittleMark) : zeros_at(ready_, 1);
  encoding_ = little ? Encoding::utf16_little : Encoding::utf16_big;
  raw_ = ready_.substr(marked ? 2 : 0);
  ready_.clear();
}

std::size_t TextStream::read(char* to, std::size_t count) {
  std::size_t done = 0;
  while (done < count) {
    if (taken_ == ready_.size()) {
      if (encoding_ == Encoding::bytes) {
        if (!ended_) done += inner_.read(to + done, count - done);
        break;
      }
      if (ended_ && raw_.size() < 2) break;
      decode_block();
      continue;
    }
    const std::size_t step = std::min(count - done, ready_.size() - taken_);
    std::memcpy(to + done, ready_.data() + taken_, step);
    taken_ += step;
    done += step;
  }
  position_ += done;
  return done;
}

std::uint64_t TextStream::remaining_at_most() const {
  const std::uint64_t here = ready_.size() - taken_;
  if (encoding_ == Encoding::bytes) return here + inner_.remaining_at_most();
  // Two bytes of UTF-16 become three of UTF-8 at most.
  return here + (raw_.size() + inner_.remaining_at_most()) / 2 * 3 + 3;
}

void TextStream::decode_block() {
  ready_.clear();
  taken_ = 0;
  if (!ended_) {
    constexpr std::size_t kBlock = 1 << 16;
    const std::size_t before = raw_.size();
    raw_.resize(before + kBlock);
    const std::size_t got = inner_.read(raw_.data() + before, kBlock);
    ended_ = got < kBlock;
    raw_.resize(before + got);
  }
  const bool little = encoding_ == Encoding::utf16_little;
  std::size_t i = 0;
  for (; i + 1 < raw_.size(); i += 2) {
    const auto first = static_cast<unsigned char>(raw_[i]);
    const auto second = static_cast<unsigned char>(raw_[i + 1]);
    append_code_unit(little ? first | second << 8 : second | first << 8);
  }
  raw_.erase(0, i);
}

void TextStream::append_code_unit(unsigned unit) {
  const bool high = unit >= 0xd800 && unit < 0xdc00, low = unit >= 0xdc00 && unit < 0xe000;
  if (high_surrogate_ != 0) {
    const unsigned pair = 0x10000 + ((high_surrogate_ - 0xd800) << 10) + (unit - 0xdc00);
    append_utf8(ready_, low ? pair : kReplacement);
    high_surrogate_ = 0;
    if (low) return;
  }
  if (high) {
    high_surrogate_ = unit;
  } else {
    append_utf8(ready_, low ? kReplacement : unit);
  }
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t more = byte < 0x80             ? 0
                             : (byte & 0xe0) == 0xc0 ? 1
                             : (byte & 0xf0) == 0xe0 ? 2
                             : (byte & 0xf8) == 0xf0 ? 3
                                                     : 4;
    if (more == 4 || byte == 0xc0 || byte == 0xc1 || byte > 0xf4 || i + more >= text.size())
      return false;
    for (std::size_t k = 1; k <= more; ++k) {
      if ((static_cast<unsigned char>(text[i + k]) & 0xc0) != 0x80) return false;
    }
    i += more + 1;
  }
  return true;
}

std::string from_latin1(std::string_view text) {
  std::string converted;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool special = byte >= 0x80 && byte < 0xa0 && kWindows1252[byte - 0x80u] != 0;
    append_utf8(converted, special ? kWindows1252[byte - 0x80u] : byte);
  }
  return converted;
}

}  // namespace nw::io
