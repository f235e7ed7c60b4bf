// Where a training step takes its real rows from.
#pragma once

#include <memory>

#include <torch/types.h>

#include "nw/measure/mixture.hpp"
#include "nw/train/draws.hpp"

namespace nw::train {

class DataSource {
 public:
  virtual ~DataSource() = default;
  /// `count` independent rows: [count, dim].
  [[nodiscard]] virtual torch::Tensor draw(std::int64_t count, Draws& draws) const = 0;
  [[nodiscard]] virtual std::int64_t dim() const = 0;
  virtual void to(const torch::Device& device) = 0;
};

/// Rows of a table, drawn with replacement; in proportion to `weights` where there are some.
[[nodiscard]] std::unique_ptr<DataSource> table_source(torch::Tensor rows,
                                                       std::span<const double> weights = {});

/// Fresh points of a mixture of affine components: a distribution instead of a sample. Rows are
/// drawn from component j with probability pi_j.
[[nodiscard]] std::unique_ptr<DataSource> mixture_source(const measure::Mixture& mixture,
                                                         std::span<const double> pi);

}  // namespace nw::train
