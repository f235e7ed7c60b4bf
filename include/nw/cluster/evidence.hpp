// Clusters of any shape: several methods compete, and what the data say about their answers
// decides.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "nw/base/matrix_view.hpp"
#include "nw/base/rng.hpp"
#include "nw/measure/mixture.hpp"

namespace nw::cluster {

/// How well clusters lie apart, comparable between all clusterings of the same points into as many
/// clusters.
struct Separation {
  static constexpr double kLeastCut = 1e-3;

  /// Share of a cluster's ties to nearest neighbours that lead out of it, mean over clusters
  /// (normalised cut over their number), each with half a point more whose ties all lead out.
  double cut = 0.0;
  /// Least over clusters of log density inside (its median) over that at the border (the third
  /// quartile over ties that lead out), at most 3: at least a factor e^valley.
  double valley = 0.0;
  /// Entropy of the shares over log k.
  double balance = 0.0;

  /// -log(kLeastCut + cut) + valley.
  [[nodiscard]] double apart() const;
  /// apart() + balance.
  [[nodiscard]] double score() const;
};

struct EvidenceOptions {
  /// k. Positive, at most the number of points; 0 finds it, up to `most_components`.
  std::size_t components = 0;
  std::size_t most_components = 120;
  /// Draws of four fifths of the points (at most 2000) that say how sure k is. Not negative; 0:
  /// none.
  int resamples = 8;
  /// Points that methods see; of more, a random choice stands for all. At least 10.
  std::size_t max_points = 5000;
  /// lambda_reg of the candidates' W - lambda_reg R. Not negative; none: that is not computed.
  std::optional<double> diversity = {};
  int threads = 0;  ///< 0: every core. The result does not depend on it.
  /// Called with the share done; false stops after the candidates so far.
  std::function<bool(double)> observer = {};

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

/// Name of the candidate that is a mixture of as many Gaussians as clusters.
inline constexpr const char* kGaussianCandidate = "gaussian mixture";

/// One of the clusterings that competed.
struct Candidate {
  std::string name;
  Separation separation;
  /// W - lambda_reg R [NW:reg] of Gaussians with the clusters' means and covariances, by a few
  /// rows: what the paper minimises. It decides nothing here.
  std::optional<double> objective = {};
};

struct EvidenceResult {
  std::size_t k = 0;
  std::vector<std::size_t> fitted;     ///< rows that the methods saw, ascending
  std::vector<std::uint32_t> cluster;  ///< of each of them; the largest cluster first
  std::vector<Candidate> candidates;   ///< the winner first, the others by score
  double margin = 0.0;  ///< of the winner: log-likelihood, or score over the next different one
  /// Median over held-out rows of the log density of the mixture of Gaussians over that of a kernel
  /// estimate, which knows no clusters; that of 2, 4 or 6 principal components where they show that
  /// the rows are no such mixture. Where it is not negative, up to its standard error, the rows are
  /// one, and it wins whatever its separation, if it is stable.
  double gaussian_evidence = 0.0;
  /// Mean ARI of its members among unseen rows, by mixtures of two thirds of the rows, with its
  /// own; only of more than six columns, and where it predicts unseen rows well. Below 0.9 the rows
  /// do not tell its members, and the best separated candidate wins.
  std::optional<double> gaussian_stability = {};
  bool gaussian = false;          ///< the mixture of Gaussians won
  measure::Mixture mixture = {};  ///< of the Gaussian candidate
  std::vector<double> pi = {};    ///< its proportions
  double ridge = 0.0;             ///< added to its variances
  /// Least and largest number that all rows or a resample suggest; 0: k was given.
  std::size_t k_low = 0, k_high = 0;
  bool interrupted = false;
};

/// Clusters of the rows. Time O(m^2 + n) for m = max_points; memory O(n).
[[nodiscard]] EvidenceResult cluster_by_evidence(MatrixView rows, const EvidenceOptions& options,
                                                 const Rng& rng);

}  // namespace nw::cluster
