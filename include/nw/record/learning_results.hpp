// What the applications that learn add to a run's record, as plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nw/base/interval.hpp"

namespace nw::record {

/// One start of adversarial clustering, and what the choice among starts rests on.
struct ClusteringStart {
  double objective = 0.0;  ///< wasserstein - lambda_reg * diversity; the least one wins
  double wasserstein = 0.0, diversity = 0.0;
  std::vector<double> pi{};
  bool operator==(const ClusteringStart&) const = default;
};

/// How the method nw got to its clusters.
struct ClusteringTraining {
  std::uint64_t steps = 0;  ///< of all starts
  std::string end{};        ///< finished, interrupted or diverged
  double diversity = 0.0;   ///< lambda_reg
  std::vector<ClusteringStart> starts{};
  std::size_t start = 0;             ///< the one chosen, from 1
  std::vector<std::size_t> order{};  ///< component of each cluster
  double temperature = 0.0;          ///< energy at which memberships even out
  bool operator==(const ClusteringTraining&) const = default;
};

/// One of the clusterings that competed.
struct ClusteringCandidate {
  std::string name{};
  double separation = 0.0;             ///< what candidates are compared by: the sum of
  double cut = 0.0;                    ///< (minus the log of) ties that lead out of clusters,
  double valley = 0.0, balance = 0.0;  ///< log density inside over border, entropy of shares
  std::optional<double> objective{};   ///< W - lambda R, where it is a mixture
  bool operator==(const ClusteringCandidate&) const = default;
};

/// `nw cluster`.
struct ClusteringSummary {
  std::string method{};  ///< evidence, nw, kmeans, gmm, equilibrium, genie
  std::size_t k = 0;
  std::vector<double> pi{};                    ///< [k], largest first
  std::vector<Interval> pi_interval{};         ///< [k], where the method has them
  std::string criterion{};                     ///< what the method optimises; its name in JSON
  double value = 0.0;                          ///< of the criterion
  std::uint64_t iterations = 0;                ///< of the winning start; steps for nw
  std::string features{};                      ///< none, diffusion
  std::vector<double> eigenvalues{};           ///< of the walk, under diffusion
  std::vector<double> bimodality{};            ///< of its coordinates
  std::optional<double> agreement{};           ///< mean ARI with other communities of the points
  std::vector<std::vector<double>> centres{};  ///< [k], in the space of the data
  std::string assignments{};                   ///< file with the cluster of each point
  std::optional<double> purity{}, nmi{}, ami{}, ari{};  ///< where the points have classes
  std::optional<ClusteringTraining> training{};
  std::string winner{};  ///< of the candidates; those are listed best first
  std::optional<double> margin{}, gaussian_evidence{}, gaussian_stability{};
  std::vector<ClusteringCandidate> candidates{};
  std::vector<std::uint64_t> k_interval{};  ///< least and most, where k was found
  std::optional<double> noise{};            ///< share of the points set apart
  bool operator==(const ClusteringSummary&) const = default;
};

/// `nw gan`, and the dual of `nw compare` and `nw distance`.
struct GenerationSummary {
  std::string method{};  ///< nwgan, wgan, mgan
  std::size_t k = 0;
  std::uint64_t steps = 0;
  std::string end{};  ///< finished, interrupted or diverged
  std::uint64_t recoveries = 0;
  /// Of each data set, one or two: proportions, W to held-out rows, and W between two samples of
  /// the data themselves where rows could be held out.
  std::vector<std::vector<double>> pi{};
  std::vector<double> wasserstein{};
  std::vector<std::optional<double>> floor{};
  std::vector<std::pair<std::string, double>> last_values{};  ///< of training, at its last line
  bool operator==(const GenerationSummary&) const = default;

  /// W of one data set, W_N of two.
  [[nodiscard]] double total_distance() const;
};

}  // namespace nw::record
