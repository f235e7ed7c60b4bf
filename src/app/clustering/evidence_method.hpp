// The methods evidence and genie, whose models are rows of known clusters or a mixture.
#pragma once

#include "nw/app/clustering/find_clusters.hpp"

#include "app/clustering/classic_model.hpp"

namespace nw::app {

/// Several methods compete. k = 0 finds the number of clusters.
[[nodiscard]] ClassicParts run_evidence(const io::PointSet& points,
                                        const ClusteringOptions& options,
                                        const std::function<bool(double)>& observer,
                                        ClusteringResult& result);

/// Genie alone, in the space of the result, which has at most as many rows as a tree is made for.
[[nodiscard]] ClassicParts run_genie(MatrixView rows, std::size_t k,
                                     const ClusteringOptions& options, ClusteringResult& result);

/// Fills in which of the rows lie in far thinner places than the rest of their cluster.
void set_noise_apart(MatrixView rows, const ClusteringOptions& options, ClusteringResult& result);

}  // namespace nw::app
