#include "nw/nn/critic.hpp"

#include <ATen/Context.h>
#include <torch/csrc/autograd/autograd.h>

#include "nw/base/error.hpp"
#include "nw/nn/lipschitz.hpp"

#include "nn/critic_kinds.hpp"
#include "nn/kernels/row_blocks.hpp"
#include "nn/names.hpp"

namespace nw::nn {
namespace {

constexpr NamedValue<CriticKind> kKinds[] = {{"mlp", CriticKind::mlp},
                                             {"convolutional", CriticKind::convolutional},
                                             {"residual", CriticKind::residual}};

using torch::Tensor;

/// One block of a batch: rows [begin, begin + count) of the points or of the penalty's points.
struct Block {
  bool penalty;
  std::int64_t begin, count;
};

std::vector<Block> blocks_of(std::int64_t rows, std::int64_t penalty_rows, std::int64_t block) {
  std::vector<Block> blocks;
  for (std::int64_t at = 0; at < rows; at += block) {
    blocks.push_back({false, at, std::min(block, rows - at)});
  }
  for (std::int64_t at = 0; at < penalty_rows; at += block) {
    blocks.push_back({true, at, std::min(block, penalty_rows - at)});
  }
  return blocks;
}

/// Turns oneDNN off while it lives. Its convolutions wait for as many threads as the program may
/// use, which inside a lane is more than there are: they would wait forever.
class PlainConvolutions {
 public:
  PlainConvolutions() : before_(at::globalContext().userEnabledMkldnn()) {
    at::globalContext().setUserEnabledMkldnn(false);
  }
  ~PlainConvolutions() { at::globalContext().setUserEnabledMkldnn(before_); }
  PlainConvolutions(const PlainConvolutions&) = delete;
  PlainConvolutions& operator=(const PlainConvolutions&) = delete;

 private:
  bool before_;
};

/// A device that runs operations in parallel by itself takes the batch in one piece.
std::int64_t rows_per_block(const Tensor& points) {
  return points.is_cpu() ? kBlockRows : std::max<std::int64_t>(points.size(0), 1);
}

}  // namespace

const char* to_string(CriticKind kind) {
  return name_of(kKinds, kind);
}

CriticKind critic_kind_from_string(const std::string& name) {
  return value_of(kKinds, name, "critic");
}

void CriticOptions::validate() const {
  require(data_dim > 0, "CriticOptions.data_dim must be positive, got ", data_dim);
  require(channels > 0, "CriticOptions.channels must be positive, got ", channels);
  require(slope >= 0.0 && slope < 1.0, "CriticOptions.slope must lie in [0, 1), got ", slope);
  for (const auto width : hidden) {
    require(width > 0, "CriticOptions.hidden must be positive, got ", width);
  }
  if (kind != CriticKind::mlp) {
    require(image.count() == data_dim, "CriticOptions.image has ", image.count(),
            " values, the data ", data_dim);
  }
}

std::unique_ptr<Critic> make_critic(const CriticOptions& options, const Rng& rng) {
  options.validate();
  switch (options.kind) {
    case CriticKind::mlp:
      return make_mlp_critic(options, rng);
    case CriticKind::convolutional:
      return make_convolutional_critic(options, rng);
    case CriticKind::residual:
      return make_residual_critic(options, rng);
  }
  throw InvalidArgument("CriticOptions.kind is unknown");
}

ParameterGradient Critic::parameter_gradient(const WeightedBatch& batch,
                                             const std::optional<PenaltyBatch>& penalty) const {
  const std::int64_t rows = batch.points.size(0);
  const std::int64_t penalty_rows = penalty ? penalty->points.size(0) : 0;
  const auto blocks = blocks_of(rows, penalty_rows, rows_per_block(batch.points));
  const auto count = static_cast<std::int64_t>(blocks.size());
  const std::int64_t lanes = lane_count(count);
  std::vector<Tensor> lane_gradient(static_cast<std::size_t>(lanes));
  std::vector<Tensor> values(blocks.size()), penalties(blocks.size());
  const PlainConvolutions plain;

  for_each_lane(lanes, batch.points.device(), [&](std::int64_t lane) {
    const torch::AutoGradMode with_grad(true);
    Tensor& sum = lane_gradient[static_cast<std::size_t>(lane)];
    for (std::int64_t b = lane; b < count; b += lanes) {
      const Block& block = blocks[static_cast<std::size_t>(b)];
      Tensor objective;
      if (block.penalty) {
        const auto points = penalty->points.narrow(0, block.begin, block.count);
        const auto part = gradient_penalty(*this, points, penalty->coefficient) *
                          (static_cast<double>(block.count) / static_cast<double>(penalty_rows));
        penalties[static_cast<std::size_t>(b)] = part.detach();
        objective = -part;
      } else {
        const auto value = forward(batch.points.narrow(0, block.begin, block.count).detach());
        values[static_cast<std::size_t>(b)] = value.detach();
        objective = value.dot(batch.weights.narrow(0, block.begin, block.count));
      }
      const auto gradient = parameters_.flatten(torch::autograd::grad(
          {objective}, parameters_.leaves(), {}, /*retain_graph=*/false, /*create_graph=*/false,
          /*allow_unused=*/true));
      sum = sum.defined() ? sum.add_(gradient) : gradient;
    }
  });

  ParameterGradient result;
  result.gradient = lane_gradient.front();
  for (std::size_t lane = 1; lane < lane_gradient.size(); ++lane) {
    result.gradient.add_(lane_gradient[lane]);
  }
  std::vector<Tensor> pieces;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (blocks[b].penalty) {
      result.penalty = result.penalty.defined() ? result.penalty + penalties[b] : penalties[b];
    } else {
      pieces.push_back(values[b]);
    }
  }
  result.values = torch::cat(pieces);
  return result;
}

PointGradient Critic::point_gradient(const WeightedBatch& batch) const {
  const auto blocks = blocks_of(batch.points.size(0), 0, rows_per_block(batch.points));
  const auto count = static_cast<std::int64_t>(blocks.size());
  std::vector<Tensor> values(blocks.size()), gradients(blocks.size());
  const std::int64_t lanes = lane_count(count);
  const PlainConvolutions plain;
  for_each_lane(lanes, batch.points.device(), [&](std::int64_t lane) {
    const torch::AutoGradMode with_grad(true);
    for (std::int64_t b = lane; b < count; b += lanes) {
      const auto at = static_cast<std::size_t>(b);
      const Block& block = blocks[at];
      const auto points =
          batch.points.narrow(0, block.begin, block.count).detach().requires_grad_(true);
      const auto value = forward(points);
      values[at] = value.detach();
      const auto objective = value.dot(batch.weights.narrow(0, block.begin, block.count));
      gradients[at] = torch::autograd::grad({objective}, {points})[0];
    }
  });
  return {.values = torch::cat(values), .gradient = torch::cat(gradients)};
}

}  // namespace nw::nn
