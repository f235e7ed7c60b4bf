#include "app/compare/measure_figure.hpp"

#include <algorithm>

#include "nw/base/matrix_rows.hpp"
#include "nw/ot/exact.hpp"
#include "nw/record/projection.hpp"

#include "app/compare/figure_columns.hpp"

namespace nw::app {
namespace {

/// Rows of each data set in the plans whose couplings are drawn.
constexpr std::size_t kCoupledRows = 400;

/// Evenly spread rows of a data set, with their weights.
struct Thinned {
  Matrix points;
  std::vector<double> weights;

  [[nodiscard]] ot::WeightedPoints view() const { return {.points = points, .weights = weights}; }
};

Thinned thin(const ot::WeightedPoints& data, std::size_t limit) {
  const auto rows = record::spread_indices(data.points.rows(), limit);
  Thinned thinned{rows_at(data.points, rows), {}};
  for (const auto row : rows) {
    if (!data.weights.empty()) thinned.weights.push_back(data.weights[row]);
  }
  return thinned;
}

/// What to draw of the optimal plan between two clouds.
std::vector<record::FigureCoupling> couplings(const ot::WeightedPoints& from,
                                              const ot::WeightedPoints& to,
                                              const record::Projection& projection, int threads) {
  const auto solution = ot::solve_exact(
      {.source = from, .target = to, .cost = ot::GroundCost::euclidean}, {.threads = threads});
  std::vector<record::MassFlow> plan;
  plan.reserve(solution.plan.size());
  for (const ot::Flow& flow : solution.plan) plan.push_back({flow.source, flow.target, flow.mass});
  return draw_couplings(projection, from.points, to.points, plan);
}

}  // namespace

record::Figure make_figure(const ot::WeightedPoints& x, const ot::WeightedPoints& y,
                           const std::vector<std::string>& column_names,
                           const measure::NwResult& fit, int threads) {
  const bool two = y.points.rows() > 0;
  const record::Projection projection(x.points, y.points, column_names);
  record::Figure figure = start_figure(projection, x.points, y.points);
  add_members(x, y, fit, figure);
  const auto& components = fit.mixture_original.components;
  for (std::size_t j = 0; j < components.size(); ++j) {
    figure.ellipses.push_back(
        {.component = j,
         .centre = projection.point(components[j].centre),
         .covariance = projection.covariance(measure::covariance(components[j]))});
  }

  const Thinned thin_x = thin(x, kCoupledRows);
  const auto to_mixture = [&](const Thinned& data, const std::vector<double>& pi) {
    const std::size_t per_component = std::max<std::size_t>(8, kCoupledRows / components.size());
    const measure::Atoms atoms = measure::stratified_atoms(fit.mixture_original, per_component);
    const std::vector<double> weights = atoms.weights(pi);
    return couplings(data.view(), {.points = atoms.points, .weights = weights}, projection,
                     threads);
  };
  figure.normalized_x = to_mixture(thin_x, fit.x.pi);
  if (two) {
    const Thinned thin_y = thin(y, kCoupledRows);
    figure.normalized_y = to_mixture(thin_y, fit.y.pi);
    figure.plain = couplings(thin_x.view(), thin_y.view(), projection, threads);
  }
  return figure;
}

}  // namespace nw::app
