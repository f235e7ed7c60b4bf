// The residual generator of Gulrajani et al. 2017, appendix F: a linear layer to 4 x 4 pixels, one
// block per doubling of the side (batch norm, ReLU, upsampling, two 3 x 3 convolutions, and a
// 1 x 1 convolution as shortcut), then batch norm, ReLU, a 3 x 3 convolution and tanh.
#include "nn/batch_norm_generator.hpp"
#include "nn/generator_kinds.hpp"
#include "nn/image_layout.hpp"

namespace nw::nn {
namespace {

using torch::Tensor;

// Of one block: two norms of two parameters, three convolutions of two.
constexpr std::size_t kPerBlock = 10;

class ResidualGenerator final : public BatchNormGenerator {
 public:
  ResidualGenerator(const MixtureGeneratorOptions& options, const Rng& rng)
      : BatchNormGenerator(options), blocks_(stages_of(options.image, "the residual generator")) {
    const std::int64_t width = options.channels;
    ParameterSpecs specs;
    const double half_width = layer_half_width(options.latent_dim);
    specs.push_back({"linear.weight", {k(), options.latent_dim, 16 * width}, half_width});
    specs.push_back({"linear.bias", {k(), 1, 16 * width}, half_width});
    for (int block = 0; block < blocks_; ++block) {
      const std::string name = "block" + std::to_string(block);
      add_norm(specs, name + ".norm0", width);
      add_conv(specs, name + ".conv0", width, width, 3);
      add_norm(specs, name + ".norm1", width);
      add_conv(specs, name + ".conv1", width, width, 3);
      add_conv(specs, name + ".shortcut", width, width, 1);
    }
    add_norm(specs, "norm", width);
    add_conv(specs, "conv", width, options.image.channels, 3);
    parameters_ = ParameterSet(std::move(specs), rng);
  }

  Tensor forward(const Tensor& z, std::int64_t first, Mode mode) const override {
    if (z.size(0) == 1 || !z.is_cuda()) return forward_together(z, first, mode);
    // Grouped convolutions are slow on GPUs, and launches cost nothing in a recorded step.
    std::vector<Tensor> parts;
    for (std::int64_t c = 0; c < z.size(0); ++c) {
      parts.push_back(forward_together(z.narrow(0, c, 1), first + c, mode));
    }
    return torch::cat(parts);
  }

 private:
  /// All components in one pass, as groups of each convolution.
  [[nodiscard]] Tensor forward_together(const Tensor& z, std::int64_t first, Mode mode) const {
    const ComponentRange range{first, z.size(0)};
    const auto type = options_.bfloat16 ? torch::kBFloat16 : torch::kFloat32;
    const Tensor start = at::baddbmm(range.of(parameters_[1]), z, range.of(parameters_[0]));
    Tensor a = start.transpose(0, 1).reshape({z.size(1), range.count * options_.channels, 4, 4});
    if (z.is_cuda()) a = a.contiguous(at::MemoryFormat::ChannelsLast);
    a = a.to(type);
    std::size_t p = 2, norm = 0;
    const auto normed = [&](const Tensor& x, std::size_t at) {
      return normed_relu(x, at, norm++, range, mode);
    };
    const auto conv = [&](const Tensor& x, std::size_t at, std::int64_t padding) {
      return grouped_convolution(x, range.of(parameters_[at]).to(type),
                                 range.of(parameters_[at + 1]).to(type), range, padding);
    };
    for (int block = 0; block < blocks_; ++block, p += kPerBlock) {
      Tensor inner = conv(doubled(normed(a, p)), p + 2, 1);
      inner = conv(normed(inner, p + 4), p + 6, 1);
      a = inner + conv(doubled(a), p + 8, 0);
    }
    a = conv(normed(a, p), p + 2, 1);
    return channels_to_rows(at::tanh(a.to(torch::kFloat32)), range.count, options_.image);
  }

  [[nodiscard]] std::int64_t k() const { return options_.components; }

  void add_conv(ParameterSpecs& specs, const std::string& name, std::int64_t inputs,
                std::int64_t outputs, std::int64_t kernel) const {
    const double half_width = layer_half_width(inputs * kernel * kernel);
    specs.push_back({name + ".weight", {k(), outputs, inputs, kernel, kernel}, half_width});
    specs.push_back({name + ".bias", {k(), outputs}, half_width});
  }

  static Tensor doubled(const Tensor& a) {
    return at::upsample_nearest2d(a, {2 * a.size(2), 2 * a.size(3)});
  }

  int blocks_;
};

}  // namespace

GeneratorPtr make_residual_generator(const MixtureGeneratorOptions& options, const Rng& rng) {
  return std::make_unique<ResidualGenerator>(options, rng);
}

}  // namespace nw::nn
