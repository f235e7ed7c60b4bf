#include "ot/network_simplex.hpp"

#include <algorithm>
#include <cmath>

namespace nw::ot {
namespace {

/// Pivots made on the arcs of one priced block. More would use stale prices, fewer would price
/// more.
constexpr std::size_t kPivotsPerBlock = 24;
/// Arcs whose violation is below this share of the block's worst wait for a later round.
constexpr double kShareOfWorst = 0.3;
/// Arcs whose worst is remembered, so that a search for violated ones skips most of them.
constexpr std::size_t kStrip = 64;
/// Arcs do not fit in the caches near a core; this many are under way to it.
constexpr std::size_t kArcsAhead = 128;
/// Blocks priced between two questions to the budget's owner.
constexpr int kBlocksPerQuestion = 256;

}  // namespace

NetworkSimplex::NetworkSimplex(std::span<const std::int64_t> supply,
                               std::span<const std::int64_t> demand, std::vector<Arc> arcs)
    : tree_(supply, demand), arcs_(std::move(arcs)) {}

void NetworkSimplex::add_arcs(std::span<const Arc> arcs) {
  next_ = arcs_.size();
  arcs_.insert(arcs_.end(), arcs.begin(), arcs.end());
  if (next_ == arcs_.size()) next_ = 0;
}

double NetworkSimplex::price(std::size_t begin, std::size_t end) {
  worst_of_strip_.clear();
  double worst_of_all = 0.0;
  for (std::size_t first = begin; first < end; first += kStrip) {
    const std::size_t last = std::min(end, first + kStrip);
    double worst = 0.0;
    for (std::size_t k = first; k < last; ++k) {
      __builtin_prefetch(arcs_.data() + k + kArcsAhead);
      const double reduced = tree_.reduced_cost(arcs_[k]);
      reduced_[k - begin] = reduced;
      worst = reduced < worst ? reduced : worst;
    }
    worst_of_strip_.push_back(worst);
    worst_of_all = std::min(worst_of_all, worst);
  }
  return worst_of_all;
}

void NetworkSimplex::pivot_on_worst(std::size_t begin, std::size_t end, double threshold,
                                    PivotBudget& budget) {
  violations_.clear();
  for (std::size_t strip = 0; strip < worst_of_strip_.size(); ++strip) {
    if (worst_of_strip_[strip] >= threshold) continue;
    const std::size_t first = strip * kStrip, last = std::min(end - begin, first + kStrip);
    // Whether an arc is violated is hard to predict, so each is written, and overwritten by the
    // next one if it is not.
    std::size_t found = violations_.size();
    violations_.resize(found + kStrip);
    for (std::size_t k = first; k < last; ++k) {
      violations_[found] = {reduced_[k], static_cast<std::uint32_t>(begin + k)};
      found += reduced_[k] < threshold ? 1 : 0;
    }
    violations_.resize(found);
  }
  if (violations_.size() > kPivotsPerBlock) {
    std::nth_element(violations_.begin(), violations_.begin() + kPivotsPerBlock, violations_.end());
    violations_.resize(kPivotsPerBlock);
  }
  std::sort(violations_.begin(), violations_.end());
  for (const Violation& violation : violations_) {
    const Arc& arc = arcs_[violation.arc];
    const double reduced = tree_.reduced_cost(arc);  // earlier pivots may have mended it
    if (reduced >= threshold) continue;
    tree_.pivot(arc.source, arc.target, arc.cost, reduced);
    budget.spend();
    if (budget.exhausted()) return;
  }
}

SimplexOutcome NetworkSimplex::run(double tolerance, PivotBudget& budget) {
  if (budget.exhausted()) return SimplexOutcome::pivot_limit;
  if (budget.interrupted()) return SimplexOutcome::interrupted;
  const std::size_t count = arcs_.size();
  const auto block =
      static_cast<std::size_t>(std::max(128.0, 2.0 * std::sqrt(static_cast<double>(count))));
  reduced_.resize(block);
  const auto refresh_every =
      static_cast<std::int64_t>(std::max<std::size_t>(100000, 4 * tree_.nodes()));
  std::int64_t refresh_at = budget.pivots() + refresh_every;
  int blocks = 0;
  for (std::size_t clean = 0; clean < count;) {
    const std::size_t begin = next_, end = std::min(count, begin + block);
    const double worst = price(begin, end);
    if (worst < -tolerance) {
      pivot_on_worst(begin, end, std::min(-tolerance, kShareOfWorst * worst), budget);
      clean = 0;
      if (budget.exhausted()) return SimplexOutcome::pivot_limit;
      if (budget.pivots() >= refresh_at) {
        tree_.refresh_potentials();
        refresh_at = budget.pivots() + refresh_every;
      }
    } else {
      clean += end - begin;
    }
    next_ = end == count ? 0 : end;
    if (++blocks % kBlocksPerQuestion == 0 && budget.interrupted()) {
      return SimplexOutcome::interrupted;
    }
  }
  return SimplexOutcome::clean;
}

}  // namespace nw::ot
