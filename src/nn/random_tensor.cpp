#include "nw/nn/random_tensor.hpp"

#include <algorithm>

#include <ATen/Parallel.h>

#include "nw/base/error.hpp"

namespace nw::nn {
namespace {

// A block is what one stream fills: small enough to spread over threads, large enough that seeding
// the stream costs nothing.
constexpr std::int64_t kBlock = 1024;

template <typename Value, typename Draw>
torch::Tensor filled(const Rng& rng, at::IntArrayRef sizes, torch::ScalarType type, Draw draw) {
  auto tensor = torch::empty(sizes, torch::TensorOptions().dtype(type));
  auto* values = tensor.data_ptr<Value>();
  const std::int64_t count = tensor.numel();
  at::parallel_for(0, (count + kBlock - 1) / kBlock, 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t block = first; block < last; ++block) {
      Rng own = rng.split(static_cast<std::uint64_t>(block));
      const std::int64_t end = std::min(count, (block + 1) * kBlock);
      for (std::int64_t i = block * kBlock; i < end; ++i) values[i] = draw(own);
    }
  });
  return tensor;
}

}  // namespace

torch::Tensor normal_tensor(const Rng& rng, at::IntArrayRef sizes) {
  return filled<float>(rng, sizes, torch::kFloat32,
                       [](Rng& own) { return static_cast<float>(own.normal()); });
}

torch::Tensor uniform_tensor(const Rng& rng, at::IntArrayRef sizes, double low, double high) {
  require(low <= high, "uniform_tensor: low ", low, " lies above high ", high);
  return filled<float>(rng, sizes, torch::kFloat32, [low, high](Rng& own) {
    return static_cast<float>(low + (high - low) * own.uniform());
  });
}

torch::Tensor index_tensor(const Rng& rng, std::int64_t count, std::int64_t bound) {
  require(bound > 0, "index_tensor: bound must be positive, got ", bound);
  return filled<std::int64_t>(rng, {count}, torch::kInt64, [bound](Rng& own) {
    return static_cast<std::int64_t>(own.below(static_cast<std::uint64_t>(bound)));
  });
}

}  // namespace nw::nn
