#include "ot/framed_cloud.hpp"

#include <algorithm>
#include <cmath>

namespace nw::ot {

Frame common_frame(MatrixView x, MatrixView y) {
  Frame frame{std::vector<double>(x.row(0).begin(), x.row(0).end()), 0};
  double reach = 0.0;
  for (const MatrixView& cloud : {x, y}) {
    for (std::size_t i = 0; i < cloud.rows(); ++i) {
      for (std::size_t k = 0; k < cloud.cols(); ++k) {
        reach = std::max(reach, std::abs(cloud(i, k) - frame.origin[k]));
      }
    }
  }
  std::frexp(reach, &frame.exponent);
  return frame;
}

Matrix framed_points(MatrixView points, const Frame& frame) {
  Matrix result(points.rows(), points.cols());
  for (std::size_t i = 0; i < points.rows(); ++i) {
    for (std::size_t k = 0; k < points.cols(); ++k) {
      result(i, k) = std::ldexp(points(i, k) - frame.origin[k], -frame.exponent);
    }
  }
  return result;
}

HeavyCloud heavy_cloud(const Matrix& framed, const std::vector<double>& masses) {
  const auto count = static_cast<std::size_t>(
      std::count_if(masses.begin(), masses.end(), [](double mass) { return mass > 0.0; }));
  HeavyCloud cloud{Matrix(count, framed.cols()), std::vector<double>(count)};
  for (std::size_t i = 0, place = 0; i < masses.size(); ++i) {
    if (masses[i] == 0.0) continue;
    const auto row = framed.row(i);
    std::copy(row.begin(), row.end(), cloud.points.row(place).begin());
    cloud.mass[place++] = masses[i];
  }
  return cloud;
}

}  // namespace nw::ot
