// Private: the tests behind a verdict. They read rows, not a fitted family: whether the samples
// differ at all, and whether a change of the mix alone could make that difference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nw/measure/compare.hpp"

#include "measure/member_choice.hpp"
#include "measure/pooled_rows.hpp"
#include "measure/stop_check.hpp"

namespace nw::measure {

struct ChangeOptions {
  double alpha = 0.05;
  /// R, the largest factor by which a share may change while its member still counts as present in
  /// both samples; 0: what samples of this size resolve.
  double share_bound = 0.0;
  std::size_t max_k = 12;
  int trees = 200;  ///< of each kind
  int permutations = 499;
  int threads = 1;
  StopCheck stop = {};
};

/// Rows of one sample in a region where the other has too few.
struct OneSided {
  double p = 1.0;                 ///< at the bound R
  double p_narrow = 1.0;          ///< at the narrower bound
  double bound = 1.0;             ///< that `rows` lie beyond
  std::vector<std::size_t> rows;  ///< pooled rows of the region, both samples
  double share_x = 0.0, share_y = 0.0;
};

struct ChangeTests {
  std::vector<double> score;  ///< per pooled row: how much it looks like Y, in [0, 1]
  double p_energy = 1.0, p_score = 1.0;
  double p_same = 1.0;  ///< Bonferroni over the two
  double share_bound = 1.0;
  OneSided more_in_y, more_in_x;
  double p_ratio = 1.0;           ///< both directions, Bonferroni
  double p_ratio_narrow = 1.0;    ///< the same at the narrower bound
  std::vector<KReading> members;  ///< from the fewest that BIC does not rule out
  /// The largest over k from the best by BIC on: no such k explains the ratio.
  double p_members = 1.0;
  /// min(p_ratio, max(p_ratio_narrow, p_members)): see change_tests.cpp.
  double p_components = 1.0;
  /// The share of a new or vanished member that these samples could have shown.
  double smallest_share = 1.0;
  MemberChoice choice;
  RowMatrix member_points;               ///< what the members were fitted to
  std::vector<std::size_t> member_rows;  ///< pooled rows of these
  bool interrupted = false;
};

[[nodiscard]] ChangeTests test_changes(const PooledRows& pool, const ChangeOptions& options);

/// R for samples of which the smaller has this many rows: 0.66 rows^(1/3), at least 2.7; from 1000
/// rows on in proportion to them, to 15 at most.
[[nodiscard]] double default_share_bound(std::size_t rows);

/// One-sided p-value of the rank sum test (Mann and Whitney 1947) that label 1 scores higher.
[[nodiscard]] double rank_sum_p(const std::vector<double>& score,
                                const std::vector<std::uint8_t>& label);

}  // namespace nw::measure
