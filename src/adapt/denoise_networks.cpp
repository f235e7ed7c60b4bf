// The paper's table "Domain adaptation for image denoising experiment". It gives neither padding
// nor the size of images. One reading makes all sizes meet: images of 28 x 28; convolutions of the
// encoder padded by 1 (28, 14, 7, 3 pixels after each pooling), the last one not padded (1 pixel);
// those of the decoder padded by 2, 2 and 1 (from 1 pixel to 3, enlarged to 6, 7, enlarged to 28,
// 28). Other sizes follow the same pattern: the convolution in the middle covers what is left after
// three halvings, and the last enlargement goes to the size of the image.
#include "nw/adapt/denoise_networks.hpp"

#include <cmath>
#include <string>

#include "nw/base/error.hpp"

namespace nw::adapt {
namespace {

using torch::Tensor;
using Specs = std::vector<nn::ParameterSpec>;

constexpr std::int64_t kLeastSide = 8;

void add_layer(Specs& specs, const std::string& name, std::vector<std::int64_t> sizes) {
  std::int64_t inputs = 1;
  for (std::size_t i = 1; i < sizes.size(); ++i) inputs *= sizes[i];
  const double half_width = 1.0 / std::sqrt(static_cast<double>(inputs));
  const std::int64_t outputs = sizes[0];
  specs.push_back({name + ".weight", std::move(sizes), half_width});
  specs.push_back({name + ".bias", {outputs}, half_width});
}

/// What is left of an image after three halvings.
nn::ImageSize core_of(const nn::ImageSize& image) {
  return {image.height / 8, image.width / 8, image.channels};
}

Specs image_encoder(const AutoencoderOptions& options) {
  const std::int64_t c = options.channels, d = 2 * c;
  const auto core = core_of(options.image);
  Specs specs;
  add_layer(specs, "conv0", {c, options.image.channels, 3, 3});
  add_layer(specs, "conv1", {d, c, 3, 3});
  add_layer(specs, "conv2", {d, d, 3, 3});
  add_layer(specs, "conv3", {d, d, core.height, core.width});
  add_layer(specs, "linear", {options.embedding, d});
  return specs;
}

Specs image_decoder(const AutoencoderOptions& options) {
  const std::int64_t c = options.channels, d = 2 * c;
  const auto core = core_of(options.image);
  Specs specs;
  add_layer(specs, "linear", {d, options.embedding});
  add_layer(specs, "conv0", {c, d, core.height, core.width});
  add_layer(specs, "conv1", {c, c, 4, 4});
  add_layer(specs, "conv2", {options.image.channels, c, 3, 3});
  return specs;
}

Specs perceptron(std::int64_t inputs, const std::vector<std::int64_t>& hidden,
                 std::int64_t outputs) {
  Specs specs;
  std::size_t layer = 0;
  for (const auto width : hidden) {
    add_layer(specs, "linear" + std::to_string(layer++), {width, inputs});
    inputs = width;
  }
  add_layer(specs, "linear" + std::to_string(layer), {outputs, inputs});
  return specs;
}

Tensor through(const nn::ParameterSet& layers, Tensor rows) {
  for (std::size_t i = 0; i < layers.size(); i += 2) {
    if (i > 0) rows = at::relu(rows);
    rows = at::linear(rows, layers[i], layers[i + 1]);
  }
  return rows;
}

}  // namespace

void AutoencoderOptions::validate() const {
  const auto positive = [](std::int64_t value, const char* field) {
    require(value > 0, "AutoencoderOptions.", field, " must be positive, got ", value);
  };
  positive(data_dim, "data_dim");
  positive(embedding, "embedding");
  positive(channels, "channels");
  for (const auto width : hidden) positive(width, "hidden");
  if (!is_image()) return;
  require(image.count() == data_dim, "AutoencoderOptions: images of ", image.height, " x ",
          image.width, " x ", image.channels, " do not fill rows of ", data_dim, " values");
  require(image.height >= kLeastSide && image.width >= kLeastSide,
          "images must have at least 8 x 8 pixels, got ", image.height, " x ", image.width);
}

Autoencoder::Autoencoder(const AutoencoderOptions& options, const Rng& rng) : options_(options) {
  options_.validate();
  if (options_.is_image()) {
    encoder_ = nn::ParameterSet(image_encoder(options_), rng.split(0));
    decoder_ = nn::ParameterSet(image_decoder(options_), rng.split(1));
    return;
  }
  const std::vector<std::int64_t> reversed(options_.hidden.rbegin(), options_.hidden.rend());
  encoder_ = nn::ParameterSet(perceptron(options_.data_dim, options_.hidden, options_.embedding),
                              rng.split(0));
  decoder_ =
      nn::ParameterSet(perceptron(options_.embedding, reversed, options_.data_dim), rng.split(1));
}

Tensor Autoencoder::encode(const Tensor& rows) const {
  const auto& p = encoder_;
  if (!options_.is_image()) return through(p, rows);
  const auto& size = options_.image;
  Tensor a =
      rows.view({rows.size(0), size.height, size.width, size.channels}).permute({0, 3, 1, 2});
  for (std::size_t i = 0; i < 6; i += 2) {
    a = at::max_pool2d(at::relu(at::conv2d(a, p[i], p[i + 1], /*stride=*/1, /*padding=*/1)), 2);
  }
  return at::linear(at::conv2d(a, p[6], p[7]).flatten(1), p[8], p[9]);
}

Tensor Autoencoder::decode(const Tensor& embeddings) const {
  const auto& p = decoder_;
  if (!options_.is_image()) return through(p, embeddings);
  const auto& size = options_.image;
  const auto core = core_of(size);
  Tensor a = at::linear(embeddings, p[0], p[1]).unsqueeze(2).unsqueeze(3);
  a = at::conv2d(a, p[2], p[3], /*stride=*/1, {core.height - 1, core.width - 1});
  a = at::upsample_nearest2d(at::relu(a), {2 * core.height, 2 * core.width});
  a = at::conv2d(a, p[4], p[5], /*stride=*/1, /*padding=*/2);
  a = at::upsample_nearest2d(at::relu(a), {size.height, size.width});
  a = at::conv2d(a, p[6], p[7], /*stride=*/1, /*padding=*/1);
  return a.permute({0, 2, 3, 1}).reshape({embeddings.size(0), -1});
}

void Autoencoder::to(const torch::Device& device) {
  encoder_.to(device);
  decoder_.to(device);
}

}  // namespace nw::adapt
