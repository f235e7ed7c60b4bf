#include "io/recognise.hpp"

#include <algorithm>
#include <array>

#include "io/idx.hpp"
#include "io/npy.hpp"

namespace nw::io {

Format recognise(std::string_view first_bytes, std::string_view name) {
  using namespace std::string_view_literals;
  if (first_bytes.starts_with(kNpyMagic)) return Format::npy;
  if (first_bytes.starts_with("PK\x03\x04"sv) || first_bytes.starts_with("PK\x05\x06"sv)) {
    return Format::npz;
  }
  if (first_bytes.starts_with("\x89PNG\r\n\x1a\n"sv)) return Format::png;
  if (first_bytes.starts_with("\xff\xd8\xff"sv)) return Format::jpeg;
  if (first_bytes.size() >= 4 && first_bytes.starts_with("\0\0"sv) &&
      idx_element_type(static_cast<unsigned char>(first_bytes[2])) && first_bytes[3] > 0) {
    return Format::idx;
  }
  const std::string plain = plain_name(name);
  const auto named = [&](std::string_view suffix) { return plain.ends_with(suffix); };
  if (named(".npy")) return Format::npy;
  if (named(".npz")) return Format::npz;
  if (named(".png")) return Format::png;
  if (named(".jpg") || named(".jpeg")) return Format::jpeg;
  if (named(".idx") || named("-ubyte") || named(".idx1") || named(".idx3")) return Format::idx;
  return Format::csv;
}

bool is_gzip(const ByteSource& source) {
  std::array<char, 2> start{};
  return source.read_at(0, start.data(), start.size()) == start.size() && start[0] == '\x1f' &&
         start[1] == '\x8b';
}

std::unique_ptr<ByteStream> content_of(const ByteSource& source) {
  auto stream = whole(source);
  return is_gzip(source) ? inflate(std::move(stream), Compression::gzip) : std::move(stream);
}

std::string first_bytes_of(const ByteSource& source) {
  std::string start(16, '\0');
  start.resize(content_of(source)->read(start.data(), start.size()));
  return start;
}

std::string plain_name(std::string_view name) {
  std::string plain(name);
  std::ranges::transform(plain, plain.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (plain.ends_with(".gz")) plain.resize(plain.size() - 3);
  return plain;
}

}  // namespace nw::io
