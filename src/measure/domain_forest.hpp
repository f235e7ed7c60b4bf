// Private: how much each row looks like Y, by random forests that never saw the row.
#pragma once

#include <cstdint>
#include <vector>

#include "nw/base/matrix_view.hpp"
#include "nw/base/rng.hpp"

#include "measure/stop_check.hpp"

namespace nw::measure {

/// Columns as ranks, which is all that a tree reads of them. Equal values share a rank.
struct RankedColumns {
  std::vector<std::vector<std::uint32_t>> rank;  ///< [columns][rows]

  [[nodiscard]] std::size_t rows() const noexcept { return rank.empty() ? 0 : rank[0].size(); }
  void append(MatrixView values);
};

struct ForestOptions {
  int trees = 200;
  /// Rows in the smallest leaf. At least 1.
  int min_leaf = 1;
  /// True: thresholds drawn at random (extra trees, Geurts et al. 2006). False: those with the
  /// largest drop of Gini impurity (random forest, Breiman 2001).
  bool random_thresholds = false;
  int threads = 1;
  /// What rows count in splits and leaves; empty: all alike. Rows of weight 0 train no tree and get
  /// the mean over all of them.
  std::vector<double> weight = {};
  StopCheck stop = {};
};

/// For every row the mean share (by weight) of label 1 in its leaf over the trees whose bootstrap
/// sample left it out: its own label never enters. 0.5 for a row that no tree left out.
[[nodiscard]] std::vector<double> out_of_bag_scores(const RankedColumns& columns,
                                                    const std::vector<std::uint8_t>& label,
                                                    const ForestOptions& options, const Rng& rng);

/// The mean of a random forest's and of extra trees' scores, `options.trees` of each kind.
[[nodiscard]] std::vector<double> domain_scores(const RankedColumns& columns,
                                                const std::vector<std::uint8_t>& label,
                                                const ForestOptions& options, const Rng& rng);

}  // namespace nw::measure
