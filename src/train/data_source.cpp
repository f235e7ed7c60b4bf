#include "nw/train/data_source.hpp"

#include <algorithm>
#include <numeric>

#include "nw/base/error.hpp"
#include "nw/bridge/tensor_matrix.hpp"

namespace nw::train {
namespace {

using torch::Tensor;

/// Cumulative shares, the last one exactly 1, for drawing by bisection.
Tensor cumulative(std::span<const double> weights) {
  std::vector<double> sums(weights.size());
  std::partial_sum(weights.begin(), weights.end(), sums.begin());
  require(!sums.empty() && sums.back() > 0.0, "a data source needs weights that are not all zero");
  std::vector<float> shares(sums.size());
  std::transform(sums.begin(), sums.end(), shares.begin(),
                 [&](double sum) { return static_cast<float>(sum / sums.back()); });
  return torch::tensor(shares);
}

Tensor draw_by(const Tensor& shares, std::int64_t count, Draws& draws) {
  return torch::searchsorted(shares, draws.uniform({count}), /*out_int32=*/false, /*right=*/true)
      .clamp_max(shares.numel() - 1);
}

class TableSource final : public DataSource {
 public:
  TableSource(Tensor rows, std::span<const double> weights) : rows_(std::move(rows)) {
    require(rows_.dim() == 2 && rows_.size(0) > 0, "a data source needs rows");
    if (!weights.empty()) shares_ = cumulative(weights);
  }
  Tensor draw(std::int64_t count, Draws& draws) const override {
    const auto chosen =
        shares_.defined() ? draw_by(shares_, count, draws) : draws.indices(count, rows_.size(0));
    return rows_.index_select(0, chosen);
  }
  std::int64_t dim() const override { return rows_.size(1); }
  void to(const torch::Device& device) override {
    rows_ = rows_.to(device);
    if (shares_.defined()) shares_ = shares_.to(device);
  }

 private:
  Tensor rows_, shares_;
};

class MixtureSource final : public DataSource {
 public:
  MixtureSource(const measure::Mixture& mixture, std::span<const double> pi)
      : shares_(cumulative(pi)) {
    mixture.validate();
    measure::validate_proportions(pi, mixture.size());
    std::vector<Tensor> centres, factors;
    for (const auto& component : mixture.components) {
      require(component.is_affine(), "mixture_source: components must be affine");
      centres.push_back(bridge::to_tensor({component.centre, 1, component.centre.size()}));
      factors.push_back(bridge::to_tensor(component.factor.view()).t());
    }
    centres_ = torch::cat(centres);
    factors_ = torch::stack(factors);
  }
  Tensor draw(std::int64_t count, Draws& draws) const override {
    const auto component = draw_by(shares_, count, draws);
    const auto z = draws.normal({count, dim()});
    // x = centre + factor z, row by row: in a few dimensions a sum is cheaper than small products.
    auto x = centres_.index_select(0, component);
    const auto factors = factors_.index_select(0, component);  // [count, from, to]
    for (std::int64_t c = 0; c < dim(); ++c)
      x.addcmul_(factors.select(1, c), z.select(1, c).unsqueeze(1));
    return x;
  }
  std::int64_t dim() const override { return centres_.size(1); }
  void to(const torch::Device& device) override {
    shares_ = shares_.to(device);
    centres_ = centres_.to(device);
    factors_ = factors_.to(device);
  }

 private:
  Tensor shares_, centres_, factors_;  // [k], [k, d], [k, d, d] transposed
};

}  // namespace

std::unique_ptr<DataSource> table_source(Tensor rows, std::span<const double> weights) {
  return std::make_unique<TableSource>(std::move(rows), weights);
}

std::unique_ptr<DataSource> mixture_source(const measure::Mixture& mixture,
                                           std::span<const double> pi) {
  return std::make_unique<MixtureSource>(mixture, pi);
}

}  // namespace nw::train
