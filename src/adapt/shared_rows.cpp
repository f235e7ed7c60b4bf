#include "adapt/shared_rows.hpp"

#include "train/team_rows.hpp"

namespace nw::adapt {

using torch::Tensor;

SharedRows::SharedRows(Team* team, const std::vector<std::int64_t>& batches,
                       const torch::Device& device)
    : team_(team) {
  std::vector<Tensor> places;
  for (const auto rows : batches) {
    if (team != nullptr) {
      const train::Part part(team, rows);
      const auto first = rows_ + part.begin;
      places.push_back(torch::arange(first, first + part.count, torch::kInt64));
    }
    rows_ += rows;
  }
  if (team != nullptr) places_ = torch::cat(places).to(device);
}

double SharedRows::share() const {
  return team_ == nullptr ? 1.0 : static_cast<double>(places_.size(0)) / static_cast<double>(rows_);
}

Tensor SharedRows::own(const Tensor& whole) const {
  return team_ == nullptr || !whole.defined() ? whole : whole.index_select(0, places_);
}

Tensor SharedRows::gathered(const Tensor& own) const {
  if (team_ == nullptr) return own;
  auto sizes = own.sizes().vec();
  sizes[0] = rows_;
  Tensor whole = torch::zeros(sizes, own.options()).index_copy_(0, places_, own);
  train::sum_over(team_, {&whole});
  return whole;
}

std::function<Tensor(at::IntArrayRef)> SharedRows::uniform(train::Draws& draws) const {
  if (team_ == nullptr) return [&draws](at::IntArrayRef sizes) { return draws.uniform(sizes); };
  return [&draws, rows = rows_, places = places_](at::IntArrayRef sizes) {
    auto whole = sizes.vec();
    whole[0] = rows;
    return draws.uniform(whole).index_select(0, places);
  };
}

}  // namespace nw::adapt
