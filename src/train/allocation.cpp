#include "nw/train/allocation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "nw/base/error.hpp"

namespace nw::train {
namespace {

bool all_equal(const std::vector<std::int64_t>& counts) {
  return std::adjacent_find(counts.begin(), counts.end(), std::not_equal_to<>()) == counts.end();
}

/// Largest remainders: shares of `total` by pi that add up to it.
std::vector<std::int64_t> shares(std::span<const double> pi, std::int64_t total) {
  std::vector<std::int64_t> counts(pi.size());
  std::vector<double> remainder(pi.size());
  for (std::size_t j = 0; j < pi.size(); ++j) {
    const double exact = pi[j] * static_cast<double>(total);
    counts[j] = static_cast<std::int64_t>(std::floor(exact));
    remainder[j] = exact - std::floor(exact);
  }
  std::vector<std::size_t> order(pi.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return remainder[a] > remainder[b]; });
  std::int64_t left = total - std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  for (std::size_t at = 0; left > 0; ++at, --left) ++counts[order[at % order.size()]];
  return counts;
}

}  // namespace

const char* to_string(Allocation allocation) {
  switch (allocation) {
    case Allocation::full:
      return "full";
    case Allocation::equal:
      return "equal";
    case Allocation::proportional:
      return "proportional";
  }
  return "unknown";
}

std::vector<std::int64_t> allocate(Allocation allocation, std::span<const double> pi,
                                   std::int64_t batch, std::int64_t floor) {
  const auto k = static_cast<std::int64_t>(pi.size());
  require(k > 0 && batch > 0 && floor > 0, "allocate: needs components, a batch and a floor, got ",
          k, ", ", batch, ", ", floor);
  if (allocation == Allocation::full) return std::vector<std::int64_t>(pi.size(), batch);
  if (allocation == Allocation::equal) {
    return std::vector<std::int64_t>(pi.size(), std::max<std::int64_t>(1, batch / k));
  }
  const std::int64_t least = std::clamp<std::int64_t>(batch / k, 1, floor);
  auto counts = shares(pi, std::max<std::int64_t>(0, batch - least * k));
  for (auto& count : counts) count += least;
  return counts;
}

torch::Tensor row_weights(const torch::Tensor& pi, const std::vector<std::int64_t>& counts) {
  if (all_equal(counts)) {
    // Not repeat_interleave, which waits for a GPU to say how long its result is.
    const auto share = (pi / static_cast<double>(counts[0])).unsqueeze(1);
    return share.expand({share.size(0), counts[0]}).flatten();
  }
  const auto n = torch::tensor(counts, torch::kInt64).to(pi.device());
  return (pi / n.to(torch::kFloat32)).repeat_interleave(n);
}

torch::Tensor component_means(const torch::Tensor& values,
                              const std::vector<std::int64_t>& counts) {
  if (all_equal(counts)) {
    return values.view({static_cast<std::int64_t>(counts.size()), counts[0]}).mean(1);
  }
  std::vector<torch::Tensor> means;
  std::int64_t begin = 0;
  for (const auto count : counts) {
    means.push_back(values.narrow(0, begin, count).mean());
    begin += count;
  }
  return torch::stack(means);
}

}  // namespace nw::train
