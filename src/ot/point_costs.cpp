#include "ot/point_costs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "nw/base/parallel.hpp"

#include "ot/block_search.hpp"
#include "ot/pass_bounds.hpp"

namespace nw::ot {
namespace {

/// Query blocks per task.
constexpr std::size_t kGrain = 4;
/// Sources per task, where a task is a short list each.
constexpr std::size_t kSourcesPerTask = 4096;
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
    return arcs_of_both(f, g, quota, {});
  }
  std::vector<Arc> raise_targets(std::span<const double> f, std::span<double> g,
                                 ArcQuota quota) const override {
    // Cones fit limits that climb steadily; g as it was is too rough for them.
    if (BlockSearch<Real>::has_cones(cost_, x_.dim)) {
      return CostModel::raise_targets(f, g, quota);
    }
    // What g is raised to is the smallest of the values from which targets choose their sources.
    const std::vector<double> below(g.begin(), g.end());
    return arcs_of_both(f, below, quota, g);
  }

  Violations violated_arcs(std::span<const double> f, std::span<const double> g, double tolerance,
                           std::size_t per_source) const override {
    // Every source that is served has an arc of reduced cost zero. Looking a little beyond sees it,
    // and with it the transform of g.
    const double look = -std::fabs(tolerance);
    std::vector<double> limit(f.begin(), f.end());
    for (double& value : limit) value -= look;
    std::vector<std::vector<Arc>> found(x_layout_.blocks);
    std::vector<double> lowest(x_layout_.blocks, 0.0);
    std::vector<double> transform(x_.size(), std::numeric_limits<double>::infinity());
    const BlockSearch<Real> search(y_, y_layout_, cost_, g);
    const bool remember = search.bounds_by_block() && seen_.follow(f, g);
    for_each_block(x_layout_, y_.size(), threads_, [&](std::size_t block, auto& scratch) {
      KnownBounds known{remember ? seen_.row(block) : std::span<float>(), look};
      search.below(x_, x_layout_, block, limit, per_source, remember ? &known : nullptr, scratch,
                   [&](std::size_t i, const std::vector<Find>& finds) {
                     for (const Find& find : finds) {
                       transform[i] = std::min(transform[i], find.value);
                       if (find.value >= f[i] - tolerance) continue;
                       lowest[block] = std::min(lowest[block], find.value - f[i]);
                       found[block].push_back(arc(i, find.target));
                     }
                   });
    });
    Violations violations{.arcs = {}, .worst = *std::min_element(lowest.begin(), lowest.end())};
    for (const auto& part : found) {
      violations.arcs.insert(violations.arcs.end(), part.begin(), part.end());
    }
    const auto known = [](double value) { return std::isfinite(value); };
    if (std::ranges::all_of(transform, known)) violations.transform = std::move(transform);
    return violations;
  }

 private:
  /// The arcs of best_arcs(). `g` may lie below the c-transform of f when `raised`, which becomes
  /// that transform, is not empty.
  std::vector<Arc> arcs_of_both(std::span<const double> f, std::span<const double> g,
                                ArcQuota quota, std::span<double> raised) const {
    const std::size_t per_source = std::min(quota.per_source, y_.size());
    const std::size_t per_target = std::min(quota.per_target, x_.size());
    std::vector<std::uint32_t> chosen(y_.size() * per_target);  // by each target: its sources
    choose(y_, y_layout_, BlockSearch<Real>(x_, x_layout_, cost_, f), {g, raised, per_target},
           [&](std::size_t j) { return &chosen[j * per_target]; });
    if (!raised.empty()) g = raised;
    // A list for each source: its own choice first, then the targets that chose it.
    std::vector<std::size_t> begin(x_.size() + 1, 0);
    for (const std::uint32_t i : chosen) ++begin[i + 1];
    for (std::size_t i = 0; i < x_.size(); ++i) begin[i + 1] += begin[i] + per_source;
    std::vector<std::uint32_t> lists(begin.back());
    choose(x_, x_layout_, BlockSearch<Real>(y_, y_layout_, cost_, g), {f, {}, per_source},
           [&](std::size_t i) { return &lists[begin[i]]; });
    std::vector<std::uint32_t> length(x_.size(), static_cast<std::uint32_t>(per_source));
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      const std::uint32_t i = chosen[k];
      lists[begin[i] + length[i]++] = static_cast<std::uint32_t>(k / per_target);
    }
    std::vector<std::uint32_t>().swap(chosen);
    const auto for_each_source = [&](const auto& body) {
      parallel_for(useful_threads(threads_, x_.size(), y_.size()), x_.size(), kSourcesPerTask,
                   [&](std::size_t first, std::size_t last, int) {
                     for (std::size_t i = first; i < last; ++i) body(i);
                   });
    };
    for_each_source([&](std::size_t i) {
      std::uint32_t* const list = &lists[begin[i]];
      std::sort(list, list + length[i]);
      length[i] = static_cast<std::uint32_t>(std::unique(list, list + length[i]) - list);
    });
    std::vector<std::size_t> place(x_.size() + 1, 0);
    std::partial_sum(length.begin(), length.end(), place.begin() + 1);
    std::vector<Arc> arcs;
    // Memory that is never written costs nothing, and a list that outgrows its own is copied.
    arcs.reserve(2 * place.back());
    arcs.resize(place.back());
    for_each_source([&](std::size_t i) {
      for (std::size_t k = 0; k < length[i]; ++k) arcs[place[i] + k] = arc(i, lists[begin[i] + k]);
    });
    return arcs;
  }

  /// Writes the `count` points of smallest reduced cost for each query to list_of(query).
  template <typename ListOf>
  void choose(const PointCloud& queries, const BlockLayout<Real>& layout,
              const BlockSearch<Real>& search, const SmallestQuery& query,
              const ListOf& list_of) const {
    const std::size_t others = &queries == &x_ ? y_.size() : x_.size();
    for_each_block(layout, others, threads_, [&](std::size_t block, auto& scratch) {
      search.smallest(queries, layout, block, query, scratch,
                      [&](std::size_t q, std::span<const std::uint64_t> keys) {
                        std::uint32_t* next = list_of(q);
                        for (const std::uint64_t key : keys) {
                          *next++ = static_cast<std::uint32_t>(key);
                        }
                      });
    });
  }
  Arc arc(std::size_t i, std::uint32_t j) const {
    return {static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), cost(i, j)};
  }

  const PointCloud &x_, &y_;
  BlockLayout<Real> x_layout_, y_layout_;
  GroundCost cost_;
  int threads_;
  mutable PassBounds seen_;  ///< by violated_arcs(); it changes what that costs, not what it finds
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
