// Whether many rows turn dust into an alarm: pairs of samples of one population (five overlapping,
// skewed members in ten columns), or of two whose mixes differ a little.
//
//   simulate_large ROWS DRAWS [SHARE] [FIRST]
//
// prints for every draw the verdict, the CPU time and the bounds of the effects. SHARE of the rows
// of Y, 0 unless given, goes from the last member to the first. Draws are counted from FIRST, 0
// unless given, so that several processes can share them.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "nw/base/rng.hpp"
#include "nw/measure/compare.hpp"

namespace {

nw::Matrix draw(std::size_t rows, double share, nw::Rng& rng) {
  const std::vector<double> pi{0.3 + share, 0.25, 0.2, 0.15, 0.1 - share};
  nw::Matrix points(rows, 10);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t member = rng.categorical(pi);
    for (std::size_t c = 0; c < 10; ++c) {
      const double z = rng.normal();
      points(i, c) =
          (c % 3 == 2 ? z * z - 1.0 : z) + 2.0 * static_cast<double>((member * 7 + c * 3) % 5);
    }
  }
  return points;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    std::fprintf(stderr, "simulate_large ROWS DRAWS [SHARE] [FIRST]\n");
    return 2;
  }
  const auto rows = static_cast<std::size_t>(std::atoll(arguments[1]));
  const int draws = std::atoi(arguments[2]);
  const double share = count > 3 ? std::atof(arguments[3]) : 0.0;
  const int first = count > 4 ? std::atoi(arguments[4]) : 0;
  for (int d = first; d < first + draws; ++d) {
    nw::Rng rng(1000 + static_cast<std::uint64_t>(d));
    const nw::Matrix x = draw(rows, 0.0, rng), y = draw(rows, share, rng);
    nw::measure::CompareOptions options;
    options.nw.threads = 1;
    nw::Rng seed(0);
    const std::clock_t start = std::clock();
    const auto result = nw::measure::compare({x, {}}, {y, {}}, options, seed);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    const auto& effect = result.effect;
    std::printf("%d %s: %.1f s, p_same %.3f, mix %.4f (%.4f to %.4f), members to %.3f%s%s\n", d,
                to_string(result.verdict), seconds, result.p_same, effect.mix_change,
                effect.mix_change_interval.low, effect.mix_change_interval.high,
                effect.members_moved_interval.high, effect.equivalent ? ", equivalent" : "",
                effect.below_min_effect ? ", below what counts" : "");
    std::fflush(stdout);
  }
}
