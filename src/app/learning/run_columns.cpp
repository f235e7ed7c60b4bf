#include "app/learning/run_columns.hpp"

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"

namespace nw::app {

void add_columns(const RunFolder& folder, Json& config) {
  if (folder.columns) config["columns"] = Json::parse(table::to_json(*folder.columns));
}

std::optional<table::Encoding> columns_of_run(const std::filesystem::path& run) {
  if (!std::filesystem::is_directory(run)) return std::nullopt;
  const auto config = Json::parse(run::read_config(run));
  if (!config.contains("columns")) return std::nullopt;
  return table::encoding_from_json(config.at("columns").dump(),
                                   concat(run.string(), ": config.json"));
}

}  // namespace nw::app
