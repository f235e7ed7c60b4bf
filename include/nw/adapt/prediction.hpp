// What a feature network with a classifier says about rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <torch/types.h>

#include "nw/adapt/domain.hpp"
#include "nw/nn/classifier.hpp"
#include "nw/nn/feature_network.hpp"

namespace nw::adapt {

enum class DomainSide { source, target };

struct Prediction {
  torch::Tensor posterior;              ///< [n, k], float32 on the CPU
  torch::Tensor features;               ///< [n, d], float32 on the CPU
  std::vector<std::int64_t> predicted;  ///< [n], the likeliest class of each
};

/// A classifier on features. Both must outlive it.
struct ClassifyingNetworks {
  const nn::FeatureNetwork& features;
  const nn::Classifier& classifier;
};

/// Predictions for the rows `chosen`, or for all of them where none are named. Rows and networks
/// must be on one device; a batch of rows goes through at once.
[[nodiscard]] Prediction predict(const ClassifyingNetworks& networks, const DomainRows& rows,
                                 DomainSide side, std::span<const std::int64_t> chosen = {});

/// What several classifiers say together of the same rows: the mean of their posteriors, without
/// features. Throws InvalidArgument for none, or where rows or classes differ in number.
[[nodiscard]] Prediction mean_prediction(std::span<const Prediction> several);

/// For each classifier, the share of rows for which another one names the same class, averaged over
/// the others; 1 for a single one. A run that matched classes crosswise shows here, and nowhere
/// else without labels.
[[nodiscard]] std::vector<double> agreements(std::span<const Prediction> several);

}  // namespace nw::adapt
