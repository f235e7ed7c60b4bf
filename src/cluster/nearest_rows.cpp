#include "cluster/nearest_rows.hpp"

#include <algorithm>

#include "nw/base/parallel.hpp"

#include "measure/dense.hpp"

namespace nw::cluster {
namespace {

using measure::as_eigen;
using measure::RowMatrix;

constexpr std::size_t kQueryBlock = 128, kReferenceBlock = 2048;

struct Neighbour {
  double distance;
  std::uint32_t row;
  bool operator<(const Neighbour& other) const {
    return distance != other.distance ? distance < other.distance : row < other.row;
  }
};

/// The smallest few of a stream, as a heap with the largest of them on top.
class Smallest {
 public:
  explicit Smallest(std::size_t count) : count_(count) { heap_.reserve(count); }
  void offer(const Neighbour& candidate) {
    if (heap_.size() < count_) {
      heap_.push_back(candidate);
      std::push_heap(heap_.begin(), heap_.end());
    } else if (candidate < heap_.front()) {
      std::pop_heap(heap_.begin(), heap_.end());
      heap_.back() = candidate;
      std::push_heap(heap_.begin(), heap_.end());
    }
  }
  [[nodiscard]] const std::vector<Neighbour>& sorted() {
    std::sort_heap(heap_.begin(), heap_.end());
    return heap_;
  }

 private:
  std::size_t count_;
  std::vector<Neighbour> heap_;
};

MatrixView rows_of(MatrixView all, std::size_t begin, std::size_t count) {
  return {all.values().subspan(begin * all.cols(), count * all.cols()), count, all.cols()};
}

}  // namespace

NearestRows nearest_rows(MatrixView queries, MatrixView reference, std::size_t count,
                         bool skip_self, int threads) {
  const std::size_t n = queries.rows(), m = reference.rows();
  require(queries.cols() == reference.cols(), "nearest_rows: queries have ", queries.cols(),
          " coordinates, the rows ", reference.cols());
  require(count > 0 && count + (skip_self ? 1 : 0) <= m, "nearest_rows: ", count,
          " neighbours among ", m, " rows");
  const Eigen::VectorXd norm = as_eigen(reference).rowwise().squaredNorm();
  NearestRows found{.count = count,
                    .row = std::vector<std::uint32_t>(n * count),
                    .distance = std::vector<double>(n * count)};
  const std::size_t blocks = (n + kQueryBlock - 1) / kQueryBlock;
  parallel_for(resolve_threads(threads), blocks, 1, [&](std::size_t first, std::size_t last, int) {
    for (std::size_t b = first; b < last; ++b) {
      const std::size_t begin = b * kQueryBlock, rows = std::min(kQueryBlock, n - begin);
      const auto x = as_eigen(rows_of(queries, begin, rows));
      std::vector<Smallest> best(rows, Smallest(count));
      RowMatrix product;
      for (std::size_t r = 0; r < m; r += kReferenceBlock) {
        const std::size_t width = std::min(kReferenceBlock, m - r);
        product.noalias() = x * as_eigen(rows_of(reference, r, width)).transpose();
        for (std::size_t i = 0; i < rows; ++i) {
          const auto row = static_cast<Eigen::Index>(i);
          for (std::size_t j = 0; j < width; ++j) {
            if (skip_self && r + j == begin + i) continue;
            const double score = norm[static_cast<Eigen::Index>(r + j)] -
                                 2.0 * product(row, static_cast<Eigen::Index>(j));
            best[i].offer({score, static_cast<std::uint32_t>(r + j)});
          }
        }
      }
      for (std::size_t i = 0; i < rows; ++i) {
        const double own = x.row(static_cast<Eigen::Index>(i)).squaredNorm();
        std::size_t place = (begin + i) * count;
        for (const auto& [score, row] : best[i].sorted()) {
          found.row[place] = row;
          found.distance[place++] = std::max(0.0, score + own);
        }
      }
    }
  });
  return found;
}

}  // namespace nw::cluster
