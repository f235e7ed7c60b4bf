#include "nw/record/learning_results.hpp"

#include <numeric>

namespace nw::record {

double GenerationSummary::total_distance() const {
  return std::accumulate(wasserstein.begin(), wasserstein.end(), 0.0);
}

}  // namespace nw::record
