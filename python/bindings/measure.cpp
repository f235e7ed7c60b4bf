#include "nw/app/compare/choose_k.hpp"
#include "nw/app/compare/compare.hpp"
#include "nw/measure/proportions.hpp"

#include "bindings/arrays.hpp"
#include "bindings/fields.hpp"
#include "bindings/parts.hpp"
#include "bindings/table.hpp"
#include "bindings/watch.hpp"

namespace nw::python {
namespace {

using namespace py::literals;
using Weights = std::optional<Points>;

/// One or two data sets as Python hands them over.
struct Inputs {
  Points x;
  Weights weights_x;
  std::optional<Points> y;
  Weights weights_y;
  const EncodedTables* tables = nullptr;  ///< where the points were columns of tables

  [[nodiscard]] ot::WeightedPoints view_x() const { return view_weighted(x, weights_x); }
  [[nodiscard]] ot::WeightedPoints view_y() const {
    return y ? view_weighted(*y, weights_y) : ot::WeightedPoints{};
  }
};

py::array_t<double> centres_of(const measure::Mixture& mixture) {
  Matrix centres(mixture.size(), mixture.dim());
  for (std::size_t j = 0; j < mixture.size(); ++j) {
    std::ranges::copy(mixture.components[j].centre, centres.row(j).begin());
  }
  return to_array(centres);
}

py::array_t<double> covariances_of(const measure::Mixture& mixture) {
  std::vector<double> values;
  for (const auto& component : mixture.components) {
    const Matrix covariance = measure::covariance(component);
    values.insert(values.end(), covariance.values().begin(), covariance.values().end());
  }
  const auto k = static_cast<py::ssize_t>(mixture.size());
  const auto d = static_cast<py::ssize_t>(mixture.dim());
  return to_array(std::move(values)).reshape({k, d, d});
}

py::dict side_of(const measure::NwSide& side) {
  return py::dict("pi"_a = to_array(std::vector(side.pi)), "cost"_a = side.cost,
                  "distance"_a = side.distance, "lower"_a = side.lower,
                  "standard_error"_a = side.standard_error);
}

py::dict fit_of(const measure::NwResult& fit) {
  return py::dict("value"_a = fit.value, "k"_a = fit.mixture_original.size(),
                  "floor"_a = fit.floor.mean, "standard_error"_a = fit.standard_error,
                  "converged"_a = fit.converged(), "reason"_a = fit.reason,
                  "rounds"_a = fit.history.size(), "solves"_a = fit.solves,
                  "centres"_a = centres_of(fit.mixture_original),
                  "covariances"_a = covariances_of(fit.mixture_original), "x"_a = side_of(fit.x),
                  "y"_a = side_of(fit.y), "seconds"_a = fit.seconds);
}

py::list curve_of(const measure::ChooseKResult& result) {
  py::list curve;
  for (const auto& point : result.curve) {
    curve.append(py::dict("k"_a = point.k, "nw"_a = point.nw, "nw_low"_a = point.nw_low,
                          "nw_high"_a = point.nw_high, "floor"_a = point.floor,
                          "drop"_a = point.drop, "at_floor"_a = point.at_floor));
  }
  return curve;
}

py::tuple pair_of(const Interval& interval) {
  return py::make_tuple(interval.low, interval.high);
}

py::list moves_of(const std::vector<record::ColumnMove>& moves) {
  py::list list;
  for (const auto& move : moves) {
    list.append(py::dict("column"_a = move.column, "level"_a = move.level, "from"_a = move.from,
                         "to"_a = move.to, "deviations"_a = move.deviations,
                         "spread_change"_a = move.spread_change, "p"_a = move.p));
  }
  return list;
}

py::list possible_moves_of(const record::RunRecord& record) {
  py::list list;
  if (!record.compare) return list;
  for (const auto& move : record.compare->possible_moves) {
    py::list columns;
    for (const auto& gap : move.columns) {
      columns.append(py::dict("column"_a = gap.column, "level"_a = gap.level, "from"_a = gap.from,
                              "to"_a = gap.to, "deviations"_a = gap.deviations));
    }
    list.append(py::dict("gone"_a = move.gone, "appeared"_a = move.appeared,
                         "deviations"_a = move.deviations, "columns"_a = columns));
  }
  return list;
}

py::dict effect_of(const measure::Effect& effect) {
  return py::dict("mix_change"_a = effect.mix_change,
                  "mix_change_interval"_a = pair_of(effect.mix_change_interval),
                  "largest_share_change"_a = effect.largest_share_change,
                  "largest_share_change_interval"_a = pair_of(effect.largest_share_change_interval),
                  "members_moved"_a = effect.members_moved,
                  "members_moved_interval"_a = pair_of(effect.members_moved_interval),
                  "score_change"_a = effect.score_change,
                  "score_change_interval"_a = pair_of(effect.score_change_interval),
                  "min_effect"_a = effect.min_effect.share,
                  "min_move"_a = effect.min_effect.deviations, "confidence"_a = effect.confidence,
                  "equivalent"_a = effect.equivalent,
                  "below_min_effect"_a = effect.below_min_effect, "sentence"_a = effect.sentence);
}

py::list column_changes_of(const std::vector<record::ColumnSummary>& columns) {
  py::list list;
  for (const auto& column : columns) {
    if (!column.change) continue;
    list.append(py::dict("column"_a = column.name, "change"_a = *column.change,
                         "change_between"_a = *column.change_between,
                         "change_within"_a = *column.change_within, "p"_a = *column.change_p));
  }
  return list;
}

py::list rows_of(const measure::CompareResult& result) {
  py::list list;
  for (const bool in_y : {false, true}) {
    for (const auto& row : in_y ? result.scores_y : result.scores_x) {
      list.append(py::make_tuple(in_y ? "y" : "x", row.row, row.member, row.score, row.weight));
    }
  }
  return list;
}

py::list components_of(const measure::CompareResult& result, const record::RunRecord& record) {
  py::list components;
  for (std::size_t j = 0; j < result.components.size(); ++j) {
    const auto& c = result.components[j];
    const record::ComponentResult told =
        record.compare ? record.compare->components[j] : record::ComponentResult();
    components.append(
        py::dict("name"_a = told.name.text(), "centre"_a = to_array(std::vector(c.centre)),
                 "mass_x"_a = c.mass_x, "mass_y"_a = c.mass_y,
                 "mass_x_interval"_a = pair_of(c.mass_x_interval),
                 "mass_y_interval"_a = pair_of(c.mass_y_interval),
                 "presence"_a = to_string(c.presence), "status"_a = to_string(c.status),
                 "shift"_a = to_array(std::vector(c.shift)), "shift_size"_a = c.shift_size,
                 "spread_change"_a = c.spread_change, "contribution"_a = c.contribution,
                 "p"_a = c.p, "columns_moved"_a = moves_of(told.columns_moved)));
  }
  return components;
}

py::array_t<double> intervals_of(const std::vector<Interval>& intervals) {
  Matrix bounds(intervals.size(), 2);
  for (std::size_t j = 0; j < intervals.size(); ++j) {
    bounds(j, 0) = intervals[j].low;
    bounds(j, 1) = intervals[j].high;
  }
  return to_array(bounds);
}

/// Counted from 1, as in every text.
std::vector<std::vector<std::size_t>> members_of(const measure::CompareResult& result) {
  auto members = result.members;
  for (auto& member : members) {
    for (std::size_t& component : member) ++component;
  }
  return members;
}

/// The data as the application takes them. Weights that were given replace those of tables.
table::Inputs to_inputs(const Inputs& given) {
  table::Inputs inputs;
  if (given.tables != nullptr) {
    inputs = given.tables->inputs;
  } else {
    inputs.x = point_set(given.x, "x");
    if (given.y) inputs.y = point_set(*given.y, "y");
  }
  const auto assign = [](std::span<const double> weights, io::PointSet& points) {
    if (!weights.empty()) points.weights.assign(weights.begin(), weights.end());
  };
  assign(given.view_x().weights, inputs.x);
  assign(given.view_y().weights, inputs.y);
  return inputs;
}

py::dict compare(const Points& x, const Points& y, const Weights& weights_x,
                 const Weights& weights_y, const py::dict& given, std::uint64_t seed,
                 const py::object& progress, const EncodedTables* tables) {
  auto options = options_from<app::ComparisonOptions>(given);
  options.seed = seed;
  Watch watch(progress);
  const table::Inputs inputs = to_inputs({x, weights_x, y, weights_y, tables});
  const auto comparison =
      run_unlocked(watch, [&] { return app::compare(inputs, options, observe(watch)); });
  const measure::CompareResult& result = comparison.result;
  const record::RunRecord& record = comparison.record;
  return py::dict(
      "verdict"_a = to_string(result.verdict), "sentence"_a = result.sentence,
      "notes"_a = result.notes, "wasserstein"_a = result.wasserstein,
      "wasserstein_null"_a = result.wasserstein_null,
      "normalized_wasserstein"_a = result.normalized_wasserstein, "floor"_a = result.floor,
      "k"_a = result.k, "pi_x"_a = to_array(std::vector(result.pi_x)),
      "pi_y"_a = to_array(std::vector(result.pi_y)),
      "pi_x_interval"_a = intervals_of(result.pi_x_interval),
      "pi_y_interval"_a = intervals_of(result.pi_y_interval), "p_same"_a = result.p_same,
      "p_components"_a = result.p_components, "p_fit"_a = result.p_fit,
      "family_fits"_a = result.family_fits, "proportion_change"_a = result.proportion_change,
      "component_change"_a = result.component_change,
      "components"_a = components_of(result, record), "members"_a = members_of(result),
      "possible_moves"_a = possible_moves_of(record), "effect"_a = effect_of(result.effect),
      "column_changes"_a = column_changes_of(record.columns), "rows"_a = rows_of(result),
      "reason"_a = result.reason, "k_interval"_a = py::make_tuple(result.k_low, result.k_high),
      "p_ratio"_a = result.p_ratio, "p_members"_a = result.p_members,
      "share_bound"_a = result.share_bound, "smallest_share"_a = result.smallest_share,
      "interrupted"_a = result.interrupted, "seconds"_a = result.seconds,
      "record"_a = result.interrupted ? std::string() : record::to_json(record, -1));
}

py::dict choose_k(const Points& x, const std::optional<Points>& y, const Weights& weights_x,
                  const Weights& weights_y, const py::dict& given, std::uint64_t seed,
                  const py::object& progress, const EncodedTables* tables) {
  auto options = options_from<app::ModeCountOptions>(given);
  options.seed = seed;
  Watch watch(progress);
  const table::Inputs inputs = to_inputs({x, weights_x, y, weights_y, tables});
  const auto found =
      run_unlocked(watch, [&] { return app::choose_k(inputs, options, observe(watch)); });
  const measure::ChooseKResult& result = found.result;
  return py::dict("k"_a = result.k, "reached_floor"_a = result.reached_floor,
                  "clear"_a = result.clear, "reason"_a = result.reason,
                  "curve"_a = curve_of(result), "fit"_a = fit_of(result.fit(result.k)),
                  "seconds"_a = result.seconds, "record"_a = record::to_json(found.record, -1));
}

py::dict normalized_wasserstein(const Points& x, const std::optional<Points>& y,
                                const Weights& weights_x, const Weights& weights_y, std::size_t k,
                                const py::dict& given, std::uint64_t seed,
                                const py::object& progress) {
  auto options = options_from<measure::NwOptions>(given);
  options.components = k;
  Watch watch(progress);
  options.observer = observe(watch);
  const Inputs inputs{x, weights_x, y, weights_y};
  return fit_of(run_unlocked(watch, [&] {
    Rng rng(seed);
    return inputs.y
               ? measure::normalized_wasserstein(inputs.view_x(), inputs.view_y(), options, rng)
               : measure::fit_mixture(inputs.view_x(), options, rng);
  }));
}

/// The proportions of given Gaussian components in a data set, with their certificate.
py::dict fit_proportions(const Points& x, const Weights& weights, const Points& centres,
                         const Points& covariances, int order, int threads) {
  measure::Mixture mixture;
  const MatrixView rows = view_points(centres);
  const std::size_t d = rows.cols();
  require(static_cast<std::size_t>(covariances.size()) == rows.rows() * d * d,
          "covariances must be one square matrix per centre");
  for (std::size_t j = 0; j < rows.rows(); ++j) {
    const std::span<const double> values(covariances.data() + j * d * d, d * d);
    mixture.components.push_back(
        measure::gaussian_component(rows.row(j), MatrixView(values, d, d)));
  }
  Watch watch{py::none()};
  const auto result = run_unlocked(watch, [&] {
    return measure::fit_proportions(
        view_weighted(x, weights), mixture,
        {.cost = order == 2 ? ot::GroundCost::squared_euclidean : ot::GroundCost::euclidean,
         .threads = threads});
  });
  return py::dict("pi"_a = to_array(std::vector(result.pi)), "upper"_a = result.upper,
                  "lower"_a = result.lower, "converged"_a = result.converged);
}

}  // namespace

void add_measure(py::module_& module) {
  const auto input = [](const char* name) { return py::arg(name).noconvert(); };
  module.def("compare", &compare, input("x"), input("y"), py::arg("weights_x"),
             py::arg("weights_y"), py::arg("options"), py::arg("seed"), py::arg("progress"),
             py::arg("tables"));
  module.def("compare_defaults", &defaults_of<app::ComparisonOptions>);
  module.def("choose_k", &choose_k, input("x"), py::arg("y"), py::arg("weights_x"),
             py::arg("weights_y"), py::arg("options"), py::arg("seed"), py::arg("progress"),
             py::arg("tables"));
  module.def("choose_k_defaults", &defaults_of<app::ModeCountOptions>);
  module.def("normalized_wasserstein", &normalized_wasserstein, input("x"), py::arg("y"),
             py::arg("weights_x"), py::arg("weights_y"), py::arg("k"), py::arg("options"),
             py::arg("seed"), py::arg("progress"));
  module.def("normalized_wasserstein_defaults", &defaults_of<measure::NwOptions>);
  module.def("fit_proportions", &fit_proportions, input("x"), py::arg("weights"), input("centres"),
             input("covariances"), py::arg("p"), py::arg("threads"));
}

}  // namespace nw::python
