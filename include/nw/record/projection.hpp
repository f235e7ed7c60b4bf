// From data of any dimension and size to the few axes and points that a figure can show.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "nw/base/matrix_view.hpp"
#include "nw/record/figure.hpp"

namespace nw::record {

/// The axes of a figure: the columns themselves for one or two of them, otherwise the three
/// leading principal axes of the pooled sample (from at most 1 000 evenly spread rows).
class Projection {
 public:
  /// `y` may be empty. Throws InvalidArgument when there are no rows or the columns differ.
  /// `column_names` may be empty.
  Projection(MatrixView x, MatrixView y, const std::vector<std::string>& column_names = {});

  [[nodiscard]] const std::vector<FigureAxis>& axes() const noexcept { return axes_; }
  /// A row of the data in figure coordinates.
  [[nodiscard]] FigurePoint point(std::span<const double> row) const;
  /// The given rows of the data in figure coordinates.
  [[nodiscard]] std::vector<FigurePoint> points(MatrixView data,
                                                std::span<const std::size_t> rows) const;
  /// A covariance [d, d] of the data in figure coordinates: axes x axes, row-major.
  [[nodiscard]] std::vector<double> covariance(MatrixView full) const;

 private:
  void use_columns(MatrixView x, MatrixView y, const std::vector<std::string>& names);
  void use_principal_axes(MatrixView x, MatrixView y);

  std::vector<FigureAxis> axes_;
  std::vector<double> origin_;  ///< [d]
  Matrix directions_;           ///< [axes, d], orthonormal rows
};

/// Rows of one data set that a page draws; more make it slow and no clearer.
inline constexpr std::size_t kDrawnRows = 1000;

/// The axes and sampled points of X and Y: what every figure starts with. `y` may be empty.
[[nodiscard]] Figure start_figure(const Projection& projection, MatrixView x, MatrixView y);

/// At most `limit` indices, evenly spread over 0 ... count - 1.
[[nodiscard]] std::vector<std::size_t> spread_indices(std::size_t count, std::size_t limit);

/// Up to `limit` indices such that each stands for the same share of the total mass: what to draw
/// of a transport plan. All indices of positive mass when they are no more than `limit`.
[[nodiscard]] std::vector<std::size_t> sample_by_mass(std::span<const double> mass,
                                                      std::size_t limit);

/// One entry of a transport plan between two sets of rows.
struct MassFlow {
  std::size_t from = 0, to = 0;
  double mass = 0.0;
};

/// What to draw of a plan: at most 400 couplings, each standing for the same mass.
[[nodiscard]] std::vector<FigureCoupling> draw_couplings(const Projection& projection,
                                                         MatrixView from, MatrixView to,
                                                         std::span<const MassFlow> plan);

}  // namespace nw::record
