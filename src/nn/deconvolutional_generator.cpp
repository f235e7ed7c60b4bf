// The generator of the paper's clustering table: 4 x 4 transposed convolutions from a 1 x 1 latent
// image, the first to 4 x 4 pixels, each later one doubling the side and halving the channels;
// batch norm and ReLU between them, tanh at the end.
#include "nn/batch_norm_generator.hpp"
#include "nn/generator_kinds.hpp"
#include "nn/image_layout.hpp"

namespace nw::nn {
namespace {

using torch::Tensor;

// Parameters of one stage: weight and bias of the deconvolution, scale and shift of batch norm.
constexpr std::size_t kPerStage = 4;

class DeconvolutionalGenerator final : public BatchNormGenerator {
 public:
  DeconvolutionalGenerator(const MixtureGeneratorOptions& options, const Rng& rng)
      : BatchNormGenerator(options),
        stages_(stages_of(options.image, "the deconvolutional generator")) {
    const std::int64_t k = options.components;
    ParameterSpecs specs;
    std::int64_t inputs = options.latent_dim, outputs = options.channels << (stages_ - 1);
    for (int stage = 0; stage <= stages_; ++stage) {
      const std::string name = "stage" + std::to_string(stage);
      const bool last = stage == stages_;
      if (last) outputs = options.image.channels;
      // PyTorch takes the fan-in of a transposed convolution from its outputs.
      const double half_width = layer_half_width(outputs * 16);
      specs.push_back({name + ".deconv.weight", {k, inputs, outputs, 4, 4}, half_width});
      specs.push_back({name + ".deconv.bias", {k, outputs}, half_width});
      if (last) break;
      add_norm(specs, name + ".norm", outputs);
      inputs = outputs;
      outputs /= 2;
    }
    parameters_ = ParameterSet(std::move(specs), rng);
  }

  Tensor forward(const Tensor& z, std::int64_t first, Mode mode) const override {
    const ComponentRange range{first, z.size(0)};
    Tensor a = latents_to_channels(z);
    for (int stage = 0; stage <= stages_; ++stage) {
      const std::size_t p = kPerStage * static_cast<std::size_t>(stage);
      const bool widen = stage > 0;
      a = grouped_deconvolution(a, parameters_[p], parameters_[p + 1], range, widen ? 2 : 1,
                                widen ? 1 : 0);
      if (stage == stages_) break;
      a = normed_relu(a, p + 2, static_cast<std::size_t>(stage), range, mode);
    }
    return channels_to_rows(at::tanh(a), range.count, options_.image);
  }

 private:
  int stages_;  // doublings after the first 4 x 4
};

}  // namespace

GeneratorPtr make_deconvolutional_generator(const MixtureGeneratorOptions& options,
                                            const Rng& rng) {
  return std::make_unique<DeconvolutionalGenerator>(options, rng);
}

}  // namespace nw::nn
