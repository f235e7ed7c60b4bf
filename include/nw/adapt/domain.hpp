// Rows of the source and the target domain as networks see them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <torch/types.h>

#include "nw/io/labels.hpp"
#include "nw/io/points.hpp"
#include "nw/nn/image_size.hpp"
#include "nw/train/draws.hpp"

namespace nw::adapt {

/// What both domains are brought to. Images get one size and number of channels; columns of tables
/// are centred and scaled by the source's moments, since the target's hold the shift that is to be
/// learnt.
struct InputForm {
  nn::ImageSize image = {};          ///< 0 x 0 for tables
  std::vector<double> shift, scale;  ///< tables: per column

  [[nodiscard]] bool is_image() const noexcept { return image.count() > 0; }
  [[nodiscard]] std::int64_t dim() const {
    return is_image() ? image.count() : static_cast<std::int64_t>(shift.size());
  }
};

/// The form for two domains. Images that differ in size by at most a quarter meet at the smaller
/// size, to which the larger ones are cropped; others are scaled to one size. They may be grey in
/// one domain and coloured in the other. Throws IoError naming both sources when one holds images
/// and the other does not, or when columns do not fit.
[[nodiscard]] InputForm fit_form(const io::PointSet& source, const io::PointSet& target);

/// How images change from one step to the next.
struct Augmentation {
  bool anywhere = false;   ///< windows lie anywhere in the image, and not in the middle
  std::int64_t shift = 0;  ///< and up to this many pixels off, beyond the border where need be
  double jitter = 0.0;     ///< see AdaptOptions.jitter
};

/// Rows of one domain in memory: images as bytes, since there may be many.
class DomainRows {
 public:
  DomainRows() = default;
  /// Images as bytes [n, channels, height, width], or rows [n, d] already centred and scaled.
  DomainRows(torch::Tensor values, const InputForm& form);

  [[nodiscard]] std::int64_t size() const { return values_.defined() ? values_.size(0) : 0; }
  /// The rows `indices` [n] for networks: [n, channels, height, width] in [-1, 1] (one channel
  /// where the images are grey), or [n, d]. Images are cut in the middle.
  [[nodiscard]] torch::Tensor take(const torch::Tensor& indices) const;
  /// The same with images changed at random.
  [[nodiscard]] torch::Tensor take(const torch::Tensor& indices, train::Draws& draws,
                                   const Augmentation& augmentation = {}) const;
  void to(const torch::Device& device);

 private:
  torch::Tensor values_;
  InputForm form_;
};

/// Images [n, c, h, w] of bytes that networks can take windows of that size from: as they are where
/// they are larger by at most a quarter, otherwise scaled to it.
[[nodiscard]] torch::Tensor brought_near(const torch::Tensor& images, const nn::ImageSize& size);

/// Points as rows of a form. Throws IoError when they do not fit it.
[[nodiscard]] DomainRows rows_of(const io::PointSet& points, const InputForm& form);

/// The classes of a source, in the order of their labels: by value where all are integers, else by
/// name.
struct Classes {
  std::vector<std::string> names;

  [[nodiscard]] std::size_t size() const noexcept { return names.size(); }
  /// -1 for a name that is not a class of the source.
  [[nodiscard]] std::int64_t index_of(const std::string& name) const;
  /// The class of every row, -1 where the source has none of that name.
  [[nodiscard]] std::vector<std::int64_t> indices_of(const io::Labels& labels) const;
};

/// Throws InvalidArgument when there are fewer than two classes.
[[nodiscard]] Classes classes_of(const io::Labels& labels);

/// Rows of the source that are learnt from and rows kept apart, both in increasing order.
struct Holdout {
  std::vector<std::int64_t> training, held_out;
};

/// Keeps `share` of the rows of each class apart, none of classes with fewer than 20 rows.
[[nodiscard]] Holdout hold_out(std::span<const std::int64_t> class_of, std::size_t classes,
                               double share, Rng rng);

/// The share of each class among `rows`, numbers of rows whose classes `class_of` knows.
[[nodiscard]] std::vector<double> class_shares(std::span<const std::int64_t> class_of,
                                               std::span<const std::int64_t> rows,
                                               std::size_t classes);

}  // namespace nw::adapt
