// The costs of a general matrix.
#pragma once

#include <memory>

#include "nw/base/matrix_view.hpp"

#include "ot/cost_model.hpp"

namespace nw::ot {

/// A cost model over `costs` scaled by `factor`, with rows and columns restricted to those listed.
/// The matrix must outlive it.
[[nodiscard]] std::unique_ptr<CostModel> make_matrix_costs(MatrixView costs, double factor,
                                                           std::vector<std::uint32_t> rows,
                                                           std::vector<std::uint32_t> columns,
                                                           int threads);

}  // namespace nw::ot
