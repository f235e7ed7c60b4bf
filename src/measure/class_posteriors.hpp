// Private: what trees trained on the labelled rows of X say about the class of every row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nw/base/rng.hpp"

#include "measure/domain_forest.hpp"
#include "measure/pooled_rows.hpp"
#include "measure/stop_check.hpp"

namespace nw::measure {

struct PosteriorOptions {
  std::size_t classes = 0;
  int trees = 100;  ///< for each class
  int threads = 1;
  StopCheck stop = {};
};

/// Columns and principal components, as trees read them.
[[nodiscard]] RankedColumns ranked(const PooledRows& pool);

/// [pooled rows, classes] from forests trained on X, one class against the others; rows of X get
/// theirs from trees that never saw them. `class_of` is the class of every pooled row of X.
[[nodiscard]] RowMatrix class_posteriors(const PooledRows& pool, const RankedColumns& columns,
                                         const std::vector<std::uint32_t>& class_of,
                                         const PosteriorOptions& options, const Rng& rng);

}  // namespace nw::measure
