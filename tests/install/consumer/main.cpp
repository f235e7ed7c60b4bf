// Moves two points by a vector of length 5 and prints the distance, which must be 5.
#include <cmath>
#include <iostream>
#include <vector>

#include "nw/base/matrix_view.hpp"
#include "nw/base/version.hpp"
#include "nw/ot/exact.hpp"

int main() {
  const std::vector<double> x{0, 0, 1, 0}, y{3, 4, 4, 4};
  const nw::ot::PointProblem problem{.source = {.points = {x, 2, 2}, .weights = {}},
                                     .target = {.points = {y, 2, 2}, .weights = {}}};
  const auto result = nw::ot::solve_exact(problem);
  std::cout << "nw " << nw::version() << " distance " << result.cost << '\n';
  return result.optimal() && std::abs(result.cost - 5.0) < 1e-12 ? 0 : 1;
}
