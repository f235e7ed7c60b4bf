// Private: nearest neighbours among fixed rows, by a tree where rows are short.
#pragma once

#include <memory>

#include "nw/base/matrix_view.hpp"

#include "cluster/nearest_rows.hpp"

namespace nw::cluster {

/// Rows that neighbours are sought among. A k-d tree answers in about log n where rows have few
/// values; longer ones are compared with all others, which costs less than a tree that has to visit
/// nearly all of its leaves.
class RowIndex {
 public:
  /// `rows` must outlive the index.
  explicit RowIndex(MatrixView rows);
  ~RowIndex();
  RowIndex(RowIndex&&) noexcept;
  RowIndex& operator=(RowIndex&&) noexcept;

  /// As nearest_rows; ties may go to any of the rows, but always to the same one.
  [[nodiscard]] NearestRows nearest(MatrixView queries, std::size_t count, bool skip_self,
                                    int threads) const;
  [[nodiscard]] MatrixView rows() const noexcept { return rows_; }

 private:
  struct Tree;
  MatrixView rows_;
  std::unique_ptr<Tree> tree_;
};

}  // namespace nw::cluster
