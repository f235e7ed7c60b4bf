// The critic of the paper's clustering table: 4 x 4 convolutions of stride 2 that double the
// channels down to 4 x 4 pixels, then one of stride 1 down to a number; leaky ReLU between them.
#include "nn/critic_kinds.hpp"
#include "nn/image_layout.hpp"
#include "nn/spectral_critic.hpp"

namespace nw::nn {
namespace {

class ConvolutionalCritic final : public SpectralCritic {
 public:
  ConvolutionalCritic(const CriticOptions& options, const Rng& rng)
      : size_(options.image), slope_(options.slope) {
    const int stages = stages_of(size_, "the convolutional critic");
    ParameterSpecs specs;
    std::int64_t inputs = size_.channels, outputs = options.channels;
    for (int stage = 0; stage < stages; ++stage) {
      add_convolution(specs, "conv" + std::to_string(stage), inputs, outputs, 4);
      inputs = outputs;
      outputs *= 2;
    }
    add_convolution(specs, "conv" + std::to_string(stages), inputs, 1, 4);
    draw_parameters(std::move(specs), options, rng);
  }

  torch::Tensor forward(const torch::Tensor& points) const override {
    torch::Tensor a = rows_to_images(points, size_);
    for (std::size_t i = 0; i + 2 < parameters_.size(); i += 2) {
      a = at::conv2d(a, weight(i), parameters_[i + 1], /*stride=*/2,
                     /*padding=*/1);
      a = at::leaky_relu(a, slope_);
    }
    const std::size_t last = parameters_.size() - 2;
    return at::conv2d(a, weight(last), parameters_[last + 1]).flatten();
  }

 private:
  ImageSize size_;
  double slope_;
};

}  // namespace

std::unique_ptr<Critic> make_convolutional_critic(const CriticOptions& options, const Rng& rng) {
  return std::make_unique<ConvolutionalCritic>(options, rng);
}

}  // namespace nw::nn
