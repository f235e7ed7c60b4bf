// An optimal plan, its potentials, and how they prove each other right.
//
// Two points of mass 1/2 at 0 and 1 are moved to three points of mass 1/3 at 0, 1 and 3. Prints
// five lines: the plan (mass 1/2 from 0: 1/3 stays, 1/6 goes to 1; from 1: 1/6 stays, 1/3 goes to
// 3) and the cost 5/6, once as a sum over the plan and once as a sum over the potentials.
#include <cmath>
#include <iostream>
#include <vector>

#include "nw/ot/exact.hpp"

int main() {
  const std::vector<double> x{0, 1}, y{0, 1, 3};
  const nw::ot::PointProblem problem{.source = {.points = {x, 2, 1}},  // 2 points, 1 coordinate
                                     .target = {.points = {y, 3, 1}}};
  const auto result = nw::ot::solve_exact(problem);

  for (const auto& [source, target, mass] : result.plan)
    std::cout << mass << " moves from " << x[source] << " to " << y[target] << '\n';

  // Weak duality: any f, g with f_i + g_j <= |x_i - y_j| bound the cost from below by
  // sum a_i f_i + sum b_j g_j [NW:eq1]. Where the bound meets the plan's cost, both are optimal.
  double bound = 0.0;
  for (const double f : result.source_potential) bound += f / 2.0;
  for (const double g : result.target_potential) bound += g / 3.0;
  std::cout << "cost " << result.cost << ", dual bound " << bound << '\n';
  return std::abs(result.cost - bound) < 1e-12 && std::abs(result.cost - 5.0 / 6.0) < 1e-12 ? 0 : 1;
}
