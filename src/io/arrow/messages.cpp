#include "io/arrow/messages.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "io/failure.hpp"

namespace nw::io::arrow {
namespace {

constexpr std::string_view kMagic = "ARROW1";
constexpr std::uint32_t kContinuation = 0xffffffff;
constexpr std::uint64_t kMostMetadata = std::uint64_t{256} << 20;

class MessageReader {
 public:
  MessageReader(const ByteSource& source, const LoadOptions& options)
      : source_(source), options_(options), file_(source.name()) {}

  Messages read() {
    find_range();
    while (next()) {
    }
    if (messages_.fields.empty()) fail(file_, "holds no Arrow schema");
    return std::move(messages_);
  }

 private:
  template <typename Value>
  Value load(std::uint64_t at) const {
    Value value{};
    if (source_.read_at(at, reinterpret_cast<char*>(&value), sizeof value) != sizeof value) {
      refuse_metadata(file_, "the file ends too early");
    }
    return value;
  }

  std::string read_metadata(std::uint64_t at, std::uint32_t size) const {
    std::string bytes(size, '\0');
    if (source_.read_at(at, bytes.data(), bytes.size()) != bytes.size()) {
      fail(file_, "shrank while being read");
    }
    return bytes;
  }

  /// A file is a stream between two marks, with a footer that repeats where everything lies.
  void find_range() {
    end_ = source_.size();
    std::string start(kMagic.size(), '\0');
    source_.read_at(0, start.data(), start.size());
    messages_.is_stream = start != kMagic;
    if (messages_.is_stream) return;
    const std::uint64_t tail = kMagic.size() + 4;
    std::string end(kMagic.size(), '\0');
    if (end_ < 8 + tail ||
        source_.read_at(end_ - kMagic.size(), end.data(), end.size()) != end.size() ||
        end != kMagic) {
      fail(file_, "is an Arrow file without its end; it is truncated, fetch or write it again");
    }
    const auto footer = load<std::uint32_t>(end_ - tail);
    if (footer > end_ - 8 - tail) refuse_metadata(file_, "a footer larger than the file");
    end_ -= tail + footer;
    at_ = 8;
    // Some writers give the schema here alone.
    const std::string bytes = read_metadata(end_, footer);
    messages_.fields = read_schema(FlatTable(bytes, file_).table(1), file_);
  }

  /// False at the end of the stream.
  bool next() {
    if (end_ - at_ < 4) return ended();
    auto size = load<std::uint32_t>(at_);
    at_ += 4;
    if (size == kContinuation) {  // files before version 0.15 have the size alone
      if (end_ - at_ < 4) refuse_metadata(file_, "the file ends too early");
      size = load<std::uint32_t>(at_);
      at_ += 4;
    }
    if (size == 0) return false;
    if (size > kMostMetadata || size > end_ - at_) {
      refuse_metadata(file_, "a message longer than the file");
    }
    const std::string bytes = read_metadata(at_, size);
    at_ += size;
    take(FlatTable(bytes, file_));
    return true;
  }

  /// A stream may end without its mark, a message may not.
  bool ended() const {
    if (at_ != end_) refuse_metadata(file_, "the file ends too early");
    return false;
  }

  void take(const FlatTable& message) {
    enum : std::uint8_t { schema = 1, dictionary = 2, record = 3 };
    const auto kind = message.scalar<std::uint8_t>(1, 0);
    const FlatTable header = message.table(2);
    const auto body = message.scalar<std::int64_t>(3, 0);
    if (!header.there()) refuse_metadata(file_, "a message without content");
    if (body < 0 || static_cast<std::uint64_t>(body) > end_ - at_) {
      refuse_metadata(file_, "a message longer than the file");
    }
    const auto bytes = static_cast<std::uint64_t>(body);
    if (kind == schema) {
      if (messages_.fields.empty()) messages_.fields = read_schema(header, file_);
    } else if (kind == dictionary) {
      messages_.dictionaries.push_back({.id = header.scalar<std::int64_t>(0, 0),
                                        .adds = header.scalar<std::uint8_t>(2, 0) != 0,
                                        .batch = read_batch(header.table(1), bytes),
                                        .before = messages_.batches.size()});
    } else if (kind == record) {
      messages_.batches.push_back(read_batch(header, bytes));
    } else {
      refuse_metadata(file_, concat("a message of kind ", int{kind}));
    }
    at_ += bytes;
  }

  std::size_t size_from(std::int64_t value) const {
    // A length that no table within the limit can have.
    if (value < 0 || static_cast<std::uint64_t>(value) > options_.max_unpacked_bytes) {
      refuse_metadata(file_, concat("a length of ", value));
    }
    return static_cast<std::size_t>(value);
  }

  Batch read_batch(const FlatTable& table, std::uint64_t body) const {
    Batch batch;
    if (!table.there()) refuse_metadata(file_, "a batch without content");
    batch.rows = size_from(table.scalar<std::int64_t>(0, 0));
    const FlatVector nodes = table.vector(1, 16), buffers = table.vector(2, 16);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      batch.lengths.push_back(size_from(nodes.scalar<std::int64_t>(i)));
    }
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      const auto offset = buffers.scalar<std::int64_t>(i);
      const auto bytes = buffers.scalar<std::int64_t>(i, 8);
      if (offset < 0 || bytes < 0 || static_cast<std::uint64_t>(offset) > body ||
          static_cast<std::uint64_t>(bytes) > body - static_cast<std::uint64_t>(offset)) {
        refuse_metadata(file_, "a buffer outside of its message");
      }
      batch.buffers.push_back(
          {at_ + static_cast<std::uint64_t>(offset), static_cast<std::uint64_t>(bytes)});
    }
    if (const FlatTable compression = table.table(3); compression.there()) {
      const auto codec = compression.scalar<std::int8_t>(0, 0);
      if (codec != 0 && codec != 1) {
        fail(file_, "is packed by Arrow's codec ", int{codec}, "; save it with lz4 or zstd");
      }
      batch.packing = codec == 0 ? Packing::lz4 : Packing::zstd;
    }
    const FlatVector views = table.vector(4, 8);
    for (std::size_t i = 0; i < views.size(); ++i) {
      batch.views.push_back(size_from(views.scalar<std::int64_t>(i)));
    }
    return batch;
  }

  const ByteSource& source_;
  const LoadOptions& options_;
  std::string file_;
  std::uint64_t at_ = 0, end_ = 0;
  Messages messages_;
};

}  // namespace

Messages read_messages(const ByteSource& source, const LoadOptions& options) {
  return MessageReader(source, options).read();
}

}  // namespace nw::io::arrow
