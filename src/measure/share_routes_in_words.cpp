#include <algorithm>
#include <cmath>

#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"
#include "nw/measure/share_estimate.hpp"

namespace nw::measure {
namespace {

std::string listed(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    text += concat(i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ", parts[i]);
  }
  return text;
}

}  // namespace

std::string routes_in_words(const std::vector<ShareRoute>& routes,
                            const std::vector<std::string>& class_names) {
  if (routes.size() < 2 || routes[0].shares.share.empty()) return {};
  const std::vector<double>& answer = routes[0].shares.share;
  std::size_t most = 0;
  double apart = 0.0;
  for (std::size_t c = 0; c < answer.size(); ++c) {
    for (const ShareRoute& route : routes) {
      const double gap = std::abs(route.shares.share[c] - answer[c]);
      if (gap <= apart) continue;
      apart = gap;
      most = c;
    }
  }
  std::vector<std::string> others;
  for (std::size_t i = 1; i < routes.size(); ++i) {
    others.push_back(concat(percent(routes[i].shares.share[most]), " by ", routes[i].name));
  }
  const std::string name = most < class_names.size() ? class_names[most] : std::to_string(most + 1);
  return concat(
      "The shares of Y are those by ", routes[0].name,
      "; their intervals hold what other ways find, too. These are furthest apart on class ", name,
      ": ", percent(answer[most]), ", but ", listed(others), ".");
}

}  // namespace nw::measure
