#include "io/byte_stream.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <zlib.h>

#include "io/failure.hpp"

namespace nw::io {
namespace {

class SliceStream final : public ByteStream {
 public:
  SliceStream(const ByteSource& source, std::uint64_t begin, std::uint64_t end, std::string name)
      : ByteStream(std::move(name)), source_(source), begin_(begin), end_(end) {}

  std::size_t read(char* to, std::size_t count) override {
    const auto wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>(count, remaining_at_most()));
    const std::size_t got = source_.read_at(begin_ + position_, to, wanted);
    position_ += got;
    return got;
  }
  [[nodiscard]] std::uint64_t remaining_at_most() const override {
    return end_ - begin_ - position_;
  }

 private:
  const ByteSource& source_;
  std::uint64_t begin_, end_;
};

class InflateStream final : public ByteStream {
 public:
  InflateStream(std::unique_ptr<ByteStream> packed, Compression compression)
      : ByteStream(packed->name()), packed_(std::move(packed)), compression_(compression) {
    // zlib takes 16 + 15 for a gzip wrapper and -15 for none.
    const int window_bits = compression == Compression::gzip ? 31 : -15;
    if (inflateInit2(&state_, window_bits) != Z_OK) fail(name(), "cannot start decompression");
  }
  ~InflateStream() override { inflateEnd(&state_); }

  std::size_t read(char* to, std::size_t count) override {
    std::size_t done = 0;
    while (done < count && !finished_) {
      refill();
      constexpr std::size_t kLargestStep = std::size_t{1} << 30;
      const auto step = static_cast<uInt>(std::min(count - done, kLargestStep));
      state_.next_out = reinterpret_cast<Bytef*>(to + done);
      state_.avail_out = step;
      const int status = ::inflate(&state_, Z_NO_FLUSH);
      done += step - state_.avail_out;
      if (status == Z_STREAM_END) {
        end_of_member();
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        fail(name(), "corrupt compressed data near byte ", packed_->position() - state_.avail_in,
             state_.msg == nullptr ? "" : concat(" (", state_.msg, ")"),
             "; fetch or compress the file again");
      } else if (state_.avail_in == 0 && state_.avail_out != 0 && input_ended_) {
        fail(name(), "compressed data ends too early, after ", packed_->position(),
             " bytes; fetch the file again");
      }
    }
    position_ += done;
    return done;
  }

  [[nodiscard]] std::uint64_t remaining_at_most() const override {
    if (finished_) return 0;
    // Deflate cannot pack more than 1032 bytes into one; the slack is what its window may hold
    // back.
    constexpr std::uint64_t kBestRatio = 1032, kHeldBack = 1 << 16;
    return (packed_->remaining_at_most() + state_.avail_in) * kBestRatio + kHeldBack;
  }

  [[nodiscard]] bool packed() const noexcept override { return true; }

 private:
  void refill() {
    if (state_.avail_in != 0 || input_ended_) return;
    const std::size_t got = packed_->read(input_.data(), input_.size());
    input_ended_ = got < input_.size();
    state_.next_in = reinterpret_cast<Bytef*>(input_.data());
    state_.avail_in = static_cast<uInt>(got);
  }

  void end_of_member() {
    refill();
    if (state_.avail_in == 0) {
      finished_ = true;
    } else if (compression_ == Compression::gzip && *state_.next_in == 0x1f) {
      inflateReset(&state_);  // gzip files may be concatenated
    } else {
      fail(name(), "unexpected data after the compressed part, at byte ",
           packed_->position() - state_.avail_in);
    }
  }

  std::unique_ptr<ByteStream> packed_;
  Compression compression_;
  z_stream state_{};
  std::array<char, 1 << 16> input_{};
  bool input_ended_ = false, finished_ = false;
};

}  // namespace

void ByteStream::read_exactly(char* to, std::size_t count, const char* what) {
  const std::uint64_t before = position_;
  const std::size_t got = read(to, count);
  if (got == count) return;
  fail(name(), "truncated: ", what, " at byte ", before, " needs ", count, " bytes, ", got,
       " are left; fetch or write the file again");
}

void ByteStream::expect_end() {
  char extra = 0;
  if (read(&extra, 1) == 0) return;
  fail(name(), "goes on behind its data, at byte ", position() - 1,
       "; the header claims fewer values than the file holds");
}

std::unique_ptr<ByteStream> slice(const ByteSource& source, std::uint64_t begin, std::uint64_t end,
                                  std::string name) {
  return std::make_unique<SliceStream>(source, begin, end, std::move(name));
}

std::unique_ptr<ByteStream> whole(const ByteSource& source) {
  return slice(source, 0, source.size(), source.name());
}

std::unique_ptr<ByteStream> inflate(std::unique_ptr<ByteStream> packed, Compression compression) {
  return std::make_unique<InflateStream>(std::move(packed), compression);
}

}  // namespace nw::io
