#include "nw/base/suggestion.hpp"

#include <algorithm>
#include <limits>

namespace nw {

std::size_t edit_distance(const std::string& from, const std::string& to) {
  // Optimal string alignment, three rows of its table at a time.
  std::vector<std::size_t> before, previous(to.size() + 1), current(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const bool same = from[i - 1] == to[j - 1];
      current[j] =
          std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (same ? 0u : 1u)});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
    }
    before = previous;
    std::swap(previous, current);
  }
  return previous[to.size()];
}

std::string did_you_mean(const std::string& given, const std::vector<std::string>& known) {
  std::size_t best = std::numeric_limits<std::size_t>::max();
  const std::string* nearest = nullptr;
  for (const std::string& candidate : known) {
    // An unfinished word is as good as a misspelt one.
    const bool unfinished = given.size() >= 3 && candidate.starts_with(given);
    const std::size_t distance = unfinished ? 1 : edit_distance(given, candidate);
    if (distance < best) {
      best = distance;
      nearest = &candidate;
    }
  }
  const std::size_t length = given.size() - std::min(given.size(), given.find_first_not_of('-'));
  if (nearest == nullptr || best > std::max<std::size_t>(1, length / 3)) return {};
  return " (did you mean '" + *nearest + "'?)";
}

}  // namespace nw
