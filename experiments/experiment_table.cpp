#include "experiments/experiment_table.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/base/moments.hpp"
#include "nw/base/number_text.hpp"

namespace nw::experiments {
namespace {

/// Standard deviation between seeds; nothing to say about a single one.
std::optional<double> deviation_of(const std::vector<double>& values) {
  if (values.size() < 2) return std::nullopt;
  return std::sqrt(variance_of(values));
}

}  // namespace

Experiment find_experiment(const std::string& id) {
  std::string known;
  for (const Experiment& experiment : all_experiments()) {
    if (experiment.id == id) return experiment;
    known += concat(known.empty() ? "" : ", ", experiment.id);
  }
  throw InvalidArgument(concat("'", id, "' is not an experiment; known are ", known));
}

ExperimentRun find_method(const Experiment& experiment, const std::string& method) {
  if (method.empty()) return experiment.methods.front().run;
  std::string known;
  for (const auto& [name, run] : experiment.methods) {
    if (method == name) return run;
    known += concat(known.empty() ? "" : " and ", name);
  }
  require(!known.empty(), "there is only one way to compute ", experiment.id);
  throw InvalidArgument(
      concat("'", method, "' is no method of ", experiment.id, ", which knows ", known));
}

report::TextTable table_of(const ExperimentResult& result) {
  report::TextTable table({"case", "metric", "mean", "std", "paper"});
  for (const ResultRow& row : result.rows) {
    const auto deviation = deviation_of(row.values);
    table.add({row.method, row.metric, significant(mean_of(row.values)),
               deviation ? significant(*deviation, 2) : "",
               row.paper ? significant(*row.paper) : ""});
  }
  return table;
}

Json rows_json(const ExperimentResult& result) {
  Json rows = Json::array();
  for (const ResultRow& row : result.rows) {
    const auto deviation = deviation_of(row.values);
    rows.push_back({{"method", row.method},
                    {"metric", row.metric},
                    {"mean", mean_of(row.values)},
                    {"std", deviation ? Json(*deviation) : Json(nullptr)},
                    {"paper", row.paper ? Json(*row.paper) : Json(nullptr)},
                    {"values", row.values}});
  }
  return rows;
}

}  // namespace nw::experiments
