#include "base/temporary_folder.hpp"

#include <cstdlib>
#include <string>
#include <system_error>

#include "nw/base/error.hpp"

namespace nw {

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "nw-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw IoError(concat(name, ": cannot make this folder"));
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace nw
