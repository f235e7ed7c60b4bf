// Private: whole files of models, in and out of memory.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

namespace nw::app {

/// Throws IoError.
[[nodiscard]] std::vector<std::byte> read_bytes(const std::filesystem::path& file);
/// The file appears complete or not at all. Throws IoError.
void write_bytes(const std::filesystem::path& file, std::span<const std::byte> bytes);

}  // namespace nw::app
