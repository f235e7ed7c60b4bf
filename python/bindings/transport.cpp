#include <algorithm>

#include "nw/base/stopwatch.hpp"
#include "nw/ot/many.hpp"
#include "nw/ot/metric.hpp"
#include "nw/ot/plan_columns.hpp"
#include "nw/ot/sparse.hpp"
#include "nw/ot/wasserstein.hpp"

#include "bindings/arrays.hpp"
#include "bindings/fields.hpp"
#include "bindings/parts.hpp"
#include "bindings/watch.hpp"

namespace nw::python {
namespace {

/// The plan as three arrays of equal length.
py::object plan_of(const ot::TransportResult& transport) {
  if (transport.plan.empty()) return py::none();
  ot::PlanColumns columns = ot::plan_columns(transport.plan);
  return py::make_tuple(to_array(std::move(columns.source)), to_array(std::move(columns.target)),
                        to_array(std::move(columns.mass)));
}

py::object potentials_of(ot::TransportResult& transport) {
  if (transport.source_potential.empty()) return py::none();
  return py::make_tuple(to_array(std::move(transport.source_potential)),
                        to_array(std::move(transport.target_potential)));
}

using Indices = py::array_t<std::int64_t, py::array::c_style>;

/// (time, pivots, cost, bound) of every moment, as four arrays.
py::object history_of(const ot::TransportResult& transport) {
  if (transport.history.empty()) return py::none();
  std::vector<double> seconds, cost, bound;
  std::vector<std::int64_t> pivots;
  for (const ot::BoundsInTime& moment : transport.history) {
    seconds.push_back(moment.seconds);
    pivots.push_back(moment.pivots);
    cost.push_back(moment.cost);
    bound.push_back(moment.dual_objective);
  }
  return py::make_tuple(to_array(std::move(seconds)), to_array(std::move(pivots)),
                        to_array(std::move(cost)), to_array(std::move(bound)));
}

/// An earlier answer, given as (plan, potentials) in the form that the functions return.
std::optional<ot::TransportResult> earlier_answer(const py::object& given) {
  if (given.is_none()) return std::nullopt;
  const auto pair = given.cast<py::tuple>();
  const auto plan = pair[0].cast<std::tuple<Indices, Indices, Points>>();
  const auto [f, g] = pair[1].cast<std::tuple<Points, Points>>();
  const auto& [source, target, mass] = plan;
  require(source.size() == mass.size() && target.size() == mass.size(),
          "warm_start: the three arrays of its plan differ in length");
  ot::TransportResult result;
  for (py::ssize_t k = 0; k < mass.size(); ++k) {
    require(source.data()[k] >= 0 && target.data()[k] >= 0,
            "warm_start: negative index in its plan");
    result.plan.push_back({static_cast<std::uint32_t>(source.data()[k]),
                           static_cast<std::uint32_t>(target.data()[k]), mass.data()[k]});
  }
  result.source_potential.assign(f.data(), f.data() + f.size());
  result.target_potential.assign(g.data(), g.data() + g.size());
  return result;
}

py::dict wasserstein(const Points& x, const Points& y, const std::optional<Points>& weights_x,
                     const std::optional<Points>& weights_y, const py::dict& given,
                     double stop_after, const py::object& warm_start) {
  auto options = options_from<ot::WassersteinOptions>(given);
  const auto earlier = earlier_answer(warm_start);
  if (earlier) options.exact.warm_start = &*earlier;
  Watch watch{py::none()};
  const Stopwatch clock;
  options.exact.observer = [&](const ot::ExactProgress& now) {
    if (stop_after > 0.0 && clock.seconds() > stop_after) return false;
    return watch.go_on("exact", static_cast<double>(now.level) / now.levels);
  };
  options.sinkhorn.observer = [&](const ot::SinkhornProgress&) {
    return watch.go_on("sinkhorn", 0.0);
  };
  auto result = run_unlocked(watch, [&] {
    return ot::wasserstein(view_weighted(x, weights_x), view_weighted(y, weights_y), options);
  });
  using namespace py::literals;
  return py::dict(
      "distance"_a = result.distance, "p"_a = options.p, "method"_a = to_string(result.method),
      "reason"_a = result.reason, "primal"_a = result.primal, "dual"_a = result.dual,
      "gap"_a = result.gap(), "converged"_a = result.converged, "exact"_a = result.exact,
      "marginal_error"_a = result.marginal_error, "standard_error"_a = result.standard_error,
      "seconds"_a = result.seconds, "plan"_a = plan_of(result.transport),
      "history"_a = history_of(result.transport), "potentials"_a = potentials_of(result.transport));
}

/// Rows [offsets[k], offsets[k + 1]) of a stack are the points of sample k.
struct Stack {
  MatrixView points;
  std::span<const double> weights;
  std::span<const std::int64_t> offsets;

