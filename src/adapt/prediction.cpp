#include "nw/adapt/prediction.hpp"

#include <algorithm>

#include "nw/base/error.hpp"

namespace nw::adapt {

using torch::Tensor;

namespace {

// Rows that go through the networks at once: activations of a backbone take a hundred megabytes for
// ten images.
std::int64_t rows_at_once(const nn::FeatureNetwork& features) {
  switch (features.options().kind) {
    case nn::FeatureKind::backbone:
      return 64;
    case nn::FeatureKind::small:
      return 512;
    default:
      return 2048;
  }
}

std::vector<std::int64_t> likeliest(const Tensor& posterior) {
  const auto best = posterior.argmax(1).contiguous();
  const auto* first = best.data_ptr<std::int64_t>();
  return {first, first + best.numel()};
}

double same_share(const std::vector<std::int64_t>& one, const std::vector<std::int64_t>& other) {
  require(one.size() == other.size() && !one.empty(), "agreements: predictions for ", one.size(),
          " and ", other.size(), " rows");
  std::size_t same = 0;
  for (std::size_t i = 0; i < one.size(); ++i) same += one[i] == other[i] ? 1 : 0;
  return static_cast<double>(same) / static_cast<double>(one.size());
}

}  // namespace

Prediction predict(const ClassifyingNetworks& networks, const DomainRows& rows, DomainSide side,
                   std::span<const std::int64_t> chosen) {
  const torch::NoGradGuard no_grad;
  const auto& [features, classifier] = networks;
  const auto device = classifier.parameters().flat().device();
  const auto indices =
      (chosen.empty() ? torch::arange(rows.size(), torch::kInt64)
                      : torch::tensor(at::IntArrayRef(chosen.data(), chosen.size()), torch::kInt64))
          .to(device);
  std::vector<Tensor> posterior, mapped;
  const std::int64_t most = rows_at_once(features);
  for (std::int64_t at = 0; at < indices.size(0); at += most) {
    const std::int64_t count = std::min(most, indices.size(0) - at);
    const auto own_rows = rows.take(indices.narrow(0, at, count));
    const auto own =
        features.forward(side == DomainSide::source ? nn::FeatureRows{.source = own_rows}
                                                    : nn::FeatureRows{.target = own_rows});
    posterior.push_back(at::softmax(classifier.forward(own), 1).to(torch::kCPU));
    mapped.push_back(own.to(torch::kCPU));
  }
  Prediction result{
      .posterior = torch::cat(posterior), .features = torch::cat(mapped), .predicted = {}};
  result.predicted = likeliest(result.posterior);
  return result;
}

Prediction mean_prediction(std::span<const Prediction> several) {
  require(!several.empty(), "mean_prediction: no predictions");
  auto sum = torch::zeros_like(several.front().posterior);
  for (const auto& one : several) {
    require(one.posterior.sizes() == sum.sizes(), "mean_prediction: predictions for ",
            one.posterior.size(0), " rows and ", one.posterior.size(1), " classes, and for ",
            sum.size(0), " and ", sum.size(1));
    sum += one.posterior;
  }
  Prediction mean{
      .posterior = sum / static_cast<double>(several.size()), .features = {}, .predicted = {}};
  mean.predicted = likeliest(mean.posterior);
  return mean;
}

std::vector<double> agreements(std::span<const Prediction> several) {
  std::vector<double> result(several.size(), several.size() == 1 ? 1.0 : 0.0);
  for (std::size_t a = 0; a < several.size(); ++a) {
    for (std::size_t b = a + 1; b < several.size(); ++b) {
      const double share = same_share(several[a].predicted, several[b].predicted) /
                           static_cast<double>(several.size() - 1);
      result[a] += share;
      result[b] += share;
    }
  }
  return result;
}

}  // namespace nw::adapt
