#include <algorithm>
#include <string_view>

#include "experiments/experiment.hpp"

namespace nw::experiments {

ExperimentResult run_comparison(const ExperimentSettings& settings);
ExperimentResult run_choose_k_figure(const ExperimentSettings& settings);
ExperimentResult run_title_figure(const ExperimentSettings& settings);

std::vector<Experiment> measuring_experiments() {
  return {
      {"comparison",
       "Table: W and NW between mixtures of eight Gaussians, two settings",
       {{"", run_comparison}}},
      {"choose-k", "Figure: NW(k) against the number of modes", {{"primal", run_choose_k_figure}}},
      {"title-figure", "Figure: couplings before and after normalising", {{"", run_title_figure}}},
  };
}

std::vector<Experiment> all_experiments() {
  auto all = measuring_experiments();
  for (auto& experiment : learning_experiments()) {
    const auto twin = std::find_if(all.begin(), all.end(), [&](const Experiment& other) {
      return std::string_view(other.id) == experiment.id;
    });
    if (twin == all.end()) {
      all.push_back(std::move(experiment));
    } else {
      twin->methods.insert(twin->methods.end(), experiment.methods.begin(),
                           experiment.methods.end());
    }
  }
  return all;
}

}  // namespace nw::experiments
