// The encoder f and the decoder g of the denoising task.
#pragma once

#include <cstdint>
#include <vector>

#include <torch/types.h>

#include "nw/base/rng.hpp"
#include "nw/nn/image_size.hpp"
#include "nw/nn/parameters.hpp"

namespace nw::adapt {

/// What encoder and decoder look like. The defaults are the paper's table for grey digits.
struct AutoencoderOptions {
  /// Length of a row of data. Positive.
  std::int64_t data_dim = 784;
  /// How a row is an image, at least 8 x 8; 0 x 0: a row of a table, and perceptrons.
  nn::ImageSize image = {28, 28, 1};
  /// Length of an embedding f(x). Positive.
  std::int64_t embedding = 2;
  /// Images: channels of the first convolution and of the last before the image. Positive.
  std::int64_t channels = 64;
  /// Tables: widths of the layers of the encoder; the decoder has them in reverse. Each positive.
  std::vector<std::int64_t> hidden = {128, 128};

  [[nodiscard]] bool is_image() const noexcept { return image.count() > 0; }
  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

/// f: rows to embeddings, and g: embeddings to rows.
///
/// Images: three times [convolution 3 x 3, ReLU, maximum over 2 x 2], one convolution over what is
/// left (3 x 3 for digits) to a single place, a linear map; and back by convolutions and copying of
/// neighbours. Tables: perceptrons with ReLU.
class Autoencoder {
 public:
  /// Random weights, drawn as PyTorch's layers draw theirs.
  Autoencoder(const AutoencoderOptions& options, const Rng& rng);

  /// f(x): [n, data_dim] -> [n, embedding].
  [[nodiscard]] torch::Tensor encode(const torch::Tensor& rows) const;
  /// g(z): [n, embedding] -> [n, data_dim].
  [[nodiscard]] torch::Tensor decode(const torch::Tensor& embeddings) const;

  [[nodiscard]] const AutoencoderOptions& options() const noexcept { return options_; }
  [[nodiscard]] nn::ParameterSet& encoder() noexcept { return encoder_; }
  [[nodiscard]] const nn::ParameterSet& encoder() const noexcept { return encoder_; }
  [[nodiscard]] nn::ParameterSet& decoder() noexcept { return decoder_; }
  [[nodiscard]] const nn::ParameterSet& decoder() const noexcept { return decoder_; }
  void to(const torch::Device& device);

 private:
  AutoencoderOptions options_;
  nn::ParameterSet encoder_, decoder_;
};

}  // namespace nw::adapt
