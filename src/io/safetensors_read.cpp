// Reads the safetensors format: eight bytes with the length of the header (little-endian), the
// header as a JSON object, then the data of all tensors without holes.
//
// Everything in the header is checked against the size of the file before memory is taken for any
// tensor, so that no file makes the reader allocate more than its own size.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "nw/io/safetensors.hpp"

#include "io/byte_source.hpp"
#include "io/failure.hpp"
#include "io/json_check.hpp"
#include "io/tensor_types.hpp"

namespace nw::io {
namespace {

// Sorted objects: those that keep their order take quadratic time for many keys.
using Json = nlohmann::json;

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::size_t kMaxDepth = 4;

/// One tensor as the header describes it, its data at [begin, end) after the header.
struct Entry {
  Tensor tensor;
  std::uint64_t begin = 0, end = 0;
};

std::uint64_t header_length(const ByteSource& source, const SafetensorsOptions& options) {
  const std::string& file = source.name();
  unsigned char raw[kLengthBytes];
  if (source.read_at(0, reinterpret_cast<char*>(raw), kLengthBytes) != kLengthBytes) {
    fail(file, "has ", source.size(), " bytes; a safetensors file starts with the 8 bytes of its ",
         "header's length");
  }
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < kLengthBytes; ++i) length |= std::uint64_t{raw[i]} << (8 * i);
  if (length > options.max_header_bytes) {
    fail(file, "byte 0: claims a header of ", length, " bytes; at most ", options.max_header_bytes,
         " are accepted. Is this a safetensors file?");
  }
  if (length > source.size() - kLengthBytes) {
    fail(file, "byte 0: claims a header of ", length, " bytes, and only ",
         source.size() - kLengthBytes, " follow; the file is truncated or not safetensors");
  }
  return length;
}

Json parse_header(const std::string& text, const std::string& file) {
  if (!text.starts_with('{')) {
    fail(file, "byte 8: the header starts with ", shown(text.substr(0, 8)), ", not with {");
  }
  JsonCheck check(file + ": the header", {.max_depth = kMaxDepth, .unique_keys = true});
  static_cast<void>(Json::sax_parse(text, &check));
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    fail(file, "the header is not JSON at byte ", kLengthBytes + error.byte - 1);
  } catch (const Json::exception& error) {  // such as a number beyond the range of double
    fail(file, "the header cannot be understood: ", error.what());
  }
}

TensorMetadata read_metadata(const Json& object, const std::string& file) {
  if (!object.is_object()) fail(file, kMetadataKey, " is not an object");
  TensorMetadata metadata;
  for (const auto& [key, value] : object.items()) {
    if (!value.is_string()) {
      fail(file, kMetadataKey, ".", key, ": expected text, found ", shown(value.dump()));
    }
    metadata.emplace(key, value.get<std::string>());
  }
  return metadata;
}

/// The entry of one tensor, with messages that name it.
class EntryReader {
 public:
  EntryReader(const std::string& name, const Json& object, const std::string& file)
      : name_(name), object_(object), file_(file) {}

  [[nodiscard]] Entry read(std::uint64_t data_bytes) const {
    if (!object_.is_object()) wrong("is not an object");
    Entry entry;
    entry.tensor.name = name_;
    entry.tensor.type = type();
    entry.tensor.shape = numbers("shape");
    const std::vector<std::uint64_t> offsets = numbers("data_offsets");
    if (offsets.size() != 2) wrong("data_offsets holds ", offsets.size(), " numbers, not 2");
    entry.begin = offsets[0];
    entry.end = offsets[1];
    if (entry.begin > entry.end || entry.end > data_bytes) {
      wrong("data_offsets are [", entry.begin, ", ", entry.end, "], and ", data_bytes,
            " bytes of data follow the header");
    }
    require_size(entry);
    return entry;
  }