  Stack(const Points& all, const std::optional<Points>& given, const Indices& places)
      : points(view_points(all)), offsets(places.data(), static_cast<std::size_t>(places.size())) {
    if (given) weights = {given->data(), static_cast<std::size_t>(given->size())};
    require(!offsets.empty() && offsets.front() == 0 &&
                static_cast<std::size_t>(offsets.back()) == points.rows() &&
                std::is_sorted(offsets.begin(), offsets.end()),
            "offsets must go up from 0 to the number of rows");
    require(!given || weights.size() == points.rows(), "expected one weight for each row");
  }

  [[nodiscard]] std::size_t samples() const { return offsets.size() - 1; }
  [[nodiscard]] ot::WeightedPoints sample(std::size_t k) const {
    const auto begin = static_cast<std::size_t>(offsets[k]);
    const std::size_t rows = static_cast<std::size_t>(offsets[k + 1]) - begin, d = points.cols();
    ot::WeightedPoints found{.points = {points.values().subspan(begin * d, rows * d), rows, d}};
    if (!weights.empty()) found.weights = weights.subspan(begin, rows);
    return found;
  }
};

std::vector<ot::TransportResult> solve_watched(std::span<const ot::PointProblem> problems,
                                               int threads) {
  Watch watch{py::none()};
  ot::ExactOptions options;
  options.threads = threads;
  options.observer = [&](const ot::ExactProgress& now) {
    return watch.go_on("batch",
                       static_cast<double>(now.pivots) / static_cast<double>(problems.size()));
  };
  return run_unlocked(watch, [&] { return ot::solve_many(problems, options); });
}

ot::GroundCost cost_of_order(int p) {
  require(p == 1 || p == 2, "p must be 1 or 2, got ", p);
  return p == 1 ? ot::GroundCost::euclidean : ot::GroundCost::squared_euclidean;
}

/// Sample k of x against sample k of y.
py::dict wasserstein_batch(const Points& x, const Indices& x_offsets,
                           const std::optional<Points>& weights_x, const Points& y,
                           const Indices& y_offsets, const std::optional<Points>& weights_y, int p,
                           int threads, bool plans) {
  const Stack left(x, weights_x, x_offsets), right(y, weights_y, y_offsets);
  require(left.samples() == right.samples(), "x has ", left.samples(), " samples and y has ",
          right.samples());
  std::vector<ot::PointProblem> problems;
  for (std::size_t k = 0; k < left.samples(); ++k) {
    problems.push_back({left.sample(k), right.sample(k), cost_of_order(p)});
  }
  auto results = solve_watched(problems, threads);
  std::vector<double> primal, dual;
  py::list plan, potentials;
  for (ot::TransportResult& result : results) {
    primal.push_back(result.cost);
    dual.push_back(result.dual_objective);
    if (!plans) continue;
    plan.append(plan_of(result));
    potentials.append(potentials_of(result));
  }
  using namespace py::literals;
  return py::dict("primal"_a = to_array(std::move(primal)), "dual"_a = to_array(std::move(dual)),
                  "plans"_a = plans ? py::object(plan) : py::none(),
                  "potentials"_a = plans ? py::object(potentials) : py::none());
}

/// Every two samples of x: primal and dual values in the order (0, 1), (0, 2), ..., (1, 2), ...
py::tuple wasserstein_pairs(const Points& x, const Indices& offsets,
                            const std::optional<Points>& weights, int p, int threads) {
  const Stack stack(x, weights, offsets);
  std::vector<ot::PointProblem> problems;
  for (std::size_t a = 0; a < stack.samples(); ++a) {
    for (std::size_t b = a + 1; b < stack.samples(); ++b) {
      problems.push_back({stack.sample(a), stack.sample(b), cost_of_order(p)});
    }
  }
  std::vector<double> primal, dual;
  for (const ot::TransportResult& result : solve_watched(problems, threads)) {
    primal.push_back(result.cost);
    dual.push_back(result.dual_objective);
  }
  return py::make_tuple(to_array(std::move(primal)), to_array(std::move(dual)));
}

/// The optimal plan for a matrix of costs, with masses of total one.
py::dict emd(const Points& costs, const std::optional<Points>& a, const std::optional<Points>& b,
             int threads, const py::object& warm_start) {
  ot::MatrixProblem problem{.cost = view_points(costs)};
  if (a) problem.source_weights = {a->data(), static_cast<std::size_t>(a->size())};
  if (b) problem.target_weights = {b->data(), static_cast<std::size_t>(b->size())};
  const auto earlier = earlier_answer(warm_start);
  Watch watch{py::none()};
  ot::ExactOptions options;
  options.threads = threads;
  options.observer = [&](const ot::ExactProgress&) { return watch.go_on("exact", 0.0); };
  auto result = run_unlocked(watch, [&] {
    if (!earlier) {
      return std::move(ot::solve_many(std::span(&problem, 1), options).front());
    }
    options.warm_start = &*earlier;
    return ot::solve_exact(problem, options);
  });
  using namespace py::literals;
  return py::dict("cost"_a = result.cost, "dual"_a = result.dual_objective,
                  "plan"_a = plan_of(result), "potentials"_a = potentials_of(result));
}

/// The same where only the entries of compressed rows may be used.
py::dict emd_sparse(const Indices& row_begin, const Indices& column, const Points& costs,
                    std::size_t columns, const std::optional<Points>& a,
                    const std::optional<Points>& b, int threads) {
  const auto indices = [](const Indices& values) {
    return std::span<const std::int64_t>(values.data(), static_cast<std::size_t>(values.size()));
  };
  ot::SparseProblem problem{
      .cost = {.rows = static_cast<std::size_t>(std::max<py::ssize_t>(row_begin.size(), 1)) - 1,
               .columns = columns,
               .row_begin = indices(row_begin),
               .column = indices(column),
               .cost = {costs.data(), static_cast<std::size_t>(costs.size())}}};
  if (a) problem.source_weights = {a->data(), static_cast<std::size_t>(a->size())};
  if (b) problem.target_weights = {b->data(), static_cast<std::size_t>(b->size())};
  Watch watch{py::none()};
  ot::ExactOptions options;
  options.threads = threads;
  options.observer = [&](const ot::ExactProgress&) { return watch.go_on("exact", 0.0); };
  auto result = run_unlocked(watch, [&] { return ot::solve_sparse(problem, options); });
  using namespace py::literals;
  return py::dict("cost"_a = result.cost, "dual"_a = result.dual_objective,
                  "plan"_a = plan_of(result), "potentials"_a = potentials_of(result));
}

py::dict found_as_dict(ot::TransportResult& result) {
  using namespace py::literals;
  return py::dict("cost"_a = result.cost, "dual"_a = result.dual_objective,
                  "exact"_a = result.optimal(), "plan"_a = plan_of(result),
                  "potentials"_a = potentials_of(result));
}

py::dict transport_cost(const Points& x, const Points& y, const std::optional<Points>& weights_x,
                        const std::optional<Points>& weights_y, const std::string& metric,
                        double exponent, const std::optional<Points>& precision, int threads) {
  ot::MetricOptions options{.metric = ot::metric_from_string(metric), .exponent = exponent};
  if (precision) options.precision = view_points(*precision);
  options.exact.threads = threads;
  Watch watch{py::none()};
  options.exact.observer = [&](const ot::ExactProgress&) { return watch.go_on("exact", 0.0); };
  auto result = run_unlocked(watch, [&] {
    return ot::solve_metric(view_weighted(x, weights_x), view_weighted(y, weights_y), options);
  });
  return found_as_dict(result);
}

py::dict partial_emd(const Points& costs, const std::optional<Points>& a,
                     const std::optional<Points>& b, double price, int threads) {
  ot::MatrixProblem problem{.cost = view_points(costs)};
  if (a) problem.source_weights = {a->data(), static_cast<std::size_t>(a->size())};
  if (b) problem.target_weights = {b->data(), static_cast<std::size_t>(b->size())};
  Watch watch{py::none()};
  ot::ExactOptions options;
  options.threads = threads;
  options.observer = [&](const ot::ExactProgress&) { return watch.go_on("exact", 0.0); };
  auto result = run_unlocked(watch, [&] { return ot::solve_partial(problem, price, options); });
  py::dict found = found_as_dict(result.transport);
  found["moved"] = result.moved;
  found["left_at_source"] = result.left_at_source;
  found["left_at_target"] = result.left_at_target;
  return found;
}

}  // namespace

void add_transport(py::module_& module) {
  module.def("wasserstein", &wasserstein, py::arg("x").noconvert(), py::arg("y").noconvert(),
             py::arg("weights_x"), py::arg("weights_y"), py::arg("options"), py::arg("stop_after"),
             py::arg("warm_start"));
  module.def("wasserstein_batch", &wasserstein_batch, py::arg("x").noconvert(),
             py::arg("x_offsets"), py::arg("weights_x"), py::arg("y").noconvert(),
             py::arg("y_offsets"), py::arg("weights_y"), py::arg("p"), py::arg("threads"),
             py::arg("plans"));
  module.def("wasserstein_pairs", &wasserstein_pairs, py::arg("x").noconvert(), py::arg("offsets"),
             py::arg("weights"), py::arg("p"), py::arg("threads"));
  module.def("transport_cost", &transport_cost, py::arg("x").noconvert(), py::arg("y").noconvert(),
             py::arg("weights_x"), py::arg("weights_y"), py::arg("metric"), py::arg("exponent"),
             py::arg("precision"), py::arg("threads"));
  module.def("partial_emd", &partial_emd, py::arg("costs").noconvert(), py::arg("a"), py::arg("b"),
             py::arg("price"), py::arg("threads"));
  module.def("emd", &emd, py::arg("costs").noconvert(), py::arg("a"), py::arg("b"),
             py::arg("threads"), py::arg("warm_start"));
  module.def("emd_sparse", &emd_sparse, py::arg("row_begin"), py::arg("column"),
             py::arg("costs").noconvert(), py::arg("columns"), py::arg("a"), py::arg("b"),
             py::arg("threads"));
  module.def("wasserstein_defaults", &defaults_of<ot::WassersteinOptions>);
}

}  // namespace nw::python
