#include "measure/class_posteriors.hpp"

#include <algorithm>

namespace nw::measure {
namespace {

constexpr double kSureness = 0.005;  // posteriors of 0 and 1 come from few trees

}  // namespace

RankedColumns ranked(const PooledRows& pool) {
  RankedColumns columns;
  columns.append(as_view(pool.scaled));
  columns.append(as_view(pool.principal));
  return columns;
}

RowMatrix class_posteriors(const PooledRows& pool, const RankedColumns& columns,
                           const std::vector<std::uint32_t>& class_of,
                           const PosteriorOptions& options, const Rng& rng) {
  ForestOptions forest{
      .trees = options.trees, .min_leaf = 2, .threads = options.threads, .stop = options.stop};
  forest.weight.assign(pool.rows(), 0.0);
  std::fill_n(forest.weight.begin(), pool.in_x, 1.0);
  RowMatrix q(static_cast<Eigen::Index>(pool.rows()), static_cast<Eigen::Index>(options.classes));
  for (std::size_t c = 0; c < options.classes; ++c) {
    std::vector<std::uint8_t> label(pool.rows(), 0);
    for (std::size_t i = 0; i < pool.in_x; ++i) label[i] = class_of[i] == c;
    const auto score = out_of_bag_scores(columns, label, forest, rng.split(c));
    for (std::size_t i = 0; i < pool.rows(); ++i) {
      q(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(c)) =
          std::clamp(score[i], kSureness, 1.0 - kSureness);
    }
  }
  const Eigen::VectorXd total = q.rowwise().sum();
  q.array().colwise() /= total.array();
  return q;
}

}  // namespace nw::measure
