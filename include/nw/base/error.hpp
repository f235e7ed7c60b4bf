// The exceptions of nw. Misuse and bad files throw; numerics report in their result structs.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace nw {

/// Base of everything nw throws on purpose.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An argument or option is out of range. The command line exits with 2.
class InvalidArgument : public Error {
 public:
  using Error::Error;
};

/// A file cannot be read or written, or its content is not what it should be. The message names
/// the file, the place in it and the offending value. The command line exits with 3.
class IoError : public Error {
 public:
  using Error::Error;
};

/// Joins `parts` as an output stream would.
template <typename... Parts>
[[nodiscard]] std::string concat(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return text.str();
}

/// Throws InvalidArgument built from `parts` unless `ok`. Pass scalars and literals: they are
/// always evaluated.
template <typename... Parts>
void require(bool ok, const Parts&... parts) {
  if (!ok) throw InvalidArgument(concat(parts...));
}

}  // namespace nw
