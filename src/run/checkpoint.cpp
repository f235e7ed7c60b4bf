// A checkpoint is a safetensors file whose metadata hold the state and a CRC-32 of the whole file,
// computed with eight zeros in the place of the checksum itself. Truncation, bit rot and blocks
// that a crash left empty all change it.
#include "nw/run/checkpoint.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include <nlohmann/json.hpp>
#include <zlib.h>

#include "nw/io/atomic_file.hpp"

#include "io/byte_source.hpp"
#include "io/failure.hpp"

namespace nw::run {
namespace {

using io::fail;
using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "nw-checkpoint-1";
constexpr std::string_view kPrefix = "step-", kSuffix = ".safetensors";
// The mark and what stands around it in the header occur nowhere else: quotes inside of names and
// metadata are escaped.
constexpr std::string_view kChecksumMark = "\"nw_crc32\":\"";
constexpr std::string_view kNoChecksum = "00000000";

class Crc32 {
 public:
  void add(std::span<const std::byte> bytes) {
    // zlib counts in 32 bits.
    constexpr std::size_t kBlock = std::size_t{1} << 30;
    while (!bytes.empty()) {
      const auto now = bytes.first(std::min(bytes.size(), kBlock));
      value_ =
          crc32(value_, reinterpret_cast<const Bytef*>(now.data()), static_cast<uInt>(now.size()));
      bytes = bytes.subspan(now.size());
    }
  }
  void add(std::string_view text) { add(std::as_bytes(std::span(text))); }
  [[nodiscard]] std::string hex() const {
    char text[16];
    std::snprintf(text, sizeof text, "%08lx", value_);
    return text;
  }

 private:
  unsigned long value_ = crc32(0, nullptr, 0);
};

std::size_t checksum_place(std::string_view header) {
  const std::size_t mark = header.find(kChecksumMark);
  return mark == std::string_view::npos ? mark : mark + kChecksumMark.size();
}

std::string shortest(double value) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return std::string(text, end);
}

template <typename T>
T number_in(const io::TensorMetadata& metadata, const char* key, const std::string& file) {
  const auto found = metadata.find(key);
  if (found == metadata.end()) fail(file, "is not a checkpoint: its metadata have no ", key);
  T value{};
  const std::string& text = found->second;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    fail(file, "its ", key, " is ", io::shown(text), ", which is not a number");
  }
  return value;
}

/// The checksum in the header and the one of the bytes.
void require_checksum(std::string bytes, const std::string& stored, const std::string& file) {
  const std::size_t place = checksum_place(bytes);
  if (stored.size() != kNoChecksum.size() || place == std::string::npos ||
      std::string_view(bytes).substr(place, stored.size()) != stored) {
    fail(file, "its checksum ", io::shown(stored), " is not where it should be");
  }
  bytes.replace(place, kNoChecksum.size(), kNoChecksum);
  Crc32 sum;
  sum.add(bytes);
  if (sum.hex() != stored) {
    fail(file, "is damaged: its checksum is ", sum.hex(), " and should be ", stored);
  }
}

}  // namespace

const io::Tensor& Checkpoint::tensor(std::string_view name) const {
  const auto found = std::ranges::find_if(
      tensors, [&](const io::Tensor& candidate) { return candidate.name == name; });
  if (found == tensors.end()) {
    throw IoError(concat("the checkpoint of step ", step, " holds no tensor ", name));
  }
  return *found;
}

void write_checkpoint(const std::filesystem::path& file, const CheckpointContent& content) {
  require(Json::accept(content.state),
          "checkpoint: its state is not JSON: ", io::shown(content.state));
  const io::TensorMetadata metadata = {{"format", kFormat},
                                       {"nw_crc32", std::string(kNoChecksum)},
                                       {"step", std::to_string(content.step)},
                                       {"metrics_rows", std::to_string(content.metrics_rows)},
                                       {"seconds", shortest(content.seconds)},
                                       {"state", content.state}};
  std::string header = io::safetensors_header(content.tensors, metadata);
  const std::vector<io::TensorView> ordered = io::safetensors_order(content.tensors);
  Crc32 sum;
  sum.add(header);
  for (const io::TensorView& tensor : ordered) sum.add(tensor.bytes);
  header.replace(checksum_place(header), kNoChecksum.size(), sum.hex());
  io::write_file_atomically(file, [&](io::FileSink& sink) {
    sink.write(header);
    for (const io::TensorView& tensor : ordered) {
      sink.write({reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size()});
    }
  });
}

Checkpoint read_checkpoint(const std::filesystem::path& file) {
  const std::string name = file.string();
  std::string bytes = io::read_all(*io::open_file(file, std::uint64_t{4} << 30));
  io::TensorFile content = io::parse_safetensors(std::as_bytes(std::span(bytes)), name);
  const auto format = content.metadata.find("format");
  if (format == content.metadata.end() || format->second != kFormat) {
    fail(name, "is not a checkpoint of nw: its metadata do not say format ", kFormat);
  }
  require_checksum(std::move(bytes), content.metadata["nw_crc32"], name);
  return {.step = number_in<std::int64_t>(content.metadata, "step", name),
          .tensors = std::move(content.tensors),
          .state = content.metadata["state"],
          .metrics_rows = number_in<std::size_t>(content.metadata, "metrics_rows", name),
          .seconds = number_in<double>(content.metadata, "seconds", name)};
}

std::string checkpoint_name(std::int64_t step) {
  require(step >= 0, "a checkpoint cannot be of step ", step);
  char digits[32];
  std::snprintf(digits, sizeof digits, "%012lld", static_cast<long long>(step));
  return concat(kPrefix, digits, kSuffix);
}

std::vector<CheckpointFile> list_checkpoints(const std::filesystem::path& folder) {
  std::vector<CheckpointFile> found;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(folder, missing)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) continue;
    const char* const begin = name.data() + kPrefix.size();
    const char* const end = name.data() + name.size() - kSuffix.size();
    std::int64_t step = -1;
    const auto [stop, error] = std::from_chars(begin, end, step);
    if (error == std::errc{} && stop == end && step >= 0) found.push_back({entry.path(), step});
  }
  std::ranges::sort(found, std::ranges::greater{}, &CheckpointFile::step);
  return found;
}

CheckpointChoice read_newest_checkpoint(const std::filesystem::path& folder,
                                        std::optional<std::int64_t> before_step) {
  CheckpointChoice choice;
  for (const CheckpointFile& candidate : list_checkpoints(folder)) {
    if (before_step && candidate.step >= *before_step) continue;
    try {
      choice.checkpoint = read_checkpoint(candidate.path);
      for (std::string& warning : choice.warnings) {
        warning += concat("; the checkpoint of step ", candidate.step, " is used instead");
      }
      return choice;
    } catch (const IoError& error) {
      choice.unreadable.push_back(candidate.path);
      choice.warnings.emplace_back(error.what());
    }
  }
  if (!choice.unreadable.empty()) {
    fail(folder.string(), "none of ", choice.unreadable.size(),
         " checkpoints can be read; the newest is ", choice.warnings.front());
  }
  return choice;
}

}  // namespace nw::run
