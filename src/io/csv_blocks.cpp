#include "io/csv_blocks.hpp"

#include <algorithm>
#include <cstring>

#include "io/failure.hpp"

namespace nw::io {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{2} << 20;
constexpr std::size_t kPieceBytes = std::size_t{256} << 10;
constexpr std::size_t kLongestRecord = std::size_t{64} << 20;

}  // namespace

std::vector<std::string_view> pieces_of(std::string_view records) {
  std::vector<std::string_view> pieces;
  std::size_t begin = 0;
  if (records.find('"') == std::string_view::npos) {
    for (std::size_t at = kPieceBytes; at < records.size(); at += kPieceBytes) {
      at = records.find('\n', at);
      if (at == std::string_view::npos) break;
      pieces.push_back(records.substr(begin, ++at - begin));
      begin = at;
    }
  }
  if (begin < records.size()) pieces.push_back(records.substr(begin));
  return pieces;
}

RecordBlocks::RecordBlocks(ByteStream& stream, const LoadOptions& options)
    : stream_(stream), options_(options), file_bytes_(stream.remaining_at_most()) {
  buffer_.resize(static_cast<std::size_t>(
      std::min<std::uint64_t>(kBlockBytes, std::max<std::uint64_t>(file_bytes_, 1) + 1)));
}

std::string_view RecordBlocks::start() {
  for (;;) {
    fill();
    if (filled_ == 0) fail(stream_.name(), "is empty; give a table with one point per line");
    require_text({buffer_.data(), filled_}, stream_.name());
    before_ = preamble({buffer_.data(), filled_});
    const std::string_view text = std::string_view(buffer_.data(), filled_).substr(before_.bytes);
    const std::size_t first = first_record(text);
    const bool two_records = first < text.size() && whole_records(text) > first;
    if (ended_ || two_records) {
      consumed_ = before_.bytes;
      lines_before = before_.lines;
      return text;
    }
    grow();
  }
}

void RecordBlocks::skip(const Extent& header) {
  consumed_ += header.bytes;
  lines_before += header.lines;
}

std::optional<std::string_view> RecordBlocks::next() {
  for (;;) {
    std::string_view text = pending();
    if (!ended_) text = text.substr(0, whole_records(text));
    if (!text.empty()) {
      consumed_ += text.size();
      return text;
    }
    if (ended_) return {};
    if (filled_ - consumed_ == buffer_.size()) grow();
    keep_from(consumed_);
    fill();
  }
}

std::optional<double> RecordBlocks::share_read() const {
  if (stream_.packed() || file_bytes_ == 0) return {};
  const auto handed_out = static_cast<double>(stream_.position() - (filled_ - consumed_));
  return std::min(1.0, handed_out / static_cast<double>(file_bytes_));
}

std::string_view RecordBlocks::pending() const {
  return std::string_view(buffer_.data(), filled_).substr(consumed_);
}

void RecordBlocks::fill() {
  filled_ += stream_.read(buffer_.data() + filled_, buffer_.size() - filled_);
  ended_ = filled_ < buffer_.size();
  if (stream_.packed() && stream_.position() > options_.max_unpacked_bytes) {
    fail(stream_.name(), "unpacks to more than ", options_.max_unpacked_bytes,
         " bytes; unpack it to a file first, or raise the limit");
  }
}

void RecordBlocks::grow() {
  if (buffer_.size() >= kLongestRecord) {
    fail(stream_.name(), "line ", lines_before + 1, " does not end within ", kLongestRecord,
         " bytes; close an open quote, or check that this is a table");
  }
  keep_from(consumed_);
  buffer_.resize(buffer_.size() * 2);
}

void RecordBlocks::keep_from(std::size_t begin) {
  std::memmove(buffer_.data(), buffer_.data() + begin, filled_ - begin);
  filled_ -= begin;
  consumed_ = 0;
}

}  // namespace nw::io
