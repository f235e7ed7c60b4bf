#include <algorithm>
#include <limits>
#include <set>

#include <nlohmann/json.hpp>

#include "nw/io/atomic_file.hpp"
#include "nw/io/safetensors.hpp"

#include "io/tensor_types.hpp"

namespace nw::io {
namespace {

using Json = nlohmann::ordered_json;

void require_fitting_shape(const TensorView& tensor) {
  std::uint64_t bytes = bytes_per_element(tensor.type);
  bool overflow = false;
  for (const std::uint64_t extent : tensor.shape) {
    overflow = overflow || __builtin_mul_overflow(bytes, extent, &bytes);
  }
  require(!overflow && bytes == tensor.bytes.size(), "safetensors: tensor ", tensor.name,
          " has a shape of ", overflow ? std::numeric_limits<std::uint64_t>::max() : bytes,
          " bytes and ", tensor.bytes.size(), " bytes of data");
}

std::string dump(const Json& header) {
  try {
    return header.dump();
  } catch (const Json::type_error&) {
    throw InvalidArgument("safetensors: a name or the metadata are not valid UTF-8");
  }
}

}  // namespace

std::vector<TensorView> safetensors_order(std::span<const TensorView> tensors) {
  std::vector<TensorView> ordered(tensors.begin(), tensors.end());
  std::ranges::stable_sort(ordered, std::ranges::greater{},
                           [](const TensorView& tensor) { return bytes_per_element(tensor.type); });
  return ordered;
}

std::string safetensors_header(std::span<const TensorView> tensors,
                               const TensorMetadata& metadata) {
  // Pairs rather than an object: looking up a key of an ordered object walks over all of them.
  std::vector<std::pair<std::string, Json>> entries;
  if (!metadata.empty()) entries.emplace_back(kMetadataKey, Json(metadata));
  std::set<std::string_view> names;
  std::uint64_t begin = 0;
  const std::vector<TensorView> ordered = safetensors_order(tensors);
  for (const TensorView& tensor : ordered) {
    require(tensor.name != kMetadataKey, "safetensors: a tensor cannot be called ", kMetadataKey);
    require(names.insert(tensor.name).second, "safetensors: two tensors are called ", tensor.name);
    require_fitting_shape(tensor);
    const std::uint64_t end = begin + tensor.bytes.size();
    entries.emplace_back(tensor.name, Json{{"dtype", to_string(tensor.type)},
                                           {"shape", tensor.shape},
                                           {"data_offsets", {begin, end}}});
    begin = end;
  }
  std::string text = "{";
  for (const auto& [name, value] : entries) {
    text += (text.size() == 1 ? "" : ",") + dump(Json(name)) + ":" + dump(value);
  }
  text += "}";
  constexpr std::size_t kAlignment = 8;  // of the data that follow
  text.append((kAlignment - text.size() % kAlignment) % kAlignment, ' ');
  std::string header;
  for (int shift = 0; shift < 64; shift += 8) {
    header += static_cast<char>((static_cast<std::uint64_t>(text.size()) >> shift) & 255);
  }
  return header + text;
}

void write_safetensors(const std::filesystem::path& path, std::span<const TensorView> tensors,
                       const TensorMetadata& metadata) {
  const std::string header = safetensors_header(tensors, metadata);
  write_file_atomically(path, [&](FileSink& sink) {
    sink.write(header);
    for (const TensorView& tensor : safetensors_order(tensors)) {
      sink.write({reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size()});
    }
  });
}

}  // namespace nw::io
