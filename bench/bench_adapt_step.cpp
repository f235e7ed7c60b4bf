// One step of NW adaptation on images of MNIST's size: the paper's recipe, and ours.
// bench/adapt_step_peer.py is the step of the authors' program in PyTorch, written the usual way.
//
// cpu/THREADS/BATCH and cuda/RECORDED/BATCH, three classes; `best` has batches of its own.
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>

#include "nw/adapt/adapt_game.hpp"

namespace {

using nw::adapt::AdaptOptions;
using nw::adapt::Recipe;

constexpr std::int64_t kClasses = 3, kImages = 3000;

std::unique_ptr<nw::adapt::AdaptGame> make_game(AdaptOptions options,
                                                const nw::adapt::InputForm& form,
                                                const torch::Device& device) {
  const auto images = [&](std::int64_t channels) {
    return nw::adapt::DomainRows(torch::randint(256, {kImages, channels, 28, 28}, torch::kUInt8),
                                 form);
  };
  nw::adapt::AdaptData data{.source = images(1), .target = images(3), .class_of = {}, .split = {}};
  for (std::int64_t i = 0; i < kImages; ++i) {
    data.class_of.push_back(i % kClasses);
    data.split.training.push_back(i);
  }
  return std::make_unique<nw::adapt::AdaptGame>(options, std::move(data), nw::Rng(1), device);
}

void adapt_steps(benchmark::State& state, Recipe recipe, const torch::Device& device) {
  nw::adapt::InputForm form;
  form.image = {28, 28, 3};
  auto options =
      nw::adapt::recipe_options(recipe, nw::adapt::AdaptMethod::nw, {kClasses, form, kImages});
  if (recipe == Recipe::paper) {
    options.target_batch = options.class_batch = options.natural_batch = state.range(1);
  }
  options.record_steps = device.is_cuda() && state.range(0) == 1;
  const auto game = make_game(options, form, device);
  std::int64_t step = 0;
  const std::int64_t block = 10 * options.feature_every;  // whole rounds of the schedule
  const auto play = [&] {
    torch::Tensor last;
    for (std::int64_t s = 0; s < block; ++s) {
      last = game->step(step++, 1 << 30, 1.0).values.front().second;
    }
    benchmark::DoNotOptimize(last.item<float>());  // waits for the device
  };
  if (device.is_cuda()) play();
  for (auto _ : state) play();
  state.SetItemsProcessed(state.iterations() * block);
  state.counters["ms_per_step"] =
      benchmark::Counter(static_cast<double>(state.iterations() * block) / 1e3,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void cpu(benchmark::State& state, Recipe recipe) {
  at::set_num_threads(static_cast<int>(state.range(0)));
  adapt_steps(state, recipe, torch::kCPU);
}

void cuda(benchmark::State& state, Recipe recipe) {
  if (!at::globalContext().hasCUDA()) {
    state.SkipWithError("no CUDA device");
    return;
  }
  at::globalContext().setAllowTF32CuBLAS(true);  // as nw adapt does
  at::globalContext().setBenchmarkCuDNN(true);
  adapt_steps(state, recipe, torch::kCUDA);
}

BENCHMARK_CAPTURE(cpu, paper, Recipe::paper)
    ->Args({2, 128})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(cpu, best, Recipe::best)
    ->Args({2, 0})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(cuda, paper, Recipe::paper)
    ->Args({0, 256})
    ->Args({1, 256})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(cuda, best, Recipe::best)
    ->Args({0, 0})
    ->Args({1, 0})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
