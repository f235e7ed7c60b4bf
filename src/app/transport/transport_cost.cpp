#include "nw/app/transport/transport_cost.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/io/points.hpp"
#include "nw/record/start_record.hpp"

#include "app/compare/data_units.hpp"

namespace nw::app {
namespace {

/// Such as "cityblock distance ^ 1.5".
std::string cost_name(const CostOptions& options) {
  std::string name = options.precision.rows() > 0 ? "Mahalanobis " : "";
  name += concat(to_string(options.metric), " distance");
  if (options.exponent != 1.0) name += concat("^", significant(options.exponent, 6));
  return name;
}

/// Without weights the total of a side is one; with a price weights count as they are.
ot::PartialResult everything_moved(ot::TransportResult result) {
  ot::PartialResult found;
  for (const ot::Flow& flow : result.plan) found.moved += flow.mass;
  found.transport = std::move(result);
  return found;
}

}  // namespace

void CostOptions::validate() const {
  ot::MetricOptions{.metric = metric, .exponent = exponent, .precision = precision, .exact = exact}
      .validate();
  require(!price || (std::isfinite(*price) && *price >= 0.0), "price must not be negative, got ",
          price.value_or(0.0));
}

TransportCost transport_cost(const ot::WeightedPoints& x, const ot::WeightedPoints& y,
                             const CostOptions& options) {
  options.validate();
  const Stopwatch clock;
  const ot::MetricOptions metric{.metric = options.metric,
                                 .exponent = options.exponent,
                                 .precision = options.precision,
                                 .exact = options.exact};
  TransportCost result;
  result.found = options.price ? ot::solve_partial(x, y, *options.price, metric)
                               : everything_moved(ot::solve_metric(x, y, metric));
  const ot::TransportResult& transport = result.found.transport;
  result.value = options.price ? transport.cost
                               : std::pow(std::max(transport.cost, 0.0), 1.0 / options.exponent);
  result.converged = transport.optimal() || transport.termination == ot::Termination::gap_reached;
  result.seconds = clock.seconds();
  return result;
}

std::string cost_headline(const TransportCost& result, const CostOptions& options, Digits digits) {
  const auto number = [&](double value) {
    return digits == Digits::all ? exact_text(value) : significant(value, 6);
  };
  const ot::PartialResult& found = result.found;
  std::string text = concat("cost = ", number(found.transport.cost), ", ", cost_name(options));
  if (options.price) {
    text += concat("; moved ", significant(found.moved, 6), " of the mass, left ",
                   significant(found.left_at_source, 6), " of X and ",
                   significant(found.left_at_target, 6), " of Y at ",
                   significant(*options.price, 6), " a unit");
  } else if (options.exponent != 1.0) {
    text += concat("; its root ", number(result.value), " is a distance");
  }
  return text;
}

std::string cost_certificate(const TransportCost& result) {
  const ot::TransportResult& transport = result.found.transport;
  const std::string bounds =
      concat("the least cost lies between ", significant(transport.dual_objective, 12), " and ",
             significant(transport.cost, 12));
  if (!result.converged) return concat("NOT CONVERGED; ", bounds);
  if (!transport.optimal()) return concat("certified to the gap asked for; ", bounds);
  return concat("certified: no plan costs less than ", significant(transport.dual_objective, 16),
                ", gap ", significant(transport.gap(), 2));
}

record::RunRecord cost_record(const NamedInputs& data, const CostOptions& options,
                              const TransportCost& result, double load_seconds) {
  auto record = record::start_record(record::RunKind::distance, "distance", 0);
  const ot::TransportResult& transport = result.found.transport;
  record.sentence = cost_headline(result, options, Digits::readable);
  record.details = {cost_certificate(result)};
  record.data = {record::describe(data.inputs.x, data.x), record::describe(data.inputs.y, data.y)};
  record.distance = record::DistanceResult{.distance = result.value,
                                           .method = "exact",
                                           .primal = transport.cost,
                                           .dual = transport.dual_objective,
                                           .gap = transport.gap()};
  record.converged = result.converged;
  record.seconds = result.seconds;
  record.settings = {{"cost", std::string(to_string(options.metric))},
                     {"exponent", options.exponent},
                     {"threads", std::int64_t{options.exact.threads}}};
  record.transport =
      record::TransportSummary{.p = options.exponent == 2.0 ? 2U : 1U,
                               .reason = "costs other than W1 and W2 are solved exactly",
                               .exact = transport.optimal(),
                               .load_seconds = load_seconds};
  add_solve(transport, *record.transport);
  if (options.price) {
    record.settings.emplace_back("price", *options.price);
    const ot::PartialResult& found = result.found;
    record.metrics = {{.name = "moved", .label = "mass moved", .value = found.moved},
                      {.name = "left_x", .label = "mass left in X", .value = found.left_at_source},
                      {.name = "left_y", .label = "mass left in Y", .value = found.left_at_target}};
  }
  add_columns(data.inputs, record);
  return record;
}

Matrix read_precision(const std::string& path, std::size_t dimension) {
  Matrix values = io::load_points(path).values;
  if (values.rows() == dimension && values.cols() == dimension) return values;
  throw IoError(concat(path, ": ", values.rows(), " x ", values.cols(), " numbers; the data have ",
                       dimension, " coordinates, so it takes ", dimension, " x ", dimension));
}

}  // namespace nw::app
