// Affine and multilayer components. Weights of layer l are [k, in, out], so that one batched
// product serves all components.
#include "nn/generator_kinds.hpp"
#include "nn/layer_specs.hpp"

namespace nw::nn {
namespace {

using torch::Tensor;

class DenseGenerator : public MixtureGenerator {
 public:
  DenseGenerator(const MixtureGeneratorOptions& options, const Rng& rng)
      : MixtureGenerator(options) {
    ParameterSpecs specs;
    std::vector<std::int64_t> widths{options.latent_dim};
    widths.insert(widths.end(), options.hidden.begin(), options.hidden.end());
    widths.push_back(options.data_dim);
    for (std::size_t l = 0; l + 1 < widths.size(); ++l) {
      const std::string name = "linear" + std::to_string(l);
      const double half_width = layer_half_width(widths[l]);
      specs.push_back(
          {name + ".weight", {options.components, widths[l], widths[l + 1]}, half_width});
      specs.push_back({name + ".bias", {options.components, 1, widths[l + 1]}, half_width});
    }
    parameters_ = ParameterSet(std::move(specs), rng);
  }

 protected:
  [[nodiscard]] std::size_t layers() const { return parameters_.size() / 2; }
  [[nodiscard]] Tensor part(std::size_t index, std::int64_t first, std::int64_t count) const {
    const Tensor& whole = parameters_[index];
    return count == components() ? whole : whole.narrow(0, first, count);
  }
  [[nodiscard]] Tensor layer(std::size_t l, const Tensor& a, std::int64_t first) const {
    return at::baddbmm(part(2 * l + 1, first, a.size(0)), a, part(2 * l, first, a.size(0)));
  }
};

class AffineGenerator final : public DenseGenerator {
 public:
  using DenseGenerator::DenseGenerator;

  Tensor forward(const Tensor& z, std::int64_t first, Mode) const override {
    // The layers are composed first: their product is far smaller than the rows they act on.
    const auto [matrix, offset] = composed(first, z.size(0));
    return at::baddbmm(offset, z, matrix);
  }

  bool place(const Tensor& centres, double scale) override {
    const torch::NoGradGuard no_grad;
    if (layers() == 1) {
      const auto identity = torch::eye(options_.latent_dim, options_.data_dim,
                                       parameters_[0].options().requires_grad(false));
      parameters_[0].detach().copy_(identity.unsqueeze(0).expand_as(parameters_[0]) * scale);
    }
    const auto shift =
        centres.to(parameters_.flat().device()).unsqueeze(1) - composed(0, components()).offset;
    parameters_[parameters_.size() - 1].detach().add_(shift);
    return true;
  }

  std::optional<AffineMaps> affine_maps() const override {
    const torch::NoGradGuard no_grad;
    const auto map = composed(0, components());
    return AffineMaps{.matrix = map.matrix.detach(), .offset = map.offset.detach().squeeze(1)};
  }

 private:
  struct Composed {
    Tensor matrix, offset;  // [c, latent, data], [c, 1, data]
  };
  [[nodiscard]] Composed composed(std::int64_t first, std::int64_t count) const {
    Composed map{.matrix = part(0, first, count), .offset = part(1, first, count)};
    for (std::size_t l = 1; l < layers(); ++l) {
      map.offset = layer(l, map.offset, first);
      map.matrix = at::bmm(map.matrix, part(2 * l, first, count));
    }
    return map;
  }
};

class MlpGenerator final : public DenseGenerator {
 public:
  using DenseGenerator::DenseGenerator;

  Tensor forward(const Tensor& z, std::int64_t first, Mode) const override {
    Tensor a = z;
    for (std::size_t l = 0; l < layers(); ++l) {
      a = layer(l, a, first);
      if (l + 1 < layers()) a = at::relu(a);
    }
    return a;
  }

  bool place(const Tensor& centres, double) override {
    const torch::NoGradGuard no_grad;
    parameters_[parameters_.size() - 1].detach().add_(
        centres.to(parameters_.flat().device()).unsqueeze(1));
    return true;
  }
};

}  // namespace

GeneratorPtr make_affine_generator(const MixtureGeneratorOptions& options, const Rng& rng) {
  return std::make_unique<AffineGenerator>(options, rng);
}

GeneratorPtr make_mlp_generator(const MixtureGeneratorOptions& options, const Rng& rng) {
  return std::make_unique<MlpGenerator>(options, rng);
}

}  // namespace nw::nn
