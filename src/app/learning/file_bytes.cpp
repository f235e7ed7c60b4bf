#include "app/learning/file_bytes.hpp"

#include <fstream>
#include <iterator>
#include <string>

#include "nw/base/error.hpp"
#include "nw/io/atomic_file.hpp"

namespace nw::app {

std::vector<std::byte> read_bytes(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw IoError(concat(file.string(), ": cannot be opened for reading"));
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

void write_bytes(const std::filesystem::path& file, std::span<const std::byte> bytes) {
  io::write_file_atomically(
      file, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

}  // namespace nw::app
