#include "ot/point_costs.hpp"

#include <algorithm>

#include "nw/base/parallel.hpp"

#include "ot/block_search.hpp"

namespace nw::ot {
namespace {

/// Query blocks per task.
constexpr std::size_t kGrain = 4;
/// Pairs of points below which waking another thread costs more than it brings.
constexpr double kPairsPerThread = 5e5;

int useful_threads(int threads, std::size_t queries, std::size_t targets) {
  const double pairs = static_cast<double>(queries) * static_cast<double>(targets);
  return std::clamp(static_cast<int>(std::min(1000.0, pairs / kPairsPerThread)), 1, threads);
}

/// Runs body(block, scratch) for all blocks of `queries` on several threads.
template <typename Real, typename Body>
void for_each_block(const BlockLayout<Real>& queries, std::size_t targets, int threads,
                    const Body& body) {
  threads = useful_threads(threads, queries.size, targets);
  std::vector<typename BlockSearch<Real>::Scratch> scratch(static_cast<std::size_t>(threads));
  parallel_for(threads, queries.blocks, kGrain,
               [&](std::size_t begin, std::size_t end, int worker) {
                 for (std::size_t block = begin; block < end; ++block) {
                   body(block, scratch[static_cast<std::size_t>(worker)]);
                 }
               });
}

template <typename Real>
void minima(const PointCloud& cloud, const BlockLayout<Real>& layout,
            std::span<const double> potential, const PointCloud& queries,
            const BlockLayout<Real>& query_layout, GroundCost cost, int threads,
            std::span<double> minimum) {
  const BlockSearch<Real> search(cloud, layout, cost, potential);
  for_each_block(query_layout, cloud.size(), threads, [&](std::size_t block, auto& scratch) {
    search.minima(queries, query_layout, block, scratch, minimum.data());
  });
}

template <typename Real>
class PointCosts final : public CostModel {
 public:
  PointCosts(const PointCloud& sources, const PointCloud& targets, GroundCost cost, int threads)
      : x_(sources),
        y_(targets),
        x_layout_(sources),
        y_layout_(targets),
        cost_(cost),
        threads_(threads) {}

  std::size_t sources() const override { return x_.size(); }
  std::size_t targets() const override { return y_.size(); }
  double cost(std::size_t i, std::size_t j) const override {
    return point_cost(cost_, x_.row(i), y_.row(j), x_.dim);
  }

  void transform_to_sources(std::span<const double> g, std::span<double> f) const override {
    minima(y_, y_layout_, g, x_, x_layout_, cost_, threads_, f);
  }
  void transform_to_targets(std::span<const double> f, std::span<double> g) const override {
    minima(x_, x_layout_, f, y_, y_layout_, cost_, threads_, g);
  }

  std::vector<Arc> best_arcs(std::span<const double> f, std::span<const double> g,
                             ArcQuota quota) const override {
    // One key per arc, so that sorting removes what both sides found.
    std::vector<std::vector<std::uint64_t>> found(x_layout_.blocks + y_layout_.blocks);
    const BlockSearch<Real> to_targets(y_, y_layout_, cost_, g);
    for_each_block(x_layout_, y_.size(), threads_, [&](std::size_t block, auto& scratch) {
      auto& keys = found[block];
      keys.reserve(kBlockSize * quota.per_source);
      to_targets.smallest(x_, x_layout_, block, f, quota.per_source, scratch,
                          [&](std::size_t i, std::span<const std::uint64_t> targets) {
                            for (const std::uint64_t j : targets) keys.push_back(key(i, j));
                          });
    });
    const BlockSearch<Real> to_sources(x_, x_layout_, cost_, f);
    for_each_block(y_layout_, x_.size(), threads_, [&](std::size_t block, auto& scratch) {
      auto& keys = found[x_layout_.blocks + block];
      keys.reserve(kBlockSize * quota.per_target);
      to_sources.smallest(y_, y_layout_, block, g, quota.per_target, scratch,
                          [&](std::size_t j, std::span<const std::uint64_t> targets) {
                            for (const std::uint64_t i : targets) keys.push_back(key(i, j));
                          });
    });
    std::vector<std::uint64_t> keys;
    std::size_t total = 0;
    for (const auto& part : found) total += part.size();
    keys.reserve(total);
    for (auto& part : found) {
      keys.insert(keys.end(), part.begin(), part.end());
      std::vector<std::uint64_t>().swap(part);
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    std::vector<Arc> arcs;
    arcs.reserve(keys.size());
    for (const std::uint64_t k : keys) {
      arcs.push_back(arc(static_cast<std::size_t>(k >> 32), static_cast<std::uint32_t>(k)));
    }
    return arcs;
  }

  std::vector<Arc> violated_arcs(std::span<const double> f, std::span<const double> g,
                                 double tolerance, std::size_t per_source,
                                 double& worst) const override {
    std::vector<double> limit(f.begin(), f.end());
    for (double& value : limit) value -= tolerance;
    std::vector<std::vector<Arc>> found(x_layout_.blocks);
    std::vector<double> lowest(x_layout_.blocks, 0.0);
    const BlockSearch<Real> search(y_, y_layout_, cost_, g);
    for_each_block(x_layout_, y_.size(), threads_, [&](std::size_t block, auto& scratch) {
      search.below(x_, x_layout_, block, limit, scratch,
                   [&](std::size_t i, std::vector<Find>& finds) {
                     if (finds.size() > per_source) {
                       std::nth_element(finds.begin(),
                                        finds.begin() + static_cast<std::ptrdiff_t>(per_source),
                                        finds.end());
                       finds.resize(per_source);
                     }
                     for (const Find& find : finds) {
                       lowest[block] = std::min(lowest[block], find.value - f[i]);
                       found[block].push_back(arc(i, find.target));
                     }
                   });
    });
    worst = *std::min_element(lowest.begin(), lowest.end());
    std::vector<Arc> arcs;
    for (const auto& part : found) arcs.insert(arcs.end(), part.begin(), part.end());
    return arcs;
  }

 private:
  /// Only the lower halves of both count: see BlockSearch::smallest.
  static std::uint64_t key(std::uint64_t source, std::uint64_t target) {
    return source << 32 | (target & 0xffffffffU);
  }
  Arc arc(std::size_t i, std::uint32_t j) const {
    return {static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), cost(i, j)};
  }

  const PointCloud &x_, &y_;
  BlockLayout<Real> x_layout_, y_layout_;
  GroundCost cost_;
  int threads_;
};

template <typename Real>
void extend(const PointCloud& cloud, std::span<const double> potential, const PointCloud& queries,
            GroundCost cost, int threads, std::span<double> extended) {
  minima(cloud, BlockLayout<Real>(cloud), potential, queries, BlockLayout<Real>(queries), cost,
         threads, extended);
}

}  // namespace

std::unique_ptr<CostModel> make_point_costs(const PointCloud& sources, const PointCloud& targets,
                                            GroundCost cost, SearchPrecision precision,
                                            int threads) {
  if (precision == SearchPrecision::single_precision) {
    return std::make_unique<PointCosts<float>>(sources, targets, cost, threads);
  }
  return std::make_unique<PointCosts<double>>(sources, targets, cost, threads);
}

void extend_potential(const PointCloud& cloud, std::span<const double> potential,
                      const PointCloud& queries, GroundCost cost, SearchPrecision precision,
                      int threads, std::span<double> extended) {
  const auto run = precision == SearchPrecision::single_precision ? extend<float> : extend<double>;
  run(cloud, potential, queries, cost, threads, extended);
}

}  // namespace nw::ot
