// One critic step of the mixture-of-Gaussians GAN: the paper's k x B rows, stratified batches, and
// the gradient penalty of our recipe. bench/critic_step_peer.py is the same step in the authors'
// Python; bench/critic_step.sh runs both side by side.
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <malloc.h>

#include "nw/gan/gan_model.hpp"
#include "nw/nn/random_tensor.hpp"
#include "nw/train/mixture_game.hpp"

namespace {

using nw::Rng;
using nw::gan::GanOptions;
using nw::gan::Recipe;

constexpr std::int64_t kComponents = 9;

GanOptions options_of(Recipe recipe) {
  return nw::gan::recipe_options(recipe, nw::gan::GanMethod::nwgan, kComponents,
                                 nw::gan::identity_normalisation(2));
}

std::unique_ptr<nw::train::MixtureGame> make_game(const GanOptions& options,
                                                  const torch::Device& device) {
  const Rng rng(1);
  std::vector<nw::train::Side> sides;
  sides.push_back({nw::train::table_source(nw::nn::normal_tensor(rng.split(1), {100000, 2})),
                   nw::nn::make_critic(options.critic, rng.split(2)),
                   nw::nn::Proportions::learnt(kComponents)});
  return std::make_unique<nw::train::MixtureGame>(
      options.game,
      nw::train::Players{nw::nn::make_mixture_generator(options.generator, rng.split(3)),
                         std::move(sides)},
      rng.split(4), device);
}

void critic_step(benchmark::State& state, const GanOptions& options) {
  mallopt(M_MMAP_THRESHOLD, 1 << 28);
  mallopt(M_TRIM_THRESHOLD, 1 << 28);
  at::set_num_threads(static_cast<int>(state.range(0)));
  const auto game = make_game(options, torch::kCPU);
  std::uint64_t stream = 0;
  for (auto _ : state) {
    nw::train::Draws draws(Rng(2).split(stream++), torch::kCPU);
    benchmark::DoNotOptimize(game->critic_step(0, draws));
  }
}

void paper(benchmark::State& state) {
  critic_step(state, options_of(Recipe::paper));
}

void paper_stratified(benchmark::State& state) {
  auto options = options_of(Recipe::paper);
  options.game.allocation = nw::train::Allocation::proportional;
  critic_step(state, options);
}

void best(benchmark::State& state) {
  critic_step(state, options_of(Recipe::best));
}

/// The paper's step on a GPU: eager, or recorded as a graph.
void cuda(benchmark::State& state) {
  if (!at::globalContext().hasCUDA()) {
    state.SkipWithError("no CUDA device");
    return;
  }
  const torch::Device device(torch::kCUDA);
  const auto game = make_game(options_of(Recipe::paper), device);
  nw::train::Draws draws(Rng(2), device);
  const auto wait = [&] {
    benchmark::DoNotOptimize(game->critic(0).parameters().flat()[0].item<float>());
  };
  for (int warm = 0; warm < 11; ++warm) game->critic_step(0, draws);
  wait();
  nw::train::DeviceGraph graph;
  const bool recorded = state.range(0) == 1;
  if (recorded) graph.record([&] { game->critic_step(0, draws); });
  constexpr int kSteps = 200;
  for (auto _ : state) {
    for (int step = 0; step < kSteps; ++step) {
      recorded ? graph.replay() : static_cast<void>(game->critic_step(0, draws));
    }
    wait();
  }
  state.SetItemsProcessed(state.iterations() * kSteps);
  state.counters["ms_per_step"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * kSteps / 1e3,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

BENCHMARK(paper)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(paper_stratified)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(best)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(cuda)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
