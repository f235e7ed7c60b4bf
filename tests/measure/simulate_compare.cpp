// Calibration and power of compare() by simulation; prints one line of rates.
//
// Usage: simulate_compare SCENARIO ROWS DIM DEVIATION SIMULATIONS [FIRST_SEED] [K] [RESAMPLINGS]
//   same         X and Y from the first ring
//   proportions  setting 1: the second sample has the reversed proportions
//   components   setting 2: its modes are turned by half a step as well
//   one-moved    setting 1 with mode 1 of Y moved by two deviations
//   K = 0 lets choose_k find the number of components.
// The noise floor is left out and the permutation test of W uses 500 rows, which changes neither
// p_components nor the intervals and saves most of the time.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "nw/base/stopwatch.hpp"
#include "nw/measure/compare.hpp"

#include "measure/mixtures.hpp"

using namespace nw;
using namespace nw::measure;

namespace {

struct Rates {
  int simulations = 0, same_rejected = 0, components_rejected = 0, flagged = 0;
  int verdicts[4] = {0, 0, 0, 0};
  int intervals = 0, covered = 0;
  double absolute_error = 0.0, ratio = 0.0;
};

void count_proportions(const CompareResult& result, const std::vector<double>& pi_x,
                       const std::vector<double>& pi_y, Rates& rates) {
  for (int mode = 1; mode <= 8; ++mode) {
    const auto centre = testing::ring_centre(mode);
    std::size_t nearest = 0;
    double best = 1e300;
    for (std::size_t j = 0; j < result.k; ++j) {
      const auto& c = result.components[j].centre;
      const double distance = std::hypot(c[0] - centre[0], c[1] - centre[1]);
      if (distance < best) {
        best = distance;
        nearest = j;
      }
    }
    const auto index = static_cast<std::size_t>(mode - 1);
    const auto check = [&](double estimate, const Interval& interval, double truth) {
      rates.absolute_error += std::abs(estimate - truth);
      rates.covered += interval.low <= truth && truth <= interval.high;
      ++rates.intervals;
    };
    check(result.pi_x[nearest], result.pi_x_interval[nearest], pi_x[index]);
    check(result.pi_y[nearest], result.pi_y_interval[nearest], pi_y[index]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) {
    std::fprintf(stderr,
                 "usage: %s SCENARIO ROWS DIM DEVIATION SIMULATIONS [FIRST_SEED] [K] "
                 "[RESAMPLINGS]\n",
                 argv[0]);
    return 2;
  }
  const std::string scenario = argv[1];
  testing::RingOptions ring;
  ring.rows = static_cast<std::size_t>(std::atoi(argv[2]));
  ring.dim = static_cast<std::size_t>(std::atoi(argv[3]));
  ring.deviation = std::atof(argv[4]);
  const int simulations = std::atoi(argv[5]);
  const int first = argc > 6 ? std::atoi(argv[6]) : 0;
  CompareOptions options;
  options.components = argc > 7 ? static_cast<std::size_t>(std::atoi(argv[7])) : 8;
  options.nw.floor_replicates = 0;
  options.max_test_points = 500;
  if (argc > 8) options.resamplings = std::atoi(argv[8]);

  Rates rates;
  const Stopwatch watch;
  for (int seed = first; seed < first + simulations; ++seed) {
    Rng data(static_cast<std::uint64_t>(seed) + 1);
    const Matrix x = testing::draw_ring(ring, data);
    testing::RingOptions other = ring;
    if (scenario != "same") other.pi = testing::ring_proportions(true);
    if (scenario == "components") other.turn = 0.5;
    Matrix y = testing::draw_ring(other, data);
    if (scenario == "one-moved") {
      const auto centre = testing::ring_centre(1);
      for (std::size_t i = 0; i < y.rows(); ++i) {
        if (std::hypot(y(i, 0) - centre[0], y(i, 1) - centre[1]) < 1.5) {
          y(i, 0) += 2.0 * ring.deviation;
        }
      }
    }
    Rng rng(static_cast<std::uint64_t>(seed));
    const CompareResult result = compare({x, {}}, {y, {}}, options, rng);
    ++rates.simulations;
    rates.same_rejected += result.p_same < 0.05;
    rates.components_rejected += result.p_components < 0.05;
    rates.flagged += !result.family_fits;
    ++rates.verdicts[static_cast<int>(result.verdict)];
    rates.ratio += result.normalized_wasserstein / result.wasserstein;
    if (other.turn == 0.0) count_proportions(result, ring.pi, other.pi, rates);
  }
  const double n = rates.simulations;
  std::printf(
      "%-11s n %5zu d %2zu sd %.2f k %zu sims %d | p_same<.05 %5.1f %% p_comp<.05 %5.1f %% | "
      "same %d proportions %d components %d undecided %d misfit %d | pi error %.4f "
      "coverage %.1f %% | NW/W %.4f | %.2f s each\n",
      scenario.c_str(), ring.rows, ring.dim, ring.deviation, options.components, rates.simulations,
      100.0 * rates.same_rejected / n, 100.0 * rates.components_rejected / n, rates.verdicts[0],
      rates.verdicts[1], rates.verdicts[2], rates.verdicts[3], rates.flagged,
      rates.absolute_error / std::max(rates.intervals, 1),
      100.0 * rates.covered / std::max(rates.intervals, 1), rates.ratio / n, watch.seconds() / n);
  return 0;
}
