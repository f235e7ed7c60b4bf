// Sinkhorn's iteration on the dual of entropic transport, in the log domain (Peyre and Cuturi,
// Computational Optimal Transport, 2019, sections 4.4 and 4.1), with epsilon scaling
// (Schmitzer, Stabilized sparse scaling algorithms, SISC 2019, section 3.2):
//
//   f_i <- -eps log sum_j b_j exp((g_j - C_ij) / eps),   and g likewise.
//
// The plan is T_ij = a_i b_j exp((f_i + g_j - C_ij) / eps). After an update of f its rows have the
// right sums, and the next update of g tells the sums of its columns for free:
// sum_i T_ij = b_j exp((g_j - g_j^new) / eps). That is the error we stop on. It holds for any g, so
// we may choose g freely: Anderson mixing of the updates saves most of the iterations where the
// plain ones crawl, which is small epsilon and clusters of unequal mass.
//
// Evidence. Rounding (Altschuler, Weed and Rigollet, NeurIPS 2017, algorithm 2) turns T into a
// coupling, whose cost is an upper bound of the transport cost; c-transforms turn f and g into a
// feasible pair of the unregularised dual, whose objective is a lower bound. Both hold at any
// iterate. The divergence is that of Feydy et al., AISTATS 2019, equation 3.
//
// Costs are recomputed in every pass, so memory is linear.
#include "nw/ot/sinkhorn.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nw/base/parallel.hpp"

#include "ot/accurate_sum.hpp"
#include "ot/anderson.hpp"
#include "ot/framed_cloud.hpp"
#include "ot/masses.hpp"
#include "ot/softmin_kernel.hpp"

namespace nw::ot {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Intermediate stages only have to hand over a good start.
constexpr double kStageTolerance = 0.05;
// Anderson mixing: how many updates are combined, and the growth of the error that restarts it.
constexpr std::size_t kMixingDepth = 8;
constexpr double kToleratedGrowth = 2.0;

// One side of the problem: points with mass, ready to be rows or columns.
struct Side {
  HeavyCloud cloud;
  PackedPoints packed;
  std::vector<double> log_mass;

