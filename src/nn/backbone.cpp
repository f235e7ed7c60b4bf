#include "nw/nn/backbone.hpp"

#include <algorithm>
#include <set>
#include <sstream>

#include "nw/base/error.hpp"

#include "nn/backbone_layers.hpp"
#include "nn/image_layout.hpp"
#include "nn/names.hpp"

namespace nw::nn {
namespace {

using torch::Tensor;

constexpr NamedValue<BackboneKind> kKinds[] = {{"resnet18", BackboneKind::resnet18},
                                               {"mobilenet", BackboneKind::mobilenet},
                                               {"cifar_resnet", BackboneKind::cifar_resnet},
                                               {"inception_v3", BackboneKind::inception_v3}};

// Images at a time when features are computed once: enough to keep all cores busy, little enough
// for the memory of a laptop.
constexpr std::int64_t kFeatureBatch = 32;
// Halvings of these networks leave at least one pixel of 32.
constexpr std::int64_t kLeastSide = 32;

std::string text_of(at::IntArrayRef sizes) {
  std::ostringstream text;
  text << sizes;
  return text.str();
}

bool is_counter(const std::string& name) {
  return name.ends_with(".num_batches_tracked");
}

bool is_last_layer(const std::string& name) {
  return name.starts_with("fc.") || name.starts_with("linear.") || name.starts_with("conv_preds/");
}

/// The classifier that Inception has beside its trunk while it learns.
bool is_aside(const std::string& name) {
  return name.starts_with("AuxLogits.");
}

void copy_into(const ParameterSet& set, const NamedTensors& weights, std::set<std::string>& used) {
  for (std::size_t i = 0; i < set.size(); ++i) {
    const auto& name = set.specs()[i].name;
    const auto found = weights.find(name);
    if (found == weights.end()) {
      require(is_last_layer(name), "there is no tensor ", name);
      continue;
    }
    require(found->second.sizes() == set[i].sizes(), "tensor ", name, " has the sizes ",
            text_of(found->second.sizes()), ", expected ", text_of(set[i].sizes()));
    Tensor target = set[i].detach();  // shares memory with the set
    target.copy_(found->second);
    used.insert(name);
  }
}

}  // namespace

const char* to_string(BackboneKind kind) {
  return name_of(kKinds, kind);
}

BackboneKind backbone_kind_from_string(const std::string& name) {
  return value_of(kKinds, name, "backbone");
}

std::int64_t smallest_side(BackboneKind kind) {
  constexpr std::int64_t kLeastForInception = 75;
  return kind == BackboneKind::inception_v3 ? kLeastForInception : kLeastSide;
}

void BackboneOptions::validate() const {
  require(classes >= 0, "BackboneOptions.classes must not be negative, got ", classes);
  require(width > 0.0, "BackboneOptions.width must be positive, got ", width);
  require(blocks > 0, "BackboneOptions.blocks must be positive, got ", blocks);
}

BackboneOptions backbone_options(const NamedTensors& weights) {
  const auto rows = [&](const char* name) {
    const auto found = weights.find(name);
    return found == weights.end() || found->second.dim() == 0 ? 0 : found->second.size(0);
  };
  BackboneOptions options;
  if (weights.contains("conv1/kernel")) {
    constexpr double kFullChannels = 32.0;
    options.kind = BackboneKind::mobilenet;
    options.width = static_cast<double>(rows("conv1/kernel")) / kFullChannels;
    options.classes = rows("conv_preds/kernel");
  } else if (weights.contains("Mixed_5b.branch1x1.conv.weight")) {
    options.kind = BackboneKind::inception_v3;
    options.classes = rows("fc.weight");
  } else if (weights.contains("layer1.0.conv1.weight") && rows("layer1.0.conv1.weight") == 16) {
    options.kind = BackboneKind::cifar_resnet;
    options.classes = rows("linear.weight");
    options.blocks = 1;
    while (weights.contains(concat("layer1.", options.blocks, ".conv1.weight"))) ++options.blocks;
  } else {
    require(weights.contains("layer1.0.conv1.weight"),
            "these are not the weights of a network known here: neither layer1.0.conv1.weight "
            "(ResNet-18 or ResNet-56 for CIFAR-10), Mixed_5b.branch1x1.conv.weight (Inception-v3; "
            "both as torchvision names them) nor conv1/kernel (MobileNet-v1) is there");
    require(
        !weights.contains("layer1.2.conv1.weight") && !weights.contains("layer1.0.conv3.weight"),
        "these are the weights of a larger ResNet; ResNet-18 is the one known here");
    options.classes = rows("fc.weight");
  }
  options.validate();
  return options;
}

void Backbone::load(const NamedTensors& weights) {
  const torch::NoGradGuard no_grad;
  std::set<std::string> used;
  copy_into(parameters_, weights, used);
  copy_into(statistics_, weights, used);
  for (const auto& [name, tensor] : weights) {
    require(used.contains(name) || is_counter(name) || is_last_layer(name) || is_aside(name),
            "tensor ", name, " belongs to another network");
  }
}

void Backbone::to(const torch::Device& device) {
  parameters_.to(device);
  statistics_.to(device);
}

std::unique_ptr<Backbone> make_backbone(const BackboneOptions& options, const Rng& rng) {
  options.validate();
  switch (options.kind) {
    case BackboneKind::resnet18:
      return make_resnet18(options, rng);
    case BackboneKind::mobilenet:
      return make_mobilenet(options, rng);
    case BackboneKind::cifar_resnet:
      return make_cifar_resnet(options, rng);
    case BackboneKind::inception_v3:
      return make_inception_v3(options, rng);
  }
  throw InvalidArgument("BackboneOptions.kind is unknown");
}

Tensor backbone_images(const Tensor& images, std::int64_t side) {
  require(images.size(1) == 1 || images.size(1) == 3,
          "backbones take grey or colour images, got images of ", images.size(1), " channels");
  Tensor result = images;
  if (images.size(1) == 1) result = result.expand({-1, 3, -1, -1});
  if (side > 0 && (result.size(2) != side || result.size(3) != side)) {
    result = at::upsample_bilinear2d(result, {side, side}, /*align_corners=*/false);
  }
  require(result.size(2) >= kLeastSide && result.size(3) >= kLeastSide,
          "backbones take images of at least 32 x 32 pixels, got ", result.size(2), " x ",
          result.size(3));
  return result.contiguous();
}

Tensor backbone_images(const Tensor& rows, const ImageSize& size, std::int64_t side) {
  require(rows.dim() == 2 && rows.size(1) == size.count(), "backbone_images: rows of ",
          rows.dim() == 2 ? rows.size(1) : 0, " values are not images of ", size.height, " x ",
          size.width, " x ", size.channels);
  return backbone_images(rows_to_images(rows, size), side);
}

Tensor frozen_features(const Backbone& backbone, const Tensor& rows, const ImageSize& size,
                       std::int64_t side) {
  const torch::NoGradGuard no_grad;
  const auto device = backbone.parameters().flat().device();
  std::vector<Tensor> parts;
  for (std::int64_t first = 0; first < rows.size(0); first += kFeatureBatch) {
    const auto part = rows.narrow(0, first, std::min(kFeatureBatch, rows.size(0) - first));
    parts.push_back(
        backbone.features(backbone_images(part.to(device), size, side)).to(torch::kCPU));
  }
  require(!parts.empty(), "frozen_features: no rows");
  return torch::cat(parts);
}

}  // namespace nw::nn
