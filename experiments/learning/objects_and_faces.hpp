// Objects of CIFAR-10 and faces of CelebA, one part to two: what the experiments on both share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/generation/image_mixture.hpp"
#include "experiments/case_table.hpp"

namespace nw::experiments {

/// Rows of both sources; source 0 are objects, source 1 faces.
struct Mixed {
  torch::Tensor rows;
  std::vector<std::int64_t> source;
  torch::Tensor coordinates;  // on the first principal components

  [[nodiscard]] std::vector<std::int32_t> classes() const { return {source.begin(), source.end()}; }
};

[[nodiscard]] Mixed load_mixed(const ExperimentSettings& settings);

/// The likeliest of a few mixtures of two Gaussians on principal components: no label is in it.
[[nodiscard]] std::vector<std::uint32_t> two_gaussians(const Mixed& mixed, std::uint64_t seed,
                                                       int threads);

/// NWGAN with two components that start at these Gaussians in equal proportions.
[[nodiscard]] ImageMixtureTask mixed_task(const Mixed& mixed, bool fixed_pi, std::uint64_t seed,
                                          const ExperimentSettings& settings);

[[nodiscard]] record::RunRecord mixed_record(const std::string& title, const Mixed& mixed,
                                             std::uint64_t seed);

/// Puts the scores into the record and the record into the run, where there is one.
void finish_case(CaseOutcome& outcome, std::optional<run::RunDirectory>& directory);

}  // namespace nw::experiments
