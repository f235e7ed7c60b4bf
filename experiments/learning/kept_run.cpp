#include "experiments/learning/kept_run.hpp"

#include <algorithm>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"

namespace nw::experiments {

std::string kept_folder(const ExperimentSettings& settings, const std::string& name,
                        std::uint64_t seed) {
  if (settings.runs.empty()) return {};
  std::string folder = concat(name, " seed ", seed);
  std::replace_if(
      folder.begin(), folder.end(),
      [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '-');
  return (std::filesystem::path(settings.runs) / folder).string();
}

std::optional<run::RunDirectory> open_kept_run(const std::string& folder, const Json& config) {
  std::filesystem::create_directories(std::filesystem::path(folder).parent_path());
  try {
    return run::RunDirectory(folder, config.dump(), {.mode = run::StartMode::resume});
  } catch (const run::RunBusy&) {
    return std::nullopt;
  }
}

CaseOutcome kept_outcome(const run::RunDirectory& directory) {
  CaseOutcome outcome{.end = CaseEnd::done};
  outcome.record = record::read_record(directory.path().string());
  outcome.scores = outcome.record.scores;
  return outcome;
}

}  // namespace nw::experiments
