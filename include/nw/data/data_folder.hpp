// Where data sets are kept and found.
#pragma once

#include <filesystem>
#include <string>

namespace nw::data {

/// NAME in $NW_DATA, else in the user's cache: where `nw data NAME` writes by default.
[[nodiscard]] std::filesystem::path default_data_folder(const std::string& name);

/// The folder of a data set that an experiment needs: `given`/NAME where there is such a folder,
/// `given` itself otherwise, and default_data_folder(name) when nothing was given. Throws IoError
/// that tells how to obtain the set when the folder does not exist.
[[nodiscard]] std::filesystem::path find_data_folder(const std::string& given,
                                                     const std::string& name);

}  // namespace nw::data
