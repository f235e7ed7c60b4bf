// What a page draws of a comparison: points, ellipses and couplings on at most three axes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace nw::record {

/// A point in the coordinates of the figure's axes.
using FigurePoint = std::vector<double>;

/// One drawn axis: a column of the data or a principal axis.
struct FigureAxis {
  std::string name{};
  double variance_share = 1.0;  ///< of the pooled variance, in [0, 1]
  bool operator==(const FigureAxis&) const = default;
};

/// One component projected on the axes; the page draws its ellipse at one and two deviations.
struct FigureEllipse {
  std::size_t component = 0;         ///< index into pi and components
  FigurePoint centre{};              ///< one value per axis
  std::vector<double> covariance{};  ///< axes x axes, row-major
  bool operator==(const FigureEllipse&) const = default;
};

/// One column of the data at the sampled points, in its own units.
struct FigureColumn {
  std::string name{};
  /// Of a column of levels: values are places in this list. Empty: values are amounts.
  std::vector<std::string> levels{};
  std::vector<double> x{}, y{};  ///< one value per sampled point; not a number where it is missing
  bool operator==(const FigureColumn&) const = default;
};

/// Mass that travels from one point to another under an optimal plan.
struct FigureCoupling {
  FigurePoint from{}, to{};
  double mass = 0.0;
  bool operator==(const FigureCoupling&) const = default;
};

/// The picture of a comparison. Large samples are thinned before they come here (a page stays
/// pleasant up to some 2 000 points and 1 000 couplings); the rows of the data sets say how many
/// there were. Coordinates are written with six significant digits: they are for looking.
struct Figure {
  std::vector<FigureAxis> axes{};     ///< 1 to 3
  std::vector<FigurePoint> x{}, y{};  ///< sampled points of X and Y
  /// The component each sampled point most likely belongs to, from 0; empty when unknown.
  std::vector<std::size_t> member_x{}, member_y{};
  std::vector<FigureColumn> columns{};  ///< of tables; empty when there are too many
  std::vector<FigureEllipse> ellipses{};
  std::vector<FigureCoupling> plain{};         ///< of W(P_X, P_Y): from X to Y
  std::vector<FigureCoupling> normalized_x{};  ///< of W(P_X, P_{G,pi1}): from X to the mixture
  std::vector<FigureCoupling> normalized_y{};  ///< of W(P_Y, P_{G,pi2}): from Y to the mixture
  bool operator==(const Figure&) const = default;
};

}  // namespace nw::record
