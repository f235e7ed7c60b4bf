#include "experiments/case_table.hpp"

#include <algorithm>
#include <sstream>

#include "nw/base/error.hpp"

namespace nw::experiments {
namespace {

/// Whether the words stand in the name in that order. Commas do not count.
bool has_words(std::string name, std::string words) {
  std::replace(name.begin(), name.end(), ',', ' ');
  std::replace(words.begin(), words.end(), ',', ' ');
  std::istringstream names(name), wanted(words);
  std::string word, next;
  while (wanted >> word) {
    do {
      if (!(names >> next)) return false;
    } while (next != word);
  }
  return true;
}

}  // namespace

std::vector<std::size_t> chosen_cases(const CaseTable& table, const std::string& only) {
  std::vector<std::size_t> chosen;
  std::string known;
  if (const auto exact = std::ranges::find(table.names, only); exact != table.names.end()) {
    return {static_cast<std::size_t>(exact - table.names.begin())};
  }
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    if (has_words(table.names[i], only)) chosen.push_back(i);
    known += concat(known.empty() ? "" : ", ", "'", table.names[i], "'");
  }
  require(!chosen.empty(), "`only` ", only, ": the cases are ", known);
  return chosen;
}

void run_case_table(const CaseTable& table, const ExperimentSettings& settings,
                    ExperimentResult& experiment) {
  run_cases(table, chosen_cases(table, settings.only), settings, experiment);
}

void run_cases(const CaseTable& table, std::span<const std::size_t> cases,
               const ExperimentSettings& settings, ExperimentResult& experiment) {
  const double total = static_cast<double>(cases.size() * settings.seeds.size());
  double done = 0.0;
  for (const auto which : cases) {
    const std::string& name = table.names[which];
    std::vector<ResultRow> rows;
    for (const auto seed : settings.seeds) {
      if (experiment.interrupted) break;
      auto outcome = table.run(which, seed, [&](double share) {
        return !settings.progress || settings.progress((done + share) / total, name);
      });
      done += 1.0;
      experiment.interrupted = outcome.end == CaseEnd::interrupted;
      if (outcome.end != CaseEnd::done) continue;
      for (const auto& [metric, value] : outcome.scores) {
        auto row = std::find_if(rows.begin(), rows.end(),
                                [&](const ResultRow& r) { return r.metric == metric; });
        if (row == rows.end()) {
          row = rows.insert(rows.end(),
                            {.method = name,
                             .metric = metric,
                             .paper = table.paper ? table.paper(which, metric) : std::nullopt});
        }
        row->values.push_back(value);
      }
      if (outcome.record.title.empty()) continue;
      if (!experiment.page) {
        experiment.page = std::move(outcome.record);
      } else if (seed == settings.seeds.front()) {
        experiment.more_pages.push_back(std::move(outcome.record));
      }
    }
    experiment.rows.insert(experiment.rows.end(), rows.begin(), rows.end());
  }
}

}  // namespace nw::experiments
