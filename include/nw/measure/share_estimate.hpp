// Shares of classes or components in one sample, with intervals.
#pragma once

#include <string>
#include <vector>

#include "nw/base/interval.hpp"

namespace nw::measure {

/// Shares of the classes in Y, found in one way.
struct ShareEstimate {
  std::vector<double> share;       ///< [k]
  std::vector<Interval> interval;  ///< [k]
};

/// One of several ways to the same shares.
struct ShareRoute {
  std::string name;  ///< likelihood, confusion, energy or transport
  ShareEstimate shares;
};

/// How far the other ways are from the first, in one sentence. Classes without a name go by their
/// number from 1. Empty for fewer than two ways.
[[nodiscard]] std::string routes_in_words(const std::vector<ShareRoute>& routes,
                                          const std::vector<std::string>& class_names);

}  // namespace nw::measure
