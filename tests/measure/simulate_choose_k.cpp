// How often choose_k finds the number of modes; prints one line.
//
// Usage: simulate_choose_k ring1|ring2|grid|one ROWS DEVIATION SIMULATIONS [FIRST_SEED]
#include <cstdio>
#include <cstdlib>
#include <string>

#include "nw/base/stopwatch.hpp"
#include "nw/measure/choose_k.hpp"

#include "measure/mixtures.hpp"

using namespace nw;
using namespace nw::measure;

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: %s ring1|ring2|grid|one ROWS DEVIATION SIMULATIONS [FIRST_SEED]\n",
                 argv[0]);
    return 2;
  }
  const std::string scenario = argv[1];
  const auto rows = static_cast<std::size_t>(std::atoi(argv[2]));
  const double deviation = std::atof(argv[3]);
  const int simulations = std::atoi(argv[4]), first = argc > 5 ? std::atoi(argv[5]) : 0;
  const std::size_t truth = scenario == "ring1"   ? 8
                            : scenario == "ring2" ? 16
                            : scenario == "grid"  ? 9
                                                  : 1;
  int right = 0;
  const Stopwatch watch;
  for (int seed = first; seed < first + simulations; ++seed) {
    Rng data(static_cast<std::uint64_t>(seed) + 1);
    Rng rng(static_cast<std::uint64_t>(seed));
    ChooseKResult result;
    if (truth == 8 || truth == 16) {
      const Matrix x = testing::draw_ring({.rows = rows, .deviation = deviation}, data);
      const Matrix y = testing::draw_ring({.rows = rows,
                                           .deviation = deviation,
                                           .turn = truth == 16 ? 0.5 : 0.0,
                                           .pi = testing::ring_proportions(true)},
                                          data);
      result = choose_k({x, {}}, {y, {}}, {}, rng);
    } else {
      const Matrix x =
          truth == 9 ? testing::draw_grid(rows, data) : testing::draw_gaussian(rows, 2, data);
      result = choose_k({x, {}}, {}, rng);
    }
    right += result.k == truth;
    if (result.k != truth) {
      std::printf("  seed %d: k = %zu, %s\n", seed, result.k, result.reason.c_str());
    }
  }
  std::printf("%-5s n %zu sd %.2f: %d of %d right, %.1f s each\n", scenario.c_str(), rows,
              deviation, right, simulations, watch.seconds() / simulations);
  return 0;
}
