// The JSON fields of applications that learn, each named once: the writer and the reader of records
// both walk these lists. `visit(name, member)` is called for each field.
#pragma once

#include <string>

#include "nw/record/learning_results.hpp"

namespace nw::record {

/// `Part` and `Whole` are const for the writer.
template <typename Part, typename Visit>
void visit_start(Part& start, Visit&& visit) {
  visit("objective", start.objective);
  visit("wasserstein", start.wasserstein);
  visit("diversity", start.diversity);
  visit("pi", start.pi);
}

template <typename Part, typename Visit>
void visit_candidate(Part& candidate, Visit&& visit) {
  visit("name", candidate.name);
  visit("separation", candidate.separation);
  visit("cut", candidate.cut);
  visit("valley", candidate.valley);
  visit("balance", candidate.balance);
  visit("objective", candidate.objective);
}

template <typename Part, typename Visit>
void visit_training(Part& training, Visit&& visit) {
  visit("steps", training.steps);
  visit("end", training.end);
  visit("diversity", training.diversity);
  visit("starts", training.starts);
  visit("start", training.start);
  visit("order", training.order);
  visit("temperature", training.temperature);
}

/// The criterion's name is a field itself: the reader sets it first.
template <typename Whole, typename Visit>
void visit_clustering(Whole& clustering, Visit&& visit) {
  visit("method", clustering.method);
  visit("k", clustering.k);
  visit("pi", clustering.pi);
  visit("pi_interval", clustering.pi_interval);
  if (!clustering.criterion.empty()) visit(clustering.criterion.c_str(), clustering.value);
  visit("iterations", clustering.iterations);
  visit("features", clustering.features);
  visit("eigenvalues", clustering.eigenvalues);
  visit("bimodality", clustering.bimodality);
  visit("agreement", clustering.agreement);
  visit("centres", clustering.centres);
  visit("assignments", clustering.assignments);
  visit("purity", clustering.purity);
  visit("nmi", clustering.nmi);
  visit("ami", clustering.ami);
  visit("ari", clustering.ari);
  visit("winner", clustering.winner);
  visit("margin", clustering.margin);
  visit("gaussian_evidence", clustering.gaussian_evidence);
  visit("gaussian_stability", clustering.gaussian_stability);
  visit("candidates", clustering.candidates);
  visit("k_interval", clustering.k_interval);
  visit("noise", clustering.noise);
  if (clustering.training) visit_training(*clustering.training, visit);
}

/// Lists have an entry per data set when this is called.
template <typename Whole, typename Visit>
void visit_generation(Whole& generation, Visit&& visit) {
  visit("method", generation.method);
  visit("k", generation.k);
  visit("steps", generation.steps);
  visit("end", generation.end);
  visit("recoveries", generation.recoveries);
  if (generation.pi.size() == 2) {
    visit("pi_x", generation.pi[0]);
    visit("pi_y", generation.pi[1]);
    visit("wasserstein_x", generation.wasserstein[0]);
    visit("wasserstein_y", generation.wasserstein[1]);
    visit("wasserstein_floor_x", generation.floor[0]);
    visit("wasserstein_floor_y", generation.floor[1]);
  } else if (generation.pi.size() == 1) {
    visit("pi", generation.pi[0]);
    visit("wasserstein", generation.wasserstein[0]);
    visit("wasserstein_floor", generation.floor[0]);
  }
  visit("last_values", generation.last_values);
}

}  // namespace nw::record
