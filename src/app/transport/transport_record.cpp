#include "nw/app/transport/transport_record.hpp"

#include <charconv>

#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"
#include "nw/record/projection.hpp"
#include "nw/record/start_record.hpp"

#include "app/compare/data_units.hpp"

namespace nw::app {

std::string exact_text(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value);
  return {text, end.ptr};
}

std::string distance_headline(const ot::WassersteinResult& result, int p, Digits digits) {
  const bool all = digits == Digits::all;
  const char* sliced = result.method == ot::WassersteinMethod::sliced ? "sliced " : "";
  std::string text = concat(sliced, "W", p, " = ",
                            all ? exact_text(result.distance) : significant(result.distance, 6));
  if (p == 2) {
    const double square = result.distance * result.distance;
    text += concat(" (W2^2 = ", significant(square, all ? 12 : 6), ")");
  }
  if (result.standard_error) text += concat(" +- ", significant(*result.standard_error, 2));
  return text;
}

std::string distance_certificate(const ot::WassersteinResult& result, int p) {
  const std::string power = p == 1 ? "W1" : "W2^2";
  const std::string bounds = concat(power, " lies between ", significant(result.dual, 12), " and ",
                                    significant(result.primal, 12));
  if (!result.converged) return concat("NOT CONVERGED; ", bounds);
  if (!result.exact) {
    const double share = result.primal > 0.0 ? result.gap() / result.primal : 0.0;
    const bool asked = result.method == ot::WassersteinMethod::exact;
    return asked ? concat("certified to ", significant(100.0 * share, 2), " % as asked; ", bounds)
                 : concat("approximate; ", bounds);
  }
  return concat("certified: no plan costs less than ", significant(result.dual, 16), ", gap ",
                significant(result.gap(), 2));
}

void add_solve(const ot::TransportResult& solve, record::TransportSummary& summary) {
  summary.termination = to_string(solve.termination);
  summary.pivots = static_cast<std::uint64_t>(solve.pivots);
  for (const ot::BoundsInTime& moment : solve.history) {
    summary.gap_curve.push_back({.seconds = moment.seconds,
                                 .pivots = static_cast<std::uint64_t>(moment.pivots),
                                 .primal = moment.cost,
                                 .dual = moment.dual_objective});
  }
}

record::RunRecord distance_record(const NamedInputs& data, const ot::WassersteinOptions& options,
                                  const ot::WassersteinResult& result, double load_seconds) {
  auto record = record::start_record(record::RunKind::distance, "distance", options.seed);
  const int p = options.p;
  record.sentence = distance_headline(result, p, Digits::readable);
  record.details = {distance_certificate(result, p)};
  record.data = {record::describe(data.inputs.x, data.x), record::describe(data.inputs.y, data.y)};
  record.distance = record::DistanceResult{.distance = result.distance,
                                           .method = to_string(result.method),
                                           .primal = result.primal,
                                           .dual = result.dual,
                                           .gap = result.gap()};
  record.converged = result.converged;
  record.seconds = result.seconds;
  record.settings = {{"p", std::int64_t{p}},
                     {"method", std::string(to_string(options.method))},
                     {"threads", std::int64_t{options.threads}}};
  record.transport = record::TransportSummary{.p = static_cast<std::uint64_t>(p),
                                              .reason = result.reason,
                                              .exact = result.exact,
                                              .load_seconds = load_seconds,
                                              .marginal_error = result.marginal_error,
                                              .standard_error = result.standard_error};
  if (result.method == ot::WassersteinMethod::exact) {
    add_solve(result.transport, *record.transport);
  }
  add_columns(data.inputs, record);
  if (const auto dominant = table::dominant_column(data.inputs.x, data.inputs.y)) {
    record.warnings.push_back(concat(dominant->name, " carries ",
                                     significant(100.0 * dominant->share, 3),
                                     " % of the variance, so the distance is one of that column; "
                                     "a robust scale weighs columns alike."));
  }
  return record;
}

void draw_plan(const table::Inputs& inputs, const ot::WassersteinResult& result,
               record::RunRecord& record) {
  const MatrixView x = inputs.x.values, y = inputs.y.values;
  const record::Projection projection(x, y, inputs.x.column_names);
  record.figure = start_figure(projection, x, y);
  std::vector<record::MassFlow> plan;
  for (const ot::Flow& flow : result.transport.plan)
    plan.push_back({flow.source, flow.target, flow.mass});
  record.figure->plain = draw_couplings(projection, x, y, plan);
}

std::string certificate_sentence(const ot::PlanCertificate& found) {
  if (!found.feasible()) {
    return "this is not a plan between these points: its marginals are off, so its cost may lie "
           "below the optimum";
  }
  const double floor = 1e-9 * found.upper_bound;
  if (found.cost - found.lower_bound <= floor) return "the plan is optimal";
  return concat("the plan costs ", significant(100.0 * found.gap(), 4), " % more than the optimum",
                found.termination == ot::Termination::optimal ? "" : ", or less");
}

bool is_final(const ot::PlanCertificate& found) {
  return found.termination == ot::Termination::optimal ||
         found.termination == ot::Termination::gap_reached;
}

record::RunRecord certificate_record(const NamedInputs& data, const CertifiedPlan& plan,
                                     const ot::PlanCertificate& found) {
  auto record = record::start_record(record::RunKind::distance, "certify", 0);
  record.sentence = certificate_sentence(found);
  record.data = {record::describe(data.inputs.x, data.x), record::describe(data.inputs.y, data.y)};
  record.converged = is_final(found);
  record.settings = {{"p", std::int64_t{plan.p}}, {"plan", plan.file}};
  record.certificate =
      record::CertificateSummary{.p = static_cast<std::uint64_t>(plan.p),
                                 .entries = plan.entries,
                                 .plan_mass = found.mass,
                                 .plan_cost = found.cost,
                                 .plan_negative = found.negative,
                                 .source_error = found.source_error,
                                 .target_error = found.target_error,
                                 .largest_error = found.largest_error,
                                 .feasible = found.feasible(),
                                 .lower_bound = found.lower_bound,
                                 .upper_bound = found.upper_bound,
                                 .relative_gap = found.gap(),
                                 .termination = to_string(found.termination),
                                 .pivots = static_cast<std::uint64_t>(found.pivots)};
  return record;
}

}  // namespace nw::app
