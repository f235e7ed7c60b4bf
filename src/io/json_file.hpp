// JSON files. Needs nlohmann/json where the functions are called, not to read this header.
#pragma once

#include <filesystem>

#include <nlohmann/json_fwd.hpp>

namespace nw::io {

/// Writes `value` atomically, indented by two blanks, with a newline at the end. Numbers that are
/// not finite become null. Throws IoError.
void write_json(const std::filesystem::path& path, const nlohmann::ordered_json& value);
void write_json(const std::filesystem::path& path, const nlohmann::json& value);

/// Reads one JSON value. Throws IoError naming the file and the byte where it stops being JSON.
[[nodiscard]] nlohmann::json read_json(const std::filesystem::path& path);

}  // namespace nw::io
