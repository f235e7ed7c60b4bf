// A stand-in for a training command: a random walk whose state is a vector and a generator.
//   toy_training RUN [--resume] [--steps N] [--every N] [--delay MICROSECONDS]
// Ends with 0 when the run is finished, 3 when a file stopped it.
#include <chrono>
#include <iostream>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/base/rng.hpp"
#include "nw/run/run_directory.hpp"

namespace {

using Json = nlohmann::ordered_json;

struct Arguments {
  std::string run;
  bool resume = false;
  std::int64_t steps = 300, every = 20, delay = 0;
};

Arguments parse(int argc, char** argv) {
  Arguments arguments{.run = argv[1]};
  for (int i = 2; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--resume") {
      arguments.resume = true;
    } else {
      auto& value = name == "--steps"   ? arguments.steps
                    : name == "--every" ? arguments.every
                                        : arguments.delay;
      value = std::stoll(argv[++i]);
    }
  }
  return arguments;
}

std::string save_state(const nw::Rng& rng) {
  const nw::RngState state = rng.state();
  return Json{{"seed", state.seed},
              {"words", state.words},
              {"spare", state.spare_normal},
              {"has_spare", state.has_spare_normal}}
      .dump();
}

nw::Rng load_state(const std::string& text) {
  const Json json = Json::parse(text);
  return nw::Rng(nw::RngState{json["seed"], json["words"], json["spare"], json["has_spare"]});
}

void train(const Arguments& arguments) {
  const Json config = {{"command", "toy"}, {"steps", arguments.steps}, {"every", arguments.every}};
  nw::run::RunDirectory run(
      arguments.run, config.dump(),
      {.mode = arguments.resume ? nw::run::StartMode::resume : nw::run::StartMode::create});
  for (const std::string& warning : run.warnings()) std::cerr << "warning: " << warning << '\n';
  if (run.finished()) return;

  nw::Rng rng(7);
  std::vector<double> weights(256, 0.0);
  std::int64_t step = 0;
  if (const auto checkpoint = run.take_checkpoint()) {
    step = checkpoint->step;
    weights = checkpoint->tensor("weights").values<double>();
    rng = load_state(checkpoint->state);
  }
  while (step < arguments.steps) {
    ++step;
    for (double& weight : weights) weight += rng.normal();
    const double loss = std::inner_product(weights.begin(), weights.end(), weights.begin(), 0.0);
    run.log({.step = step,
             .values = {{"loss/walk", loss}, {"pi", std::vector{weights[0], weights[1]}}}});
    if (arguments.delay > 0) {
      std::this_thread::sleep_for(std::chrono::microseconds(arguments.delay));
    }
    if (step % arguments.every != 0 && step != arguments.steps) continue;
    const std::vector<nw::io::TensorView> tensors = {
        nw::io::view_tensor("weights", std::span<const double>(weights))};
    run.save(step, tensors, save_state(rng));
  }
  nw::record::RunRecord result;
  result.kind = nw::record::RunKind::training;
  result.command = "toy";
  result.metrics = {{.name = "last_weight", .value = weights.back()}};
  result.seconds = run.seconds();
  run.finish(result);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  try {
    train(parse(argc, argv));
  } catch (const nw::Error& error) {
    std::cerr << error.what() << '\n';
    return 3;
  }
  return 0;
}
