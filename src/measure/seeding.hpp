// Private: starting points for shared mixtures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nw/base/rng.hpp"
#include "nw/ot/problem.hpp"

#include "measure/shared_em.hpp"
#include "measure/working_data.hpp"

namespace nw::measure {

/// Points chosen far apart by greedy k-means++: [components, d].
[[nodiscard]] RowMatrix spread_centres(const ot::WeightedPoints& data, std::size_t components,
                                       Rng& rng);

/// k-means++ with greedy choice, a few rounds of Lloyd, and the clusters' moments.
[[nodiscard]] SharedModel cluster_start(const std::vector<Sample>& samples, std::size_t components,
                                        Shape shape, Rng& rng);

/// Components with the given centres [k, d] and the spread of their members around these.
/// `member[s][i]` is the component that row i of sample s belongs to.
[[nodiscard]] SharedModel model_of_members(const std::vector<Sample>& samples,
                                           const std::vector<std::vector<std::uint32_t>>& member,
                                           const RowMatrix& centres, Shape shape);

/// The model with component j doubled: the two halves lie at +-0.8 deviations along its longest
/// axis and share its proportions.
[[nodiscard]] SharedModel split_component(const SharedModel& model, std::size_t j);

/// The model with a copy of component j that has no mass: the same distributions with k + 1
/// components, which is how Lemma 1 bounds NW(k + 1) by NW(k).
[[nodiscard]] SharedModel append_idle_component(const SharedModel& model, std::size_t j);

}  // namespace nw::measure
