#include "nw/nn/feature_network.hpp"

#include <algorithm>

#include "nw/base/error.hpp"

#include "nn/feature_kinds.hpp"
#include "nn/names.hpp"
#include "nn/team_batch_norm.hpp"

namespace nw::nn {
namespace {

constexpr NamedValue<FeatureKind> kKinds[] = {{"mlp", FeatureKind::mlp},
                                              {"lenet", FeatureKind::lenet},
                                              {"small", FeatureKind::small},
                                              {"backbone", FeatureKind::backbone}};
constexpr NamedValue<FeatureNorm> kNorms[] = {{"none", FeatureNorm::none},
                                              {"joint", FeatureNorm::joint},
                                              {"by-domain", FeatureNorm::by_domain}};

}  // namespace

const char* to_string(FeatureKind kind) {
  return name_of(kKinds, kind);
}

FeatureKind feature_kind_from_string(const std::string& name) {
  return value_of(kKinds, name, "feature network");
}

const char* to_string(FeatureNorm norm) {
  return name_of(kNorms, norm);
}

FeatureNorm feature_norm_from_string(const std::string& name) {
  return value_of(kNorms, name, "norm of features");
}

void FeatureOptions::validate() const {
  const auto positive = [](const std::vector<std::int64_t>& widths, const char* field) {
    for (const auto width : widths) {
      require(width > 0, "FeatureOptions.", field, " must be positive, got ", width);
    }
  };
  require(dropout >= 0.0 && dropout < 1.0, "FeatureOptions.dropout must lie in [0, 1), got ",
          dropout);
  if (kind == FeatureKind::backbone) {
    backbone.validate();
    require(image.channels == 1 || image.channels == 3,
            "FeatureOptions.image: backbones take grey or colour images, got ", image.channels,
            " channels");
    require(side >= 0, "FeatureOptions.side must not be negative, got ", side);
    const std::int64_t least = side > 0 ? side : std::min(image.height, image.width);
    const std::int64_t needed = smallest_side(backbone.kind);
    require(least >= needed, "FeatureOptions.side: ", to_string(backbone.kind),
            " needs images of at least ", needed, " x ", needed, " pixels, got ", least);
    positive(head, "head");
    require(norm == FeatureNorm::none || !head.empty(),
            "FeatureOptions.norm: a backbone without layers after it has none");
    return;
  }
  require(!hidden.empty(), "FeatureOptions.hidden must have at least one width");
  positive(hidden, "hidden");
  if (kind == FeatureKind::mlp) {
    require(data_dim > 0, "FeatureOptions.data_dim must be positive, got ", data_dim);
    return;
  }
  if (kind == FeatureKind::small) {
    require(
        hidden.size() >= 2 && norm != FeatureNorm::none,
        "FeatureOptions: a small network has norms, a width for each block and one for features");
    const std::int64_t least = std::int64_t{1} << (hidden.size() - 1);
    require(std::min(image.height, image.width) >= least && image.channels > 0,
            "FeatureOptions.image: ", hidden.size() - 1, " blocks need images of at least ", least,
            " x ", least, " pixels, got ", image.height, " x ", image.width);
    return;
  }
  require(hidden.size() == 2, "FeatureOptions.hidden: LeNet has two convolutions, got ",
          hidden.size(), " widths");
  require(std::min(image.height, image.width) >= kSmallestForLenet && image.channels > 0,
          "FeatureOptions.image: LeNet needs images of at least ", kSmallestForLenet, " x ",
          kSmallestForLenet, " pixels, got ", image.height, " x ", image.width);
}

torch::Tensor FeatureNetwork::forward(const FeatureRows& rows, const FeaturePass& pass) const {
  const auto raw = features(rows, pass);
  if (!options_.unit_length) return raw;
  return raw / raw.norm(2, 1, /*keepdim=*/true).clamp_min(1e-8);
}

std::unique_ptr<FeatureNetwork> make_feature_network(const FeatureOptions& options,
                                                     const Rng& rng) {
  options.validate();
  switch (options.kind) {
    case FeatureKind::mlp:
      return make_mlp_features(options, rng);
    case FeatureKind::lenet:
      return make_lenet_features(options, rng);
    case FeatureKind::small:
      return make_small_features(options, rng);
    case FeatureKind::backbone:
      return make_backbone_features(options, rng);
  }
  throw InvalidArgument("FeatureOptions.kind is unknown");
}

std::vector<torch::Tensor> NormedFeatures::buffers() const {
  std::vector<torch::Tensor> result;
  for (const auto& moments : moments_) {
    result.insert(result.end(), {moments.mean, moments.variance});
  }
  return result;
}

void NormedFeatures::to(const torch::Device& device) {
  FeatureNetwork::to(device);
  for (auto& moments : moments_) {
    moments.mean = moments.mean.to(device);
    moments.variance = moments.variance.to(device);
  }
}

void NormedFeatures::add_norm(ParameterSpecs& specs, const std::string& name,
                              std::int64_t channels) {
  specs.push_back({name + ".norm.scale", {channels}, 0.0, 1.0});
  specs.push_back({name + ".norm.shift", {channels}});
  moments_.emplace_back(options_.norm, channels);
}

DomainMoments::DomainMoments(FeatureNorm norm, std::int64_t channels) {
  const std::int64_t domains = norm == FeatureNorm::by_domain ? 2 : 1;
  mean = torch::zeros({domains, channels});
  variance = torch::ones({domains, channels});
}

torch::Tensor joined(const FeatureRows& parts) {
  if (!parts.target.defined()) return parts.source;
  if (!parts.source.defined()) return parts.target;
  return torch::cat({parts.source, parts.target});
}

FeatureRows parted(const torch::Tensor& all, std::int64_t sources) {
  const auto part = [&](std::int64_t first, std::int64_t last) {
    return first < last ? all.slice(0, first, last) : torch::Tensor();
  };
  return {.source = part(0, sources), .target = part(sources, all.size(0))};
}

FeatureRows domain_batch_norm(const FeatureRows& parts, const torch::Tensor& scale,
                              const torch::Tensor& shift, const DomainMoments& moments,
                              const FeaturePass& pass) {
  constexpr double kMomentum = 0.1, kEpsilon = 1e-5;
  const bool training = pass.mode == Mode::training;
  const auto normed = [&](const torch::Tensor& rows, std::int64_t domain) {
    // Views, so that training writes through to the moments.
    const auto mean = moments.mean.select(0, domain), variance = moments.variance.select(0, domain);
    if (training && pass.team != nullptr) {
      return team_batch_norm(*pass.team, rows, scale, shift, mean, variance, kMomentum, kEpsilon);
    }
    return at::batch_norm(rows, scale, shift, mean, variance, training, kMomentum, kEpsilon,
                          /*cudnn_enabled=*/true);
  };
  if (moments.mean.size(0) == 1) return {.source = normed(joined(parts), 0), .target = {}};
  return {.source = parts.source.defined() ? normed(parts.source, 0) : parts.source,
          .target = parts.target.defined() ? normed(parts.target, 1) : parts.target};
}

}  // namespace nw::nn