 private:
  template <typename... Parts>
  [[noreturn]] void wrong(const Parts&... parts) const {
    fail(file_, "tensor ", shown(name_), ": ", parts...);
  }
  [[nodiscard]] const Json& field(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) wrong("has no ", key);
    return *found;
  }
  [[nodiscard]] TensorType type() const {
    const Json& value = field("dtype");
    for (const auto& entry : kTensorTypes) {
      if (value == entry.name) return entry.type;
    }
    wrong("dtype is ", shown(value.dump()), ", which is not known here");
  }
  [[nodiscard]] std::vector<std::uint64_t> numbers(const char* key) const {
    const Json& list = field(key);
    if (!list.is_array()) wrong(key, " is not a list");
    std::vector<std::uint64_t> result;
    for (const Json& value : list) {
      if (!value.is_number_unsigned()) wrong(key, " holds ", shown(value.dump()));
      result.push_back(value.get<std::uint64_t>());
    }
    return result;
  }
  void require_size(const Entry& entry) const {
    std::uint64_t bytes = bytes_per_element(entry.tensor.type);
    bool overflow = false;
    for (const std::uint64_t extent : entry.tensor.shape) {
      overflow = overflow || __builtin_mul_overflow(bytes, extent, &bytes);
    }
    if (overflow) wrong("its shape has more elements than can be addressed");
    if (bytes != entry.end - entry.begin) {
      wrong("its shape takes ", bytes, " bytes and its data_offsets span ",
            entry.end - entry.begin);
    }
  }

  const std::string& name_;
  const Json& object_;
  const std::string& file_;
};

void require_seamless(const std::vector<Entry>& entries, std::uint64_t data_bytes,
                      const std::string& file) {
  std::uint64_t covered = 0;
  for (const Entry& entry : entries) {
    if (entry.begin != covered) {
      fail(file, "tensor ", shown(entry.tensor.name), " begins at byte ", entry.begin,
           " of the data where ", covered,
           entry.begin < covered ? " would follow: tensors overlap"
                                 : " would follow: there is a hole");
    }
    covered = entry.end;
  }
  if (covered != data_bytes) {
    fail(file, data_bytes - covered, " bytes at the end belong to no tensor");
  }
}

TensorFile read_source(const ByteSource& source, const SafetensorsOptions& options) {
  options.validate();
  const std::string& file = source.name();
  std::string text(static_cast<std::size_t>(header_length(source, options)), '\0');
  if (source.read_at(kLengthBytes, text.data(), text.size()) != text.size()) {
    fail(file, "shrank while its header was being read");
  }
  const std::uint64_t data_begin = kLengthBytes + text.size();
  const std::uint64_t data_bytes = source.size() - data_begin;
  const Json header = parse_header(text, file);

  TensorFile result;
  std::vector<Entry> entries;
  for (const auto& [name, value] : header.items()) {
    if (name == kMetadataKey) {
      result.metadata = read_metadata(value, file);
    } else {
      entries.push_back(EntryReader(name, value, file).read(data_bytes));
    }
  }
  std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  require_seamless(entries, data_bytes, file);
  result.tensors.reserve(entries.size());
  for (Entry& entry : entries) {
    auto& bytes = entry.tensor.bytes;
    bytes.resize(static_cast<std::size_t>(entry.end - entry.begin));
    const std::size_t got = source.read_at(data_begin + entry.begin,
                                           reinterpret_cast<char*>(bytes.data()), bytes.size());
    if (got != bytes.size()) {
      fail(file, "shrank while tensor ", shown(entry.tensor.name), " was being read: ", got, " of ",
           bytes.size(), " bytes");
    }
    result.tensors.push_back(std::move(entry.tensor));
  }
  return result;
}

}  // namespace

void SafetensorsOptions::validate() const {
  require(max_header_bytes >= 2, "SafetensorsOptions.max_header_bytes must be at least 2, got ",
          max_header_bytes);
}

TensorFile read_safetensors(const std::filesystem::path& path, const SafetensorsOptions& options) {
  constexpr std::uint64_t kMaxPipeBytes = std::uint64_t{4} << 30;
  return read_source(*open_file(path, kMaxPipeBytes), options);
}

TensorFile parse_safetensors(std::span<const std::byte> bytes, std::string_view name,
                             const SafetensorsOptions& options) {
  return read_source(*view_memory(bytes, std::string(name)), options);
}

}  // namespace nw::io
