// A trained denoiser: applied to data, scored, and read back from a run.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <torch/types.h>

#include "nw/adapt/denoise_game.hpp"
#include "nw/adapt/denoise_networks.hpp"
#include "nw/base/matrix_view.hpp"
#include "nw/io/points.hpp"

namespace nw::adapt {

/// From data to what networks see and back. Images keep their values; the columns of a table are
/// centred and divided by one scale, both those of the source.
struct DenoiseScale {
  std::vector<double> shift;  ///< [d]
  double scale = 1.0;

  [[nodiscard]] torch::Tensor to_network(MatrixView rows) const;
  [[nodiscard]] Matrix to_data(const torch::Tensor& rows) const;
};

[[nodiscard]] DenoiseScale fit_scale(const io::PointSet& source);

/// What the networks for `source` must look like; widths are the recipe's business.
[[nodiscard]] AutoencoderOptions network_for(const io::PointSet& source);

/// f(x) and g(f(x)) for many rows, without gradients, a few at a time, on the CPU.
[[nodiscard]] torch::Tensor embed_rows(const Autoencoder& model, const torch::Tensor& rows);
[[nodiscard]] torch::Tensor denoise_rows(const Autoencoder& model, const torch::Tensor& rows);

/// Mean over all values of (a - b)^2, in the units of the data: err_recons of the paper.
[[nodiscard]] double mean_square(MatrixView a, MatrixView b);

/// Variance over all values of noisy - denoised: what can be known without clean rows. If noise is
/// independent of the rows and too rich for the embedding to carry, its expectation is the squared
/// error of the denoised rows (but for a constant offset) plus the variance of the noise.
[[nodiscard]] double residual_variance(MatrixView noisy, MatrixView denoised);

/// Networks and scale as the text of one JSON object, for config.json.
[[nodiscard]] std::string denoiser_json(const AutoencoderOptions& network,
                                        const DenoiseScale& scale);

struct TrainedDenoiser {
  std::unique_ptr<Autoencoder> model;
  DenoiseScale scale;
  std::int64_t step = 0;

  /// Everything that training decided, in place.
  [[nodiscard]] std::vector<train::NamedTensor> state() const;
  /// Rows of the data, denoised.
  [[nodiscard]] Matrix denoise(MatrixView noisy) const;
};

/// The tensors of a denoiser by their roles, as TrainedDenoiser and DenoiseGame name them.
[[nodiscard]] std::vector<train::NamedTensor> denoiser_state(const Autoencoder& model);

/// Random weights, for a description that denoiser_json wrote. Throws IoError that starts with
/// `source`.
[[nodiscard]] TrainedDenoiser make_denoiser(const std::string& description,
                                            const std::string& source);

/// A denoiser as the bytes of one safetensors file, and back. Throws IoError.
[[nodiscard]] std::vector<std::byte> to_bytes(const TrainedDenoiser& denoiser);
[[nodiscard]] TrainedDenoiser parse_denoiser(std::span<const std::byte> bytes,
                                             const std::string& source);

/// The newest checkpoint of the denoiser of a run, for one that is not finished. Throws IoError.
[[nodiscard]] TrainedDenoiser load_denoiser(const std::filesystem::path& run,
                                            const std::string& description);

}  // namespace nw::adapt
