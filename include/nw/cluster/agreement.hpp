// How well a clustering agrees with known classes.
#pragma once

#include <cstdint>
#include <span>

namespace nw::cluster {

/// The scores of the paper's clustering tables. All are 1 for equal partitions; numbers of classes
/// and clusters may differ, and what they are called does not matter.
struct Agreement {
  /// Share of points that belong to the most frequent class of their cluster.
  double purity = 0.0;
  /// Mutual information over the mean of both entropies.
  double nmi = 0.0;
  /// Mutual information corrected for chance, over the mean of both entropies (Vinh, Epps and
  /// Bailey 2010): 0 on average for random partitions of these sizes.
  double ami = 0.0;
  /// Rand index corrected for chance (Hubert and Arabie 1985): 0 on average for random partitions.
  double ari = 0.0;
};

/// One class and one cluster per point. Throws InvalidArgument for lengths that differ or are zero.
[[nodiscard]] Agreement agreement(std::span<const std::int32_t> classes,
                                  std::span<const std::uint32_t> clusters);

}  // namespace nw::cluster