  explicit Side(HeavyCloud heavy)
      : cloud(std::move(heavy)), packed(cloud.points), log_mass(cloud.mass) {
    for (double& value : log_mass) value = std::log(value);
  }
  [[nodiscard]] std::size_t size() const { return cloud.mass.size(); }
};

struct Workspace {
  GroundCost cost;
  int threads;
};

// The update of the rows' potential from that of the columns.
std::vector<double> softmin(const Workspace& work, const Side& rows, const Side& columns,
                            const std::vector<double>& potential, double epsilon) {
  std::vector<double> h(columns.size()), result(rows.size());
  for (std::size_t j = 0; j < h.size(); ++j) h[j] = potential[j] / epsilon + columns.log_mass[j];
  log_sum_exp({&rows.cloud.points, &columns.packed, work.cost}, padded(h, -kInfinity), epsilon,
              work.threads, result);
  for (double& value : result) value *= -epsilon;
  return result;
}

// Potentials with their plan, whose rows have the right sums.
struct Iterate {
  std::vector<double> f, g;
  std::vector<double> g_next;      // the plain update of g
  std::vector<double> column_sum;  // of the plan
  double epsilon = 0.0;
  double dual = 0.0;      // the entropic dual objective
  double gain = 0.0;      // what the plain update of g adds to it at least
  double rounding = 0.0;  // what is noise in it
  double error = 0.0;     // sum of |column sum - mass|
};

Iterate evaluate(const Workspace& work, const Side& x, const Side& y, std::vector<double> g,
                 double epsilon) {
  Iterate it;
  it.g = std::move(g);
  it.epsilon = epsilon;
  it.f = softmin(work, x, y, it.g, epsilon);
  it.g_next = softmin(work, y, x, it.f, epsilon);
  it.column_sum.resize(y.size());
  AccurateSum error, gain, dual, magnitude;
  for (std::size_t j = 0; j < y.size(); ++j) {
    const double mass = y.cloud.mass[j], step = it.g_next[j] - it.g[j];
    it.column_sum[j] = mass * std::exp(-step / epsilon);
    error.add(std::abs(it.column_sum[j] - mass));
    gain.add_product(mass, step);
    dual.add_product(mass, it.g[j]);
    magnitude.add(mass * std::abs(it.g[j]));
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    dual.add_product(x.cloud.mass[i], it.f[i]);
    magnitude.add(x.cloud.mass[i] * std::abs(it.f[i]));
  }
  it.error = error.value();
  it.gain = gain.value();
  it.dual = dual.value();
  it.rounding = 1e-14 * magnitude.value();
  return it;
}

struct Outcome {
  Iterate last;
  int iterations = 0;
  SinkhornStop stop = SinkhornStop::iteration_limit;
};

// The plain update raises the dual objective by a known amount. A mixed step that gains less is
// replaced by the plain one, so the iteration converges as the plain one does, and at worst takes
// twice as many passes.
Outcome iterate(const Workspace& work, const Side& x, const Side& y, double scale,
                const SinkhornOptions& options) {
  const double final_epsilon = options.epsilon * scale;
  double epsilon = std::max(scale, final_epsilon), least_error = kInfinity;
  AndersonMixing mixing(y.cloud.mass, kMixingDepth);
  Outcome outcome;
  const auto step_to = [&](std::vector<double> g) {
    ++outcome.iterations;
    return evaluate(work, x, y, std::move(g), epsilon);
  };
  outcome.last = step_to(std::vector<double>(y.size()));
  for (;;) {
    Iterate& it = outcome.last;
    const bool final_stage = it.epsilon <= final_epsilon;
    if (final_stage && it.error <= options.tolerance) {
      outcome.stop = SinkhornStop::converged;
      return outcome;
    }
    if (options.observer && !options.observer({outcome.iterations, it.epsilon / scale, it.error})) {
      outcome.stop = SinkhornStop::interrupted;
      return outcome;
    }
    if (outcome.iterations >= options.max_iterations) return outcome;
    if (!final_stage && it.error <= kStageTolerance) {
      epsilon = std::max(final_epsilon, epsilon * options.scaling);
      least_error = kInfinity;
      mixing.restart();
      it = step_to(std::move(it.g_next));
      continue;
    }
    if (it.error > kToleratedGrowth * least_error) mixing.restart();
    least_error = std::min(least_error, it.error);
    Iterate mixed = step_to(mixing.next(it.g, it.g_next));
    if (mixed.dual < it.dual + it.gain - it.rounding) {
      if (outcome.iterations >= options.max_iterations) return outcome;
      mixing.restart();
      mixed = step_to(std::move(it.g_next));
    }
    it = std::move(mixed);
  }
}

// The entropic objective of a cloud with itself; nothing if the iteration did not converge. The
// optimal potentials are equal, and averaging an update with the last value finds them in a few
// steps where alternating updates crawl.
std::optional<double> self_objective(const Workspace& work, const Side& x, double scale,
                                     const SinkhornOptions& options) {
  const double final_epsilon = options.epsilon * scale;
  double epsilon = std::max(scale, final_epsilon);
  std::vector<double> f(x.size());
  for (int iteration = 0; iteration < options.max_iterations; ++iteration) {
    const auto f_next = softmin(work, x, x, f, epsilon);
    AccurateSum error, total;
    for (std::size_t i = 0; i < f.size(); ++i) {
      const double row_sum = x.cloud.mass[i] * std::exp((f[i] - f_next[i]) / epsilon);
      error.add(std::abs(row_sum - x.cloud.mass[i]));
      total.add(row_sum);
    }
    const bool final_stage = epsilon <= final_epsilon;
    if (final_stage && error.value() <= options.tolerance) {
      return 2.0 * accurate_dot(x.cloud.mass, f) - epsilon * (total.value() - 1.0);
    }
    for (std::size_t i = 0; i < f.size(); ++i) f[i] = 0.5 * (f[i] + f_next[i]);
    if (!final_stage) epsilon = std::max(final_epsilon, epsilon * options.scaling);
  }
  return std::nullopt;
}

// What the plan of an iterate costs, as it is and rounded to the exact marginals.
struct PlanCosts {
  double entropic = 0.0, rounded = 0.0;
};

PlanCosts plan_costs(const Workspace& work, const Side& x, const Side& y, const Iterate& it) {
  const std::size_t n = x.size(), m = y.size();
  std::vector<double> u(n), v(m);
  for (std::size_t i = 0; i < n; ++i) u[i] = it.f[i] / it.epsilon + x.log_mass[i];
  for (std::size_t j = 0; j < m; ++j) v[j] = it.g[j] / it.epsilon + y.log_mass[j];
  const PairCosts forward{&x.cloud.points, &y.packed, work.cost};
  const PairCosts backward{&y.cloud.points, &x.packed, work.cost};

  // Columns that carry too much are scaled down, then rows; what is missing is spread as a product.
  std::vector<double> column_scale(m), row_scale(n), row_missing(n);
  for (std::size_t j = 0; j < m; ++j) {
    column_scale[j] = std::min(1.0, y.cloud.mass[j] / it.column_sum[j]);
  }
  std::vector<PlanSums> rows(n), columns(m), plain(m);
  const std::vector<double> nothing = padded(std::vector<double>(m), 0.0);
  plan_sums(forward, u, padded(v, -kInfinity), padded(column_scale, 0.0), nothing, it.epsilon,
            work.threads, rows);
  for (std::size_t i = 0; i < n; ++i) {
    row_scale[i] = std::min(1.0, x.cloud.mass[i] / rows[i].mass);
    row_missing[i] = std::max(0.0, x.cloud.mass[i] - row_scale[i] * rows[i].mass);
  }
  const auto h = padded(u, -kInfinity), missing = padded(row_missing, 0.0);
  plan_sums(backward, v, h, padded(row_scale, 0.0), missing, it.epsilon, work.threads, columns);
  plan_sums(backward, v, h, padded(std::vector<double>(n, 1.0), 0.0), missing, it.epsilon,
            work.threads, plain);
  AccurateSum entropic, rounded, product, total_missing;
  for (std::size_t j = 0; j < m; ++j) {
    const double missing_here = std::max(0.0, y.cloud.mass[j] - column_scale[j] * columns[j].mass);
    entropic.add(plain[j].cost);
    rounded.add(column_scale[j] * columns[j].cost);
    product.add(missing_here * columns[j].independent_cost);
    total_missing.add(missing_here);
  }
  if (total_missing.value() > 0.0) rounded.add(product.value() / total_missing.value());
  return {entropic.value(), rounded.value()};
}

// The mean squared distance between the clouds, from their means and variances.
double mean_squared_distance(const HeavyCloud& x, const HeavyCloud& y) {
  AccurateSum sum;
  for (std::size_t k = 0; k < x.points.cols(); ++k) {
    double mean[2] = {0.0, 0.0}, variance = 0.0;
    for (int side = 0; side < 2; ++side) {
      const HeavyCloud& cloud = side == 0 ? x : y;
      for (std::size_t i = 0; i < cloud.mass.size(); ++i) {
        mean[side] += cloud.mass[i] * cloud.points(i, k);
      }
      for (std::size_t i = 0; i < cloud.mass.size(); ++i) {
        const double deviation = cloud.points(i, k) - mean[side];
        variance += cloud.mass[i] * deviation * deviation;
      }
    }
    sum.add(variance + (mean[0] - mean[1]) * (mean[0] - mean[1]));
  }
  return sum.value();
}

}  // namespace

