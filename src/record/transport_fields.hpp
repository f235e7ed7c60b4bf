// The JSON fields of transport, each named once: the writer and the reader of records both walk
// these lists. `visit(name, member)` is called for each field; `Whole` is const for the writer.
#pragma once

#include "nw/record/transport_results.hpp"

namespace nw::record {

template <typename Whole, typename Visit>
void visit_bounds(Whole& bounds, Visit&& visit) {
  visit("seconds", bounds.seconds);
  visit("pivots", bounds.pivots);
  visit("primal", bounds.primal);
  visit("dual", bounds.dual);
}

template <typename Whole, typename Visit>
void visit_transport(Whole& transport, Visit&& visit) {
  visit("p", transport.p);
  visit("reason", transport.reason);
  visit("exact", transport.exact);
  visit("load_seconds", transport.load_seconds);
  visit("termination", transport.termination);
  visit("pivots", transport.pivots);
  visit("gap_curve", transport.gap_curve);
  visit("marginal_error", transport.marginal_error);
  visit("standard_error", transport.standard_error);
}

template <typename Whole, typename Visit>
void visit_pairs(Whole& pairs, Visit&& visit) {
  visit("p", pairs.p);
  visit("names", pairs.names);
  visit("distances", pairs.distances);
  visit("largest_gap", pairs.largest_gap);
}

template <typename Whole, typename Visit>
void visit_certificate(Whole& certificate, Visit&& visit) {
  visit("p", certificate.p);
  visit("entries", certificate.entries);
  visit("plan_mass", certificate.plan_mass);
  visit("plan_cost", certificate.plan_cost);
  visit("plan_negative", certificate.plan_negative);
  visit("source_error", certificate.source_error);
  visit("target_error", certificate.target_error);
  visit("largest_error", certificate.largest_error);
  visit("feasible", certificate.feasible);
  visit("lower_bound", certificate.lower_bound);
  visit("upper_bound", certificate.upper_bound);
  visit("relative_gap", certificate.relative_gap);
  visit("termination", certificate.termination);
  visit("pivots", certificate.pivots);
}

}  // namespace nw::record
