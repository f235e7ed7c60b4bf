// Private: hierarchies of points by which neighbours they are linked through.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nw/cluster/genie.hpp"

#include "cluster/separation.hpp"

namespace nw::cluster {

/// A tree over the points that are not set apart as lying in thin places; those follow their
/// nearest point that is in the tree.
struct Linkage {
  std::string name;
  std::vector<Merge> merges;
  std::vector<std::uint32_t> place;  ///< [n]: the tree's point that stands for each; empty: itself

  /// The clusters of all points when the tree is cut to k.
  [[nodiscard]] std::vector<std::uint32_t> cut(std::size_t k) const;
};

/// Linkages by Genie: with several limits of inequity, by plain distances and by mutual
/// reachability, with none or some of the points set apart.
[[nodiscard]] std::vector<Linkage> make_linkages(MatrixView rows, const Neighbourhood& around,
                                                 int threads);

}  // namespace nw::cluster
