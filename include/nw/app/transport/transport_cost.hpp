// The least cost of transport where distances are not Euclidean ones, or mass may be left.
#pragma once

#include <optional>
#include <string>

#include "nw/app/transport/transport_record.hpp"
#include "nw/base/matrix_view.hpp"
#include "nw/base/option_field.hpp"
#include "nw/ot/metric.hpp"
#include "nw/record/run_record.hpp"

namespace nw::app {

struct CostOptions {
  ot::Metric metric = ot::Metric::euclidean;
  double exponent = 1.0;          ///< moving a unit of mass costs distance^exponent; in [1, 2]
  Matrix precision{};             ///< see ot::MetricOptions::precision; empty: none
  std::optional<double> price{};  ///< of leaving a unit of mass at both ends; none: all is moved
  ot::ExactOptions exact{};

  /// Throws InvalidArgument.
  void validate() const;
};

struct TransportCost {
  /// Without a price all mass is moved, and the total is one.
  ot::PartialResult found{};
  /// cost^(1 / exponent), which is a distance between the clouds; the cost where mass may be left.
  double value = 0.0;
  bool converged = false;  ///< solved to the optimum, or to the gap asked for
  double seconds = 0.0;
};

/// Exact, with the certificate of ot::solve_metric() or ot::solve_partial().
[[nodiscard]] TransportCost transport_cost(const ot::WeightedPoints& x, const ot::WeightedPoints& y,
                                           const CostOptions& options);

/// What it found, in one sentence.
[[nodiscard]] std::string cost_headline(const TransportCost& result, const CostOptions& options,
                                        Digits digits = Digits::all);

/// How near the cost is to the truth.
[[nodiscard]] std::string cost_certificate(const TransportCost& result);

/// `load_seconds` is the time the reading took.
[[nodiscard]] record::RunRecord cost_record(const NamedInputs& data, const CostOptions& options,
                                            const TransportCost& result, double load_seconds);

/// A matrix from a file, one row for each of `dimension` coordinates. Throws IoError.
[[nodiscard]] Matrix read_precision(const std::string& path, std::size_t dimension);

}  // namespace nw::app
