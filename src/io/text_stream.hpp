// Private: text as UTF-8, whatever it was stored as.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/byte_stream.hpp"

namespace nw::io {

/// The bytes of another stream; UTF-16, which its first bytes give away, is turned into UTF-8.
class TextStream final : public ByteStream {
 public:
  /// `inner` outlives this stream.
  explicit TextStream(ByteStream& inner);

  std::size_t read(char* to, std::size_t count) override;
  [[nodiscard]] std::uint64_t remaining_at_most() const override;
  [[nodiscard]] bool packed() const noexcept override { return inner_.packed(); }
  [[nodiscard]] bool was_utf16() const noexcept { return encoding_ != Encoding::bytes; }

 private:
  enum class Encoding { bytes, utf16_little, utf16_big };

  /// Decodes more of the input into `ready_`.
  void decode_block();
  void append_code_unit(unsigned unit);

  ByteStream& inner_;
  Encoding encoding_ = Encoding::bytes;
  std::string ready_;      ///< decoded or peeked bytes that were not handed out yet
  std::size_t taken_ = 0;  ///< of `ready_`
  std::string raw_;        ///< undecoded bytes of UTF-16
  unsigned high_surrogate_ = 0;
  bool ended_ = false;
};

/// Whether the first bytes of an input are those of UTF-16 text: a byte order mark, or zeros at
/// every second place.
[[nodiscard]] bool starts_as_utf16(std::string_view first_bytes);

[[nodiscard]] bool is_utf8(std::string_view text);
/// Windows-1252, which contains Latin-1, as UTF-8.
[[nodiscard]] std::string from_latin1(std::string_view text);

}  // namespace nw::io
