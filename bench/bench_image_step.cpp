// One iteration of NWGAN with the residual networks of WGAN-GP on 32 x 32 colour images: five steps
// of critic and proportions, one of the components. bench/image_step_peer.py is the same in
// PyTorch; bench/image_step.sh runs both side by side.
#include <ATen/Context.h>
#include <benchmark/benchmark.h>

#include "nw/gan/gan_options.hpp"
#include "nw/nn/random_tensor.hpp"
#include "nw/train/mixture_game.hpp"

namespace {

using nw::Rng;

/// Arguments: components, channels, and whether convolutions are in bfloat16.
void iteration(benchmark::State& state, const torch::Device& device) {
  constexpr nw::nn::ImageSize kImage{32, 32, 3};
  const Rng rng(1);
  auto options = nw::gan::residual_options(nw::gan::Recipe::best, state.range(0), kImage);
  options.generator.channels = options.critic.channels = state.range(1);
  options.generator.bfloat16 = options.critic.bfloat16 = state.range(2) == 1;
  at::globalContext().setBenchmarkCuDNN(true);
  std::vector<nw::train::Side> sides;
  sides.push_back({nw::train::table_source(
                       nw::nn::uniform_tensor(rng.split(1), {2000, kImage.count()}, -1.0, 1.0)),
                   nw::nn::make_critic(options.critic, rng.split(2)),
                   nw::nn::Proportions::learnt(state.range(0))});
  nw::train::MixtureGame game(
      options.game,
      {nw::nn::make_mixture_generator(options.generator, rng.split(3)), std::move(sides)},
      rng.split(4), device);
  std::int64_t step = 0;
  const auto play = [&](int steps) {
    nw::train::StepValues values;
    for (int s = 0; s < steps; ++s) values = game.step(step++, options.steps, 1.0);
    benchmark::DoNotOptimize(values.values[0].second.item<float>());  // waits for the device
  };
  const bool cuda = device.is_cuda();
  play(cuda ? 8 : 1);  // libraries set themselves up, and steps are recorded
  const int steps = cuda ? 25 : 1;
  for (auto _ : state) play(steps);
  const double images = static_cast<double>(state.iterations()) * steps *
                        static_cast<double>(options.game.critic_steps * options.game.batch);
  state.counters["images_per_s"] = benchmark::Counter(images, benchmark::Counter::kIsRate);
  state.counters["ms_per_iteration"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * steps / 1e3,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void cpu(benchmark::State& state) {
  iteration(state, torch::kCPU);
}

void cuda(benchmark::State& state) {
  if (!at::globalContext().hasCUDA()) {
    state.SkipWithError("no CUDA device");
    return;
  }
  iteration(state, torch::kCUDA);
}

BENCHMARK(cpu)->Args({2, 8, 0})->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(cuda)
    ->ArgNames({"k", "channels", "bfloat16"})
    ->Args({2, 128, 0})
    ->Args({2, 128, 1})
    ->Args({1, 128, 1})
    ->Args({4, 128, 1})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
