// Private: is there a region where one sample has more than R times the share of the other?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nw::measure {

/// If both samples are mixtures of the same members and no member's share changes by more than a
/// factor R, then no region's share does, whatever the members look like. A region beyond R
/// therefore shows a new, vanished or moved member.
struct RatioScan {
  double p = 1.0;                   ///< of "the ratio stays within R", for the region found
  double statistic = 0.0;           ///< its log likelihood ratio
  std::vector<std::size_t> region;  ///< rows, by decreasing score; empty when nothing exceeds R
  /// Rows that a region without any of the other label must have to be seen at level `alpha`.
  double rows_needed = 0.0;
};

struct RatioScanOptions {
  double bound = 4.0;  ///< R. At least 1.
  /// Smallest region, in rows.
  std::size_t min_rows = 8;
  int simulations = 1999;
  double alpha = 0.05;  ///< of `rows_needed`
};

/// Searches among the regions "the i rows with the highest score" for too many rows with label 1.
/// The null is the least favourable one: along the order, labels are independent, and 1 has the
/// largest chance that R allows.
[[nodiscard]] RatioScan scan_ratio(std::span<const double> score,
                                   std::span<const std::uint8_t> label,
                                   const RatioScanOptions& options);

/// The same question beside an explanation: `chance[i]` is the largest chance of label 1 that the
/// explanation allows row i. Searches the first rows by decreasing score for more than it allows;
/// returns the p-value.
[[nodiscard]] double scan_beyond(std::span<const double> score, std::span<const std::uint8_t> label,
                                 std::span<const double> chance, const RatioScanOptions& options);

}  // namespace nw::measure