void SinkhornOptions::validate() const {
  require(epsilon >= 1e-6 && epsilon <= 1e3,
          "SinkhornOptions.epsilon must lie in [1e-6, 1e3], got ", epsilon);
  require(tolerance > 0.0 && tolerance < 1.0, "SinkhornOptions.tolerance must lie in (0, 1), got ",
          tolerance);
  require(max_iterations >= 1, "SinkhornOptions.max_iterations must be at least 1, got ",
          max_iterations);
  require(scaling > 0.0 && scaling < 1.0, "SinkhornOptions.scaling must lie in (0, 1), got ",
          scaling);
  require(threads >= 0, "SinkhornOptions.threads must be >= 0, got ", threads);
}

const char* to_string(SinkhornStop stop) {
  switch (stop) {
    case SinkhornStop::converged:
      return "converged";
    case SinkhornStop::iteration_limit:
      return "iteration limit";
    case SinkhornStop::interrupted:
      return "interrupted";
  }
  return "unknown";
}

SinkhornResult solve_sinkhorn(const PointProblem& problem, const SinkhornOptions& options) {
  problem.validate();
  options.validate();
  const Workspace work{problem.cost, resolve_threads(options.threads)};
  const Frame frame = common_frame(problem.source.points, problem.target.points);
  const Matrix all_x = framed_points(problem.source.points, frame);
  const Matrix all_y = framed_points(problem.target.points, frame);
  const auto a = normalized_masses(problem.source.weights, all_x.rows());
  const auto b = normalized_masses(problem.target.weights, all_y.rows());
  const Side x(heavy_cloud(all_x, a)), y(heavy_cloud(all_y, b));
  const double squared_scale = mean_squared_distance(x.cloud, y.cloud);
  // Where all points are equal every cost is zero and any scale will do.
  double scale = squared_scale > 0.0 ? squared_scale : 1.0;
  if (problem.cost == GroundCost::euclidean) scale = std::sqrt(scale);

  const Outcome outcome = iterate(work, x, y, scale, options);
  const Iterate& it = outcome.last;
  SinkhornResult result;
  result.stop = outcome.stop;
  result.iterations = outcome.iterations;
  result.marginal_error = it.error;
  const int exponent = frame.cost_exponent(problem.cost);
  const auto unframed = [exponent](double value) { return std::ldexp(value, exponent); };
  result.epsilon = unframed(it.epsilon);
  result.entropic_objective = unframed(it.dual);
  if (options.debiased && result.converged()) {
    const auto self_x = self_objective(work, x, scale, options);
    const auto self_y = self_objective(work, y, scale, options);
    if (self_x && self_y) {
      result.divergence = unframed(it.dual - 0.5 * (*self_x + *self_y));
    } else {
      result.stop = SinkhornStop::iteration_limit;
    }
  }
  const PlanCosts costs = plan_costs(work, x, y, it);
  result.transport_cost = unframed(costs.entropic);
  result.upper_bound = unframed(costs.rounded);

  auto& f = result.source_potential;
  auto& g = result.target_potential;
  f.resize(a.size());
  g.resize(b.size());
  c_transform({&all_x, &y.packed, problem.cost}, padded(it.g, -kInfinity), work.threads, f);
  const PackedPoints packed_x(all_x);
  c_transform({&all_y, &packed_x, problem.cost}, padded(f, -kInfinity), work.threads, g);
  result.lower_bound = unframed(accurate_dot(a, f) + accurate_dot(b, g));
  for (double& value : f) value = unframed(value);
  for (double& value : g) value = unframed(value);
  return result;
}

}  // namespace nw::ot
