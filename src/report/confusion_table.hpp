// Private: which classes a classifier takes for which, as a table whose cells are shaded.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace nw::report {

/// counts[truth][taken], square, as many classes as names.
struct Confusion {
  std::vector<std::string> names;
  std::vector<std::vector<double>> counts;
};

/// What the fields `classes` and `confusion` of a record say; nothing where they are not there or
/// do not belong together. `extra` is the text of a JSON object.
[[nodiscard]] std::optional<Confusion> confusion_of(const std::string& extra);

void write_confusion(std::ostream& out, const Confusion& confusion);

}  // namespace nw::report
