#include "nw/adapt/denoise_model.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/run/run_directory.hpp"
#include "nw/train/state_tensors.hpp"

#include "adapt/model_bytes.hpp"

namespace nw::adapt {
namespace {

using Json = nlohmann::ordered_json;
using torch::Tensor;

constexpr std::int64_t kBlock = 500;
constexpr const char* kKind = "denoiser";

template <typename Apply>
Tensor in_blocks(const Autoencoder& model, const Tensor& rows, const Apply& apply) {
  const torch::NoGradGuard no_grad;
  const auto device = model.encoder().flat().device();
  std::vector<Tensor> parts;
  for (std::int64_t first = 0; first < rows.size(0); first += kBlock) {
    const auto block = rows.narrow(0, first, std::min(kBlock, rows.size(0) - first));
    parts.push_back(apply(block.to(device)).to(torch::kCPU));
  }
  return torch::cat(parts);
}

}  // namespace

Tensor DenoiseScale::to_network(MatrixView rows) const {
  require(rows.cols() == shift.size(), "rows of ", rows.cols(), " values, expected ", shift.size());
  Matrix scaled(rows.rows(), rows.cols());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t c = 0; c < rows.cols(); ++c) scaled(i, c) = (rows(i, c) - shift[c]) / scale;
  }
  return bridge::to_tensor(scaled);
}

Matrix DenoiseScale::to_data(const Tensor& rows) const {
  Matrix data = bridge::to_matrix(rows);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    for (std::size_t c = 0; c < data.cols(); ++c) data(i, c) = data(i, c) * scale + shift[c];
  }
  return data;
}

DenoiseScale fit_scale(const io::PointSet& source) {
  const std::size_t d = source.dimension();
  DenoiseScale result{.shift = std::vector<double>(d, 0.0)};
  if (source.image) return result;
  const auto rows = static_cast<double>(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    for (std::size_t c = 0; c < d; ++c) result.shift[c] += source.values(i, c) / rows;
  }
  double square = 0.0;
  for (std::size_t i = 0; i < source.size(); ++i) {
    for (std::size_t c = 0; c < d; ++c) {
      const double delta = source.values(i, c) - result.shift[c];
      square += delta * delta;
    }
  }
  const double deviation = std::sqrt(square / (rows * static_cast<double>(d)));
  result.scale = deviation > 0.0 ? deviation : 1.0;
  return result;
}

AutoencoderOptions network_for(const io::PointSet& source) {
  AutoencoderOptions network{.data_dim = static_cast<std::int64_t>(source.dimension()),
                             .image = {}};
  if (source.image) {
    network.image = {static_cast<std::int64_t>(source.image->height),
                     static_cast<std::int64_t>(source.image->width),
                     static_cast<std::int64_t>(source.image->channels)};
  }
  return network;
}

Tensor embed_rows(const Autoencoder& model, const Tensor& rows) {
  return in_blocks(model, rows, [&](const Tensor& block) { return model.encode(block); });
}

Tensor denoise_rows(const Autoencoder& model, const Tensor& rows) {
  return in_blocks(model, rows,
                   [&](const Tensor& block) { return model.decode(model.encode(block)); });
}

double mean_square(MatrixView a, MatrixView b) {
  require(a.rows() == b.rows() && a.cols() == b.cols() && !a.empty(), "mean_square: ", a.rows(),
          " x ", a.cols(), " against ", b.rows(), " x ", b.cols());
  double sum = 0.0;
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t c = 0; c < a.cols(); ++c) sum += (a(i, c) - b(i, c)) * (a(i, c) - b(i, c));
  }
  return sum / static_cast<double>(a.rows() * a.cols());
}

double residual_variance(MatrixView noisy, MatrixView denoised) {
  const double square = mean_square(noisy, denoised);
  double mean = 0.0;
  for (std::size_t i = 0; i < noisy.rows(); ++i) {
    for (std::size_t c = 0; c < noisy.cols(); ++c) mean += noisy(i, c) - denoised(i, c);
  }
  mean /= static_cast<double>(noisy.rows() * noisy.cols());
  return square - mean * mean;
}

std::string denoiser_json(const AutoencoderOptions& network, const DenoiseScale& scale) {
  return Json{{"kind", kKind},
              {"data_dim", network.data_dim},
              {"image", {network.image.height, network.image.width, network.image.channels}},
              {"embedding", network.embedding},
              {"channels", network.channels},
              {"hidden", network.hidden},
              {"shift", network.is_image() ? std::vector<double>{} : scale.shift},
              {"scale", scale.scale}}
      .dump();
}

TrainedDenoiser make_denoiser(const std::string& description, const std::string& source) {
  TrainedDenoiser result;
  try {
    const Json json = Json::parse(description);
    require(json.value("kind", "") == kKind, "it belongs to another command");
    AutoencoderOptions network;
    network.data_dim = json.at("data_dim").get<std::int64_t>();
    const auto& image = json.at("image");
    network.image = {image.at(0).get<std::int64_t>(), image.at(1).get<std::int64_t>(),
                     image.at(2).get<std::int64_t>()};
    network.embedding = json.at("embedding").get<std::int64_t>();
    network.channels = json.at("channels").get<std::int64_t>();
    network.hidden = json.at("hidden").get<std::vector<std::int64_t>>();
    result.scale = {.shift = json.at("shift").get<std::vector<double>>(),
                    .scale = json.at("scale").get<double>()};
    if (network.is_image()) {
      result.scale.shift.assign(static_cast<std::size_t>(network.data_dim), 0.0);
    }
    require(static_cast<std::int64_t>(result.scale.shift.size()) == network.data_dim,
            "columns that do not fit the network");
    network.validate();
    result.model = std::make_unique<Autoencoder>(network, Rng(0));
  } catch (const nlohmann::json::exception& error) {
    throw IoError(concat(source, " describes no denoiser: ", error.what()));
  } catch (const InvalidArgument& error) {
    throw IoError(concat(source, " describes no denoiser: ", error.what()));
  }
  return result;
}

std::vector<train::NamedTensor> denoiser_state(const Autoencoder& model) {
  return {{"model.encoder", model.encoder().flat()}, {"model.decoder", model.decoder().flat()}};
}

std::vector<train::NamedTensor> TrainedDenoiser::state() const {
  return denoiser_state(*model);
}

std::vector<std::byte> to_bytes(const TrainedDenoiser& denoiser) {
  return model_bytes(denoiser.state(), denoiser_json(denoiser.model->options(), denoiser.scale),
                     denoiser.step);
}

TrainedDenoiser parse_denoiser(std::span<const std::byte> bytes, const std::string& source) {
  return parse_model_bytes(bytes, source, [&](const std::string& description) {
    return make_denoiser(description, source);
  });
}

TrainedDenoiser load_denoiser(const std::filesystem::path& run, const std::string& description) {
  auto result = make_denoiser(description, concat(run.string(), ": config.json"));
  const auto choice = run::read_newest_checkpoint(run::checkpoint_folder(run));
  if (!choice.checkpoint) throw IoError(concat(run.string(), ": there is no checkpoint yet"));
  result.step = choice.checkpoint->step;
  train::restore(*choice.checkpoint, result.state());
  return result;
}

Matrix TrainedDenoiser::denoise(MatrixView noisy) const {
  return scale.to_data(denoise_rows(*model, scale.to_network(noisy)));
}

}  // namespace nw::adapt
