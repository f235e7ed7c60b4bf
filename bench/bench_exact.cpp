// Exact transport between two Gaussian clouds: seconds against n, dimension and cost, with the
// number of pivots. `nw bench ot` compares with another library; this one is for profiling a
// change.
#include <vector>

#include <benchmark/benchmark.h>

#include "nw/base/rng.hpp"
#include "nw/ot/exact.hpp"

namespace {

nw::Matrix gaussian_cloud(std::size_t n, std::size_t dimension, double shift, nw::Rng rng) {
  nw::Matrix points(n, dimension);
  for (double& value : points.values()) value = shift + rng.normal();
  return points;
}

void exact_transport(benchmark::State& state, nw::ot::GroundCost cost) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const auto dimension = static_cast<std::size_t>(state.range(1));
  const nw::Rng rng(2019);
  const nw::Matrix x = gaussian_cloud(n, dimension, 0.0, rng.split(0));
  const nw::Matrix y = gaussian_cloud(n, dimension, 0.5, rng.split(1));
  const nw::ot::PointProblem problem{
      .source = {.points = x}, .target = {.points = y}, .cost = cost};
  std::int64_t pivots = 0;
  for (auto _ : state) {
    const auto result = nw::ot::solve_exact(problem);
    pivots = result.pivots;
    benchmark::DoNotOptimize(result.cost);
  }
  state.counters["pivots"] = static_cast<double>(pivots);
}

void sizes(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"n", "d"})->Unit(benchmark::kMillisecond)->UseRealTime();
  for (const int n : {500, 2000, 8000}) bench->Args({n, 2});
  bench->Args({2000, 10})->Args({2000, 64});
}

BENCHMARK_CAPTURE(exact_transport, w1, nw::ot::GroundCost::euclidean)->Apply(sizes);
BENCHMARK_CAPTURE(exact_transport, w2_squared, nw::ot::GroundCost::squared_euclidean)->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
