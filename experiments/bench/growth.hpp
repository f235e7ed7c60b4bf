// How the time of exact transport grows with the number of points: a page with table and plot.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/bench/ot_bench.hpp"

namespace nw::experiments {

/// Exponent e of seconds ~ n^e between the rows, by least squares on logarithms; rows of one p.
[[nodiscard]] double growth_exponent(const std::vector<BenchRow>& rows, int p);

/// Writes table and plot between the growth markers of the Markdown file, leaving the rest of it
/// alone (a new file gets the markers), and the plot as <stem>-growth.svg beside it.
void write_growth(const std::filesystem::path& page, const std::vector<BenchRow>& rows,
                  const std::string& machine);

}  // namespace nw::experiments
