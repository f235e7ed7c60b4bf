#include "app/adaptation/lost_classes.hpp"

#include <algorithm>

#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"

namespace nw::app {
namespace {

// Below this part of what the plain classifier finds, and of an equal share, a class counts as
// lost.
constexpr double kVanished = 0.3, kRare = 1.0 / 3.0;
// What is missing must be more than a few rows, and more than a speck of the target.
constexpr double kFewestRows = 10.0, kLeastShare = 0.02;

}  // namespace

std::vector<LostClass> lost_classes(const CountedShares& plain, const std::vector<double>& named,
                                    std::size_t rows) {
  const std::size_t k = plain.named.size();
  require(plain.estimated.size() == k && plain.confused.size() == k && named.size() == k,
          "lost_classes: shares of ", k, ", ", plain.estimated.size(), ", ", plain.confused.size(),
          " and ", named.size(), " classes");
  std::vector<LostClass> lost;
  for (std::size_t j = 0; j < k; ++j) {
    const double now = named[j],
                 before = std::min({plain.named[j], plain.estimated[j], plain.confused[j]});
    const double missing = before - now;
    const bool vanished = now < kVanished * before && now * static_cast<double>(k) < kRare;
    if (vanished && missing > kLeastShare && missing * static_cast<double>(rows) > kFewestRows) {
      lost.push_back({.index = j, .share = now, .unadapted = before});
    }
  }
  return lost;
}

std::string describe(const std::vector<LostClass>& lost, const std::vector<std::string>& names) {
  std::string text;
  for (const auto& one : lost) {
    text += concat(text.empty() ? "" : " ", "Class ", names[one.index],
                   " has almost vanished: ", percent(one.share, 2), " of the rows now, at least ",
                   percent(one.unadapted, 2), " by the classifier without adaptation.");
  }
  return text;
}

}  // namespace nw::app
