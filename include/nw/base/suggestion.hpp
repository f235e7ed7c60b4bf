// What a user may have meant.
#pragma once

#include <string>
#include <vector>

namespace nw {

/// Smallest number of insertions, deletions, substitutions and swaps of neighbours that turn one
/// text into the other.
[[nodiscard]] std::size_t edit_distance(const std::string& from, const std::string& to);

/// " (did you mean 'x'?)" for the nearest of `known`, or nothing when none is near.
[[nodiscard]] std::string did_you_mean(const std::string& given,
                                       const std::vector<std::string>& known);

}  // namespace nw
