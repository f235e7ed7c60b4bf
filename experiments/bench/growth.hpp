// How the time of exact transport grows with the number of points: a page with table and plot.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/bench/ot_bench.hpp"

namespace nw::experiments {

/// One curve: rows of these clouds and this p.
struct GrowthCurve {
  std::string clouds;
  int p;
};

/// Sizes below this are left out of exponents: what a solve costs whatever its size counts there.
inline constexpr std::size_t kGrowthFrom = 10000;

/// Exponent e of CPU seconds ~ n^e between the rows of a curve from kGrowthFrom points on, by least
/// squares on logarithms; NaN for fewer than two sizes.
[[nodiscard]] double growth_exponent(const std::vector<BenchRow>& rows, const GrowthCurve& curve);

/// Writes table and plot between the growth markers of the Markdown file, leaving the rest of it
/// alone (a new file gets the markers), and the plot as <stem>-growth.svg beside it.
void write_growth(const std::filesystem::path& page, const std::vector<BenchRow>& rows,
                  const std::string& machine);

}  // namespace nw::experiments
