#include "experiments/bench/row_exchange.hpp"

#include <algorithm>
#include <array>

namespace nw::experiments {
namespace {

constexpr std::size_t kNumbers = 17, kName = 31;
/// A team adds up numbers: a row is written among zeros, its name letter by letter.
using Written = std::array<double, kNumbers + kName>;

Written written(const BenchRow& row) {
  Written out{};
  const SolveReport peer = row.peer.value_or(SolveReport{});
  const double numbers[] = {1.0,
                            static_cast<double>(row.n),
                            static_cast<double>(row.m),
                            static_cast<double>(row.dimension),
                            static_cast<double>(row.p),
                            row.weighted ? 1.0 : 0.0,
                            row.ours.seconds,
                            row.ours.memory_mb,
                            row.ours.value,
                            row.gap,
                            static_cast<double>(row.pivots),
                            row.converged ? 1.0 : 0.0,
                            row.peer ? 1.0 : 0.0,
                            peer.seconds,
                            peer.memory_mb,
                            peer.value,
                            row.peer_cost_matrix_seconds};
  static_assert(std::size(numbers) == kNumbers);
  std::copy(std::begin(numbers), std::end(numbers), out.begin());
  for (std::size_t i = 0; i < std::min(kName, row.name.size()); ++i) {
    out[kNumbers + i] = static_cast<double>(static_cast<unsigned char>(row.name[i]));
  }
  return out;
}

BenchRow read(std::span<const double> in) {
  const auto size = [&](std::size_t i) { return static_cast<std::size_t>(in[i]); };
  BenchRow row{.n = size(1),
               .m = size(2),
               .dimension = size(3),
               .p = static_cast<int>(in[4]),
               .weighted = in[5] != 0.0,
               .ours = {.seconds = in[6], .memory_mb = in[7], .value = in[8]},
               .gap = in[9],
               .pivots = static_cast<std::int64_t>(in[10]),
               .converged = in[11] != 0.0};
  if (in[12] != 0.0) row.peer = {.seconds = in[13], .memory_mb = in[14], .value = in[15]};
  for (std::size_t i = kNumbers; i < in.size() && in[i] != 0.0; ++i) {
    row.name += static_cast<char>(in[i]);
  }
  row.peer_cost_matrix_seconds = in[16];
  return row;
}

}  // namespace

std::vector<BenchRow> rows_of_all(Team* team, const std::optional<BenchRow>& mine) {
  if (team == nullptr) return mine ? std::vector{*mine} : std::vector<BenchRow>{};
  constexpr std::size_t kLength = kNumbers + kName;
  std::vector<double> all(static_cast<std::size_t>(team->size()) * kLength, 0.0);
  const std::span places(all);
  if (mine) {
    std::ranges::copy(written(*mine),
                      places.subspan(static_cast<std::size_t>(team->rank()) * kLength).begin());
  }
  team->sum(places);
  std::vector<BenchRow> rows;
  for (std::size_t at = 0; at < all.size(); at += kLength) {
    if (all[at] != 0.0) rows.push_back(read(places.subspan(at, kLength)));
  }
  return rows;
}

}  // namespace nw::experiments
