// Private: config.json of a run directory.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace nw::run {

/// Writes config.json, which is what makes a folder a run directory: it is written last.
void write_config(const std::filesystem::path& folder, const std::string& config);

/// Whether the folder holds a run.
[[nodiscard]] bool has_config(const std::filesystem::path& folder);

/// Throws InvalidArgument with the first differences unless both configurations agree in every
/// field but those in `may_change`. Returns whether they differ there.
[[nodiscard]] bool require_same_config(const std::string& stored, const std::string& asked,
                                       const std::vector<std::string>& may_change);

/// Throws InvalidArgument unless `config` is the text of one JSON object; returns its normal form.
[[nodiscard]] std::string normal_config(const std::string& config);

}  // namespace nw::run
