#include "nw/data/data_folder.hpp"

#include <cstdlib>

#include "nw/base/error.hpp"

namespace nw::data {

namespace fs = std::filesystem;

fs::path default_data_folder(const std::string& name) {
  if (const char* own = std::getenv("NW_DATA"); own != nullptr && *own != '\0') {
    return fs::path(own) / name;
  }
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0') {
    return fs::path(cache) / "nw" / name;
  }
  const char* home = std::getenv("HOME");
  return fs::path(home != nullptr && *home != '\0' ? home : ".") / ".cache" / "nw" / name;
}

fs::path find_data_folder(const std::string& given, const std::string& name) {
  fs::path folder = given.empty() ? default_data_folder(name) : fs::path(given);
  // A folder that holds several sets has each in a folder of its own.
  if (!given.empty() && fs::is_directory(folder / name)) folder /= name;
  if (!fs::is_directory(folder)) {
    const bool obtainable = name == "mnist" || name == "cifar10";
    throw IoError(concat(folder.string(), ": there is no such folder; ",
                         obtainable ? concat("nw data ", name, " obtains the set, or ")
                                    : "this set must come from its owners: ",
                         "`data` FOLDER says where it is"));
  }
  return folder;
}

}  // namespace nw::data
