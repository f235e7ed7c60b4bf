#include "ot/matrix_costs.hpp"

#include <algorithm>
#include <limits>

#include "nw/base/parallel.hpp"

namespace nw::ot {
namespace {

/// Rows or columns per task; columns of one task sit side by side in memory.
constexpr std::size_t kGrain = 64;

class MatrixCosts final : public CostModel {
 public:
  MatrixCosts(MatrixView costs, double factor, std::vector<std::uint32_t> rows,
              std::vector<std::uint32_t> columns, int threads)
      : costs_(costs),
        factor_(factor),
        rows_(std::move(rows)),
        columns_(std::move(columns)),
        threads_(rows_.size() * columns_.size() < 200000 ? 1 : threads) {}

  std::size_t sources() const override { return rows_.size(); }
  std::size_t targets() const override { return columns_.size(); }
  double cost(std::size_t i, std::size_t j) const override {
    return factor_ * costs_(rows_[i], columns_[j]);
  }

  void transform_to_sources(std::span<const double> g, std::span<double> f) const override {
    parallel_for(threads_, sources(), kGrain, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t i = begin; i < end; ++i) {
        f[i] = std::numeric_limits<double>::max();
        for (std::size_t j = 0; j < targets(); ++j) f[i] = std::min(f[i], cost(i, j) - g[j]);
      }
    });
  }
  void transform_to_targets(std::span<const double> f, std::span<double> g) const override {
    parallel_for(threads_, targets(), kGrain, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t j = begin; j < end; ++j) g[j] = std::numeric_limits<double>::max();
      for (std::size_t i = 0; i < sources(); ++i) {
        for (std::size_t j = begin; j < end; ++j) g[j] = std::min(g[j], cost(i, j) - f[i]);
      }
    });
  }

  std::vector<Arc> best_arcs(std::span<const double> f, std::span<const double> g,
                             ArcQuota quota) const override {
    std::vector<Arc> arcs = smallest(
        sources(), targets(), quota.per_source,
        [&](std::size_t i, std::size_t j) { return arc(i, j); }, f, g);
    const auto by_target = smallest(
        targets(), sources(), quota.per_target,
        [&](std::size_t j, std::size_t i) { return arc(i, j); }, f, g);
    arcs.insert(arcs.end(), by_target.begin(), by_target.end());
    const auto before = [](const Arc& a, const Arc& b) {
      return a.source < b.source || (a.source == b.source && a.target < b.target);
    };
    std::sort(arcs.begin(), arcs.end(), before);
    const auto same = [](const Arc& a, const Arc& b) {
      return a.source == b.source && a.target == b.target;
    };
    arcs.erase(std::unique(arcs.begin(), arcs.end(), same), arcs.end());
    return arcs;
  }

  Violations violated_arcs(std::span<const double> f, std::span<const double> g, double tolerance,
                           std::size_t per_source) const override {
    std::vector<std::vector<Arc>> found(sources());
    std::vector<double> lowest(sources(), 0.0);
    parallel_for(threads_, sources(), kGrain, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t i = begin; i < end; ++i) {
        auto& list = found[i];
        for (std::size_t j = 0; j < targets(); ++j) {
          const double reduced = cost(i, j) - f[i] - g[j];
          if (reduced >= -tolerance) continue;
          lowest[i] = std::min(lowest[i], reduced);
          list.push_back(arc(i, j));
        }
        keep_smallest(list, per_source, f, g);
      }
    });
    return {.arcs = join(found), .worst = *std::min_element(lowest.begin(), lowest.end())};
  }

 private:
  Arc arc(std::size_t i, std::size_t j) const {
    return {static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), cost(i, j)};
  }

  static void keep_smallest(std::vector<Arc>& list, std::size_t count, std::span<const double> f,
                            std::span<const double> g) {
    if (list.size() <= count) return;
    const auto reduced = [&](const Arc& a) {
      return a.cost - f[static_cast<std::size_t>(a.source)] - g[static_cast<std::size_t>(a.target)];
    };
    const auto before = [&](const Arc& a, const Arc& b) {
      const double ra = reduced(a), rb = reduced(b);
      return ra < rb ||
             (ra == rb && (a.source < b.source || (a.source == b.source && a.target < b.target)));
    };
    std::nth_element(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(count), list.end(),
                     before);
    list.resize(count);
  }

  template <typename MakeArc>
  std::vector<Arc> smallest(std::size_t lines, std::size_t length, std::size_t count,
                            const MakeArc& make_arc, std::span<const double> f,
                            std::span<const double> g) const {
    std::vector<std::vector<Arc>> found(lines);
    parallel_for(threads_, lines, kGrain, [&](std::size_t begin, std::size_t end, int) {
      std::vector<Arc> list;
      for (std::size_t line = begin; line < end; ++line) {
        list.clear();
        for (std::size_t k = 0; k < length; ++k) list.push_back(make_arc(line, k));
        keep_smallest(list, count, f, g);
        found[line] = list;
      }
    });
    return join(found);
  }

  static std::vector<Arc> join(const std::vector<std::vector<Arc>>& parts) {
    std::vector<Arc> arcs;
    for (const auto& part : parts) arcs.insert(arcs.end(), part.begin(), part.end());
    return arcs;
  }

  MatrixView costs_;
  double factor_;
  std::vector<std::uint32_t> rows_, columns_;
  int threads_;
};

}  // namespace

std::unique_ptr<CostModel> make_matrix_costs(MatrixView costs, double factor,
                                             std::vector<std::uint32_t> rows,
                                             std::vector<std::uint32_t> columns, int threads) {
  return std::make_unique<MatrixCosts>(costs, factor, std::move(rows), std::move(columns), threads);
}

}  // namespace nw::ot
