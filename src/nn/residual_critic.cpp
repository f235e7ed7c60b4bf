// The residual critic of Gulrajani et al. 2017, appendix F, for 32 x 32 images: a block that halves
// the image straight from the input, one more that halves it, two that keep it, mean pooling and a
// linear layer. ReLU before convolutions, no normalisation.
#include <algorithm>

#include "nn/critic_kinds.hpp"
#include "nn/image_layout.hpp"
#include "nn/spectral_critic.hpp"

namespace nw::nn {
namespace {

using torch::Tensor;

class ResidualCritic final : public SpectralCritic {
 public:
  ResidualCritic(const CriticOptions& options, const Rng& rng)
      : size_(options.image),
        slope_(options.slope),
        type_(options.bfloat16 ? torch::kBFloat16 : torch::kFloat32),
        halvings_(stages_of(size_, "the residual critic") - 1) {
    ParameterSpecs specs;
    const std::int64_t width = options.channels;
    for (int block = 0; block < halvings_ + 2; ++block) {
      const std::string name = "block" + std::to_string(block);
      const std::int64_t inputs = block == 0 ? size_.channels : width;
      add_convolution(specs, name + ".conv0", inputs, width, 3);
      add_convolution(specs, name + ".conv1", width, width, 3);
      if (block < halvings_) add_convolution(specs, name + ".shortcut", inputs, width, 1);
    }
    add_linear(specs, "linear", width, 1);
    draw_parameters(std::move(specs), options, rng);
  }

  Tensor forward(const Tensor& points) const override {
    // Rows hold channels last, which is how convolutions on a GPU like their images.
    Tensor a = rows_to_images(points, size_).to(type_);
    for (int block = 0; block < halvings_ + 2; ++block) {
      // Only blocks that halve have a shortcut with parameters.
      const auto at_block = static_cast<std::size_t>(4 * block + 2 * std::min(block, halvings_));
      const bool halve = block < halvings_;
      // The first block sees raw pixels, which no activation should cut.
      Tensor inner = convolve(at_block, block == 0 ? a : at::leaky_relu(a, slope_), 1);
      inner = convolve(at_block + 2, at::leaky_relu(inner, slope_), 1);
      Tensor shortcut = a;
      if (halve) {
        inner = at::avg_pool2d(inner, 2);
        shortcut = at::avg_pool2d(shortcut, 2);
      }
      a = inner + (halve ? convolve(at_block + 4, shortcut, 0) : shortcut);
    }
    const std::size_t last = parameters_.size() - 2;
    const Tensor pooled = at::leaky_relu(a, slope_).to(torch::kFloat32).mean({2, 3});
    return at::linear(pooled, weight(last), parameters_[last + 1]).squeeze(1);
  }

 private:
  [[nodiscard]] Tensor convolve(std::size_t parameter, const Tensor& a, int padding) const {
    return at::conv2d(a, weight(parameter).to(type_), parameters_[parameter + 1].to(type_),
                      /*stride=*/1, padding);
  }

  ImageSize size_;
  double slope_;
  torch::ScalarType type_;  // of activations
  int halvings_;            // 32 x 32 -> 8 x 8 takes two
};

}  // namespace

std::unique_ptr<Critic> make_residual_critic(const CriticOptions& options, const Rng& rng) {
  return std::make_unique<ResidualCritic>(options, rng);
}

}  // namespace nw::nn
