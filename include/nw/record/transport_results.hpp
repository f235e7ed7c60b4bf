// What the commands on transport plans report besides a distance, as plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nw::record {

/// Between which bounds the optimum was known to lie after some time.
struct BoundsAtTime {
  double seconds = 0.0;
  std::uint64_t pivots = 0;
  double primal = 0.0, dual = 0.0;
  bool operator==(const BoundsAtTime&) const = default;
};

/// `nw distance`: how the value was found.
struct TransportSummary {
  std::uint64_t p = 1;
  std::string reason{};       ///< why this method
  bool exact = false;         ///< certified to the last digits
  double load_seconds = 0.0;  ///< that reading the data took
  std::string termination{};  ///< of exact transport: why it stopped
  std::optional<std::uint64_t> pivots{};
  std::vector<BoundsAtTime> gap_curve{};
  std::optional<double> marginal_error{};  ///< of Sinkhorn's plan
  std::optional<double> standard_error{};  ///< of a mean over directions
  bool operator==(const TransportSummary&) const = default;
};

/// `nw distance --pairs`: distances between every two of several data sets.
struct PairSummary {
  std::uint64_t p = 1;
  std::vector<std::string> names{};
  std::vector<std::vector<double>> distances{};  ///< not a number where a pair was not solved
  double largest_gap = 0.0;
  bool operator==(const PairSummary&) const = default;
};

/// `nw certify`: how good a plan is that someone else made.
struct CertificateSummary {
  std::uint64_t p = 1;
  std::uint64_t entries = 0;  ///< of the plan
  double plan_mass = 0.0, plan_cost = 0.0, plan_negative = 0.0;
  double source_error = 0.0, target_error = 0.0, largest_error = 0.0;  ///< of its marginals
  bool feasible = false;
  double lower_bound = 0.0, upper_bound = 0.0;  ///< of the optimum
  double relative_gap = 0.0;
  std::string termination{};
  std::uint64_t pivots = 0;
  bool operator==(const CertificateSummary&) const = default;
};

}  // namespace nw::record
