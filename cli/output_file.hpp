// Files that commands write.
#pragma once

#include <string>

namespace nw::cli {

/// Throws IoError if a file could not be created at `path` ("-" and nothing are fine): called
/// before long work, so that a misspelt folder does not cost its result.
void require_writable(const std::string& path);

/// Writes text to a file, complete or not at all; "-" is standard output.
void write_text(const std::string& path, const std::string& text);

}  // namespace nw::cli
