// Private: rows of several batches one after the other, which the processes of a team share.
#pragma once

#include <functional>
#include <vector>

#include <torch/types.h>

#include "nw/base/team.hpp"
#include "nw/train/draws.hpp"

namespace nw::adapt {

/// Every process has its part of each batch. Without a team it has everything.
class SharedRows {
 public:
  /// `batches`: the rows of each.
  SharedRows(Team* team, const std::vector<std::int64_t>& batches, const torch::Device& device);

  /// This process's share of all rows.
  [[nodiscard]] double share() const;
  /// This process's rows of `whole`, which has them all; undefined stays undefined.
  [[nodiscard]] torch::Tensor own(const torch::Tensor& whole) const;
  /// All rows from those that each process has.
  [[nodiscard]] torch::Tensor gathered(const torch::Tensor& own) const;
  /// Uniform numbers for this process's rows. They depend on the row, not on the process.
  [[nodiscard]] std::function<torch::Tensor(at::IntArrayRef sizes)> uniform(
      train::Draws& draws) const;

 private:
  Team* team_;
  std::int64_t rows_ = 0;
  torch::Tensor places_;  // of this process's rows among all
};

}  // namespace nw::adapt
