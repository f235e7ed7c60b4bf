#include "nw/nn/parameters.hpp"

#include <functional>
#include <numeric>

#include "nw/base/error.hpp"
#include "nw/nn/random_tensor.hpp"

namespace nw::nn {
namespace {

// Parameters begin at multiples of 64 bytes: what vector instructions like best. The padding is
// zero and has zero gradients, so no optimiser moves it; flatten() takes its zeros from there.
constexpr std::int64_t kAlignment = 16;

std::int64_t count_of(const ParameterSpec& spec) {
  return std::accumulate(spec.sizes.begin(), spec.sizes.end(), std::int64_t{1},
                         std::multiplies<>());
}

}  // namespace

ParameterSet::ParameterSet(std::vector<ParameterSpec> specs, const Rng& rng)
    : specs_(std::move(specs)) {
  std::int64_t total = 0;
  for (const auto& spec : specs_) {
    offsets_.push_back(total);
    total += (count_of(spec) + kAlignment - 1) / kAlignment * kAlignment;
  }
  flat_ = torch::zeros({total}, torch::kFloat32);
  for (std::size_t i = 0; i < specs_.size(); ++i) {
    const auto& spec = specs_[i];
    auto place = flat_.narrow(0, offsets_[i], count_of(spec));
    if (spec.half_width > 0.0) {
      place.copy_(
          uniform_tensor(rng.split(i), {count_of(spec)}, -spec.half_width, spec.half_width));
    } else {
      place.fill_(spec.constant);
    }
  }
  make_leaves();
}

void ParameterSet::make_leaves() {
  leaves_.clear();
  for (std::size_t i = 0; i < specs_.size(); ++i) {
    leaves_.push_back(flat_.narrow(0, offsets_[i], count_of(specs_[i]))
                          .view(specs_[i].sizes)
                          .detach()
                          .requires_grad_(true));
  }
}

const torch::Tensor& ParameterSet::at(const std::string& name) const {
  for (std::size_t i = 0; i < specs_.size(); ++i) {
    if (specs_[i].name == name) return leaves_[i];
  }
  throw InvalidArgument(concat("no parameter is called ", name));
}

ParameterSet ParameterSet::joined(ParameterSet& first, ParameterSet& second) {
  ParameterSet result;
  result.flat_ = torch::cat({first.flat_, second.flat_});
  for (ParameterSet* part : {&first, &second}) {
    const std::int64_t begin = part == &first ? 0 : first.count();
    part->flat_ = result.flat_.narrow(0, begin, part->count());
    part->make_leaves();
    for (std::size_t i = 0; i < part->size(); ++i) {
      result.specs_.push_back(part->specs_[i]);
      result.offsets_.push_back(begin + part->offsets_[i]);
      result.leaves_.push_back(part->leaves_[i]);
    }
  }
  return result;
}

void ParameterSet::to(const torch::Device& device) {
  flat_ = flat_.to(device);
  make_leaves();
}

void ParameterSet::assign(const torch::Tensor& flat) {
  require(flat.dim() == 1 && flat.numel() == count(), "ParameterSet: ", flat.numel(),
          " values cannot fill ", count());
  const torch::NoGradGuard no_grad;
  flat_.copy_(flat);
}

torch::Tensor ParameterSet::flatten(const std::vector<torch::Tensor>& gradients) const {
  require(gradients.size() == size(), "ParameterSet: ", gradients.size(), " gradients for ", size(),
          " parameters");
  // One launch for all on a GPU, and not one for each.
  std::vector<torch::Tensor> pieces;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const std::int64_t own = count_of(specs_[i]);
    const std::int64_t end = i + 1 < offsets_.size() ? offsets_[i + 1] : count();
    pieces.push_back(gradients[i].defined() ? gradients[i].detach().reshape({-1})
                                            : torch::zeros({own}, flat_.options()));
    const std::int64_t padded = offsets_[i] + own;
    if (padded < end) pieces.push_back(flat_.narrow(0, padded, end - padded));
  }
  return pieces.empty() ? torch::zeros_like(flat_) : torch::cat(pieces);
}

}  // namespace nw::nn
