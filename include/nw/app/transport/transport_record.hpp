// Distances and certificates of plans in words, and what a run reports of them.
#pragma once

#include <string>

#include "nw/ot/certify.hpp"
#include "nw/ot/wasserstein.hpp"
#include "nw/record/run_record.hpp"
#include "nw/table/read_inputs.hpp"

namespace nw::app {

/// The shortest text that gives the same double again.
[[nodiscard]] std::string exact_text(double value);

/// How many digits of a value a reader wants: all of them to copy, six to read.
enum class Digits { all, readable };

/// The value with its name, such as "W2 = 1.5 (W2^2 = 2.25)".
[[nodiscard]] std::string distance_headline(const ot::WassersteinResult& result, int p,
                                            Digits digits = Digits::all);

/// How near the value is to the truth, and why that is certain.
[[nodiscard]] std::string distance_certificate(const ot::WassersteinResult& result, int p);

/// The two data sets of a run, and what they are called.
struct NamedInputs {
  const table::Inputs& inputs;
  std::string x{}, y{};
};

/// Answer, data, bounds and settings of a distance; `load_seconds` is the time the reading took.
/// Warns where one column decides.
[[nodiscard]] record::RunRecord distance_record(const NamedInputs& data,
                                                const ot::WassersteinOptions& options,
                                                const ot::WassersteinResult& result,
                                                double load_seconds);

/// Adds a picture of the points and, where there is one, of the plan.
void draw_plan(const table::Inputs& inputs, const ot::WassersteinResult& result,
               record::RunRecord& record);

/// What a certificate says, in one sentence.
[[nodiscard]] std::string certificate_sentence(const ot::PlanCertificate& found);

/// Whether the bounds are as near as they were asked to be.
[[nodiscard]] bool is_final(const ot::PlanCertificate& found);

/// A plan that was certified.
struct CertifiedPlan {
  std::string file{};
  std::size_t entries = 0;
  int p = 1;
};

[[nodiscard]] record::RunRecord certificate_record(const NamedInputs& data,
                                                   const CertifiedPlan& plan,
                                                   const ot::PlanCertificate& found);

/// How the exact solver ended and came there.
void add_solve(const ot::TransportResult& solve, record::TransportSummary& summary);

}  // namespace nw::app
