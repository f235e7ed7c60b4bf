#include "io/json_file.hpp"

#include <nlohmann/json.hpp>

#include "nw/io/atomic_file.hpp"
#include "nw/io/points.hpp"

#include "io/byte_source.hpp"
#include "io/failure.hpp"

namespace nw::io {
namespace {

template <typename Json>
void write_any_json(const std::filesystem::path& path, const Json& value) {
  // Bytes that are not UTF-8, as file names may hold, become the replacement character.
  const std::string text = value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  write_file_atomically(path, text);
}

}  // namespace

void write_json(const std::filesystem::path& path, const nlohmann::ordered_json& value) {
  write_any_json(path, value);
}

void write_json(const std::filesystem::path& path, const nlohmann::json& value) {
  write_any_json(path, value);
}

nlohmann::json read_json(const std::filesystem::path& path) {
  const auto source = open_file(path, LoadOptions{}.max_unpacked_bytes);
  try {
    return nlohmann::json::parse(read_all(*source));
  } catch (const nlohmann::json::parse_error& error) {
    fail(path.string(), "is not JSON at byte ", error.byte, "; ", error.what());
  }
}

}  // namespace nw::io
