// From data to what networks like to see, and back.
#pragma once

#include <optional>
#include <vector>

#include <torch/types.h>

#include "nw/base/matrix_view.hpp"
#include "nw/io/points.hpp"
#include "nw/nn/image_size.hpp"

namespace nw::gan {

/// Points are centred and divided by one scale, so that distances keep their proportions; images
/// with values in [0, 1] go to [-1, 1] and are padded to a side of 8, 16, 32, ... pixels.
struct Normalisation {
  std::vector<double> shift;  ///< [d] of the data
  double scale = 1.0;
  nn::ImageSize image = {};   ///< of the data; 0 x 0 for points
  nn::ImageSize padded = {};  ///< of what networks see

  [[nodiscard]] bool is_image() const noexcept { return image.count() > 0; }
  /// Length of a row for networks.
  [[nodiscard]] std::int64_t network_dim() const;
  /// [n, d] of the data -> [n, network_dim].
  [[nodiscard]] torch::Tensor to_network(MatrixView data) const;
  /// [n, network_dim] -> [n, d] of the data.
  [[nodiscard]] Matrix to_data(const torch::Tensor& rows) const;
};

/// What leaves points as they are.
[[nodiscard]] Normalisation identity_normalisation(std::size_t dim);
/// Points to mean zero and mean variance one; images as described above.
[[nodiscard]] Normalisation fit_normalisation(const io::PointSet& points);

}  // namespace nw::gan
