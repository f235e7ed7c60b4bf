#include "cluster/row_index.hpp"

#include <algorithm>

#include <nanoflann.hpp>

#include "nw/base/parallel.hpp"

namespace nw::cluster {
namespace {

constexpr std::size_t kLongestRow = 16;  // of rows that a tree is made for
constexpr std::size_t kLeaf = 12, kGrain = 256;

/// What nanoflann asks of rows.
struct Rows {
  MatrixView view;
  [[nodiscard]] std::size_t kdtree_get_point_count() const { return view.rows(); }
  [[nodiscard]] double kdtree_get_pt(std::size_t i, std::size_t c) const { return view(i, c); }
  template <typename Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

}  // namespace

struct RowIndex::Tree {
  using Index = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Rows>, Rows,
                                                    -1, std::uint32_t>;
  explicit Tree(MatrixView rows)
      : data{rows},
        index(static_cast<int>(rows.cols()), data,
              nanoflann::KDTreeSingleIndexAdaptorParams(kLeaf)) {}
  Rows data;
  Index index;
};

RowIndex::RowIndex(MatrixView rows) : rows_(rows) {
  if (rows.cols() <= kLongestRow && rows.rows() > 0) tree_ = std::make_unique<Tree>(rows);
}
RowIndex::~RowIndex() = default;
RowIndex::RowIndex(RowIndex&&) noexcept = default;
RowIndex& RowIndex::operator=(RowIndex&&) noexcept = default;

NearestRows RowIndex::nearest(MatrixView queries, std::size_t count, bool skip_self,
                              int threads) const {
  if (!tree_) return nearest_rows(queries, rows_, count, skip_self, threads);
  require(queries.cols() == rows_.cols(), "RowIndex: queries have ", queries.cols(),
          " coordinates, the rows ", rows_.cols());
  const std::size_t n = queries.rows(), wanted = count + (skip_self ? 1 : 0);
  require(count > 0 && wanted <= rows_.rows(), "RowIndex: ", count, " neighbours among ",
          rows_.rows(), " rows");
  NearestRows found{.count = count,
                    .row = std::vector<std::uint32_t>(n * count),
                    .distance = std::vector<double>(n * count)};
  parallel_for(resolve_threads(threads), n, kGrain,
               [&](std::size_t first, std::size_t last, int) {
                 std::vector<std::uint32_t> row(wanted);
                 std::vector<double> distance(wanted);
                 for (std::size_t i = first; i < last; ++i) {
                   tree_->index.knnSearch(queries.row(i).data(), wanted, row.data(),
                                          distance.data());
                   // Among many equal rows the query itself need not be found: then the last goes.
                   std::size_t place = i * count, left = count;
                   for (std::size_t c = 0; c < wanted && left > 0; ++c) {
                     if (skip_self && row[c] == i) continue;
                     found.row[place] = row[c];
                     found.distance[place++] = distance[c];
                     --left;
                   }
                 }
               });
  return found;
}

}  // namespace nw::cluster
