#include "io/recognise.hpp"

#include <algorithm>
#include <array>

#include "io/idx.hpp"
#include "io/npy.hpp"

namespace nw::io {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view without_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kBlanks), text.size()));
}

/// A message of Arrow's stream begins with a continuation mark and the size of its metadata.
bool is_arrow_stream(std::string_view bytes) {
  using namespace std::string_view_literals;
  return bytes.size() >= 16 && bytes.starts_with("\xff\xff\xff\xff"sv) && bytes[4] != '\0' &&
         bytes[7] == '\0' && bytes[8] != '\0';
}

/// JSON begins with a bracket and what may follow it; ARFF with @relation after comments.
Format format_of_text(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  text = without_blanks(text);
  while (text.starts_with('%')) {
    text = without_blanks(text.substr(std::min(text.find('\n'), text.size())));
  }
  constexpr std::string_view kRelation = "@relation";
  const std::string start = plain_name(text.substr(0, kRelation.size()));
  if (start == kRelation) return Format::arff;
  const char first = text.empty() ? '\0' : text.front();
  if (first != '{' && first != '[') return Format::csv;
  text = without_blanks(text.substr(1));
  const std::string_view follows = first == '{' ? "\"}" : "{[\"-0123456789]";
  const bool json = !text.empty() && follows.find(text.front()) != std::string_view::npos;
  return json ? Format::json : Format::csv;
}

}  // namespace

Format recognise(std::string_view first_bytes, std::string_view name) {
  using namespace std::string_view_literals;
  if (first_bytes.starts_with(kNpyMagic)) return Format::npy;
  if (is_zip(first_bytes)) return Format::npz;
  if (first_bytes.starts_with("PAR1"sv)) return Format::parquet;
  if (first_bytes.starts_with("ARROW1"sv) || is_arrow_stream(first_bytes)) return Format::arrow;
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
  if (named(".parquet")) return Format::parquet;
  if (named(".arrow") || named(".feather")) return Format::arrow;
  if (named(".xlsx")) return Format::xlsx;
  if (named(".json") || named(".jsonl") || named(".ndjson")) return Format::json;
  if (named(".arff")) return Format::arff;
  return format_of_text(first_bytes);
}

bool is_zip(std::string_view first_bytes) {
  using namespace std::string_view_literals;
  return first_bytes.starts_with("PK\x03\x04"sv) || first_bytes.starts_with("PK\x05\x06"sv);
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
  std::string start(kFirstBytes, '\0');
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
