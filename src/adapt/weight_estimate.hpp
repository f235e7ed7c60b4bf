// Private: target proportions from the confusions of a classifier.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nw/adapt/prediction.hpp"

namespace nw::adapt {

/// Rows that are enough for an estimate.
inline constexpr std::int64_t kEstimateRows = 4096;

/// At most `most` of the given rows, evenly spread.
[[nodiscard]] std::vector<std::int64_t> spread_rows(const std::vector<std::int64_t>& rows,
                                                    std::int64_t most = kEstimateRows);
[[nodiscard]] std::vector<std::int64_t> spread_rows(std::int64_t count, std::int64_t most);

/// confused_proportions with the mean posterior of the target and of each class of the source.
/// `rows` are the source rows that were predicted.
[[nodiscard]] std::vector<double> estimate_shares(const Prediction& source,
                                                  std::span<const std::int64_t> rows,
                                                  std::span<const std::int64_t> class_of,
                                                  const Prediction& target,
                                                  std::span<const double> prior);

}  // namespace nw::adapt
