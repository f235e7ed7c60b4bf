#include "app/generation/image_scoring.hpp"

#include "nw/adapt/weight_file.hpp"
#include "nw/base/error.hpp"
#include "nw/bridge/tensor_matrix.hpp"

namespace nw::app {
namespace {

std::string name_of(const nn::BackboneOptions& options) {
  switch (options.kind) {
    case nn::BackboneKind::inception_v3:
      return "Inception";
    case nn::BackboneKind::cifar_resnet:
      return concat("ResNet-", 6 * options.blocks + 2);
    case nn::BackboneKind::resnet18:
      return "ResNet-18";
    case nn::BackboneKind::mobilenet:
      return "MobileNet";
  }
  return "unknown";
}

std::int64_t side_of(nn::BackboneKind kind) {
  constexpr std::int64_t kInceptionSide = 299, kImageNetSide = 224;
  if (kind == nn::BackboneKind::cifar_resnet) return 0;
  return kind == nn::BackboneKind::inception_v3 ? kInceptionSide : kImageNetSide;
}

}  // namespace

bool ScoreSpace::is_inception() const {
  return network->options().kind == nn::BackboneKind::inception_v3;
}

std::string ScoreSpace::score_name() const {
  return is_inception() ? "Inception Score" : name + " score";
}

std::string ScoreSpace::distance_name() const {
  return is_inception() ? "FID" : name + " Frechet distance";
}

ScoreSpace load_score_space(const std::string& weights, const torch::Device& device) {
  ScoreSpace space{.network = adapt::load_backbone(weights), .name = {}};
  const auto& options = space.network->options();
  if (options.classes == 0) {
    throw IoError(concat(weights, ": has no last layer, and scores need its classes"));
  }
  space.name = name_of(options);
  space.side = side_of(options.kind);
  space.network->to(device);
  return space;
}

SeenImages see(const ScoreSpace& space, const torch::Tensor& rows, const nn::ImageSize& size) {
  const torch::NoGradGuard no_grad;
  const auto features = nn::frozen_features(*space.network, rows, size, space.side);
  const auto device = space.network->parameters().flat().device();
  const auto logits = space.network->logits(features.to(device)).to(torch::kFloat64);
  return {.features = bridge::to_matrix(features),
          .probabilities = bridge::to_matrix(at::softmax(logits, 1))};
}

ImageScores score_images(const SeenImages& generated, const score::FeatureMoments& real) {
  constexpr int kParts = 10;
  constexpr std::size_t kEnough = 1000;
  return {.score = score::class_score(generated.probabilities,
                                      generated.probabilities.rows() < kEnough ? 1 : kParts),
          .distance = score::frechet_distance(score::feature_moments(generated.features), real)};
}

}  // namespace nw::app
