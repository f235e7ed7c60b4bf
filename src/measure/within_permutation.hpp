// Private: do the members of each component differ between X and Y?
#pragma once

#include <cstdint>
#include <vector>

#include "nw/base/rng.hpp"
#include "nw/base/team.hpp"
#include "nw/measure/normalized_wasserstein.hpp"
#include "nw/ot/problem.hpp"

#include "measure/stop_check.hpp"
#include "measure/working_data.hpp"

namespace nw::measure {

struct WithinOptions {
  ot::GroundCost cost = ot::GroundCost::euclidean;
  int resamplings = 200;
  int threads = 1;
  Team* team = nullptr;
  StopCheck stop = {};
};

/// The comparison of one component's members.
struct WithinComponent {
  double distance = 0.0;       ///< W between the members in X and those in Y
  double null_distance = 0.0;  ///< its mean over relabellings
  double p_raw = 1.0, p = 1.0;
  std::vector<double> shift;  ///< [d] mean in Y minus mean in X
  double shift_size = 0.0;    ///< in deviations of the members
  double spread_change = 0.0;
  double scale = 0.0;  ///< root mean square deviation of the members, per coordinate
  std::size_t members_x = 0, members_y = 0;
  bool tested = false;  ///< false with fewer than two members on a side
};

struct WithinResult {
  std::vector<WithinComponent> components;
  double p = 1.0;  ///< of "no component differs"
};

/// `member[s][i]` is the component that row i of sample s belongs to, or kNobody.
[[nodiscard]] WithinResult test_within_components(
    const std::vector<Sample>& samples, const std::vector<std::vector<std::uint32_t>>& member,
    std::size_t components, const WithinOptions& options, Rng& rng);

}  // namespace nw::measure
