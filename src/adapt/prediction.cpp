#include "nw/adapt/prediction.hpp"

#include <algorithm>

namespace nw::adapt {

using torch::Tensor;

namespace {

// Rows that go through the networks at once: activations of a backbone take a hundred megabytes for
// ten images.
std::int64_t rows_at_once(const nn::FeatureNetwork& features) {
  return features.options().kind == nn::FeatureKind::backbone ? 64 : 2048;
}

}  // namespace

Prediction predict(const nn::FeatureNetwork& features, const nn::Classifier& classifier,
                   const DomainRows& rows, DomainSide side, std::span<const std::int64_t> chosen,
                   const torch::Device& device) {
  const torch::NoGradGuard no_grad;
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
  const auto likeliest = result.posterior.argmax(1).contiguous();
  const auto* first = likeliest.data_ptr<std::int64_t>();
  result.predicted.assign(first, first + likeliest.numel());
  return result;
}

}  // namespace nw::adapt
