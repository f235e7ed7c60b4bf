#include "nw/record/start_record.hpp"

#include <ctime>
#include <filesystem>

#include "nw/base/version.hpp"

namespace nw::record {
namespace {

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace

RunRecord start_record(RunKind kind, const std::string& command, std::uint64_t seed) {
  RunRecord record;
  record.kind = kind;
  record.command = command;
  record.seeds = {seed};
  record.created = utc_now();
  record.versions = {{"nw", version()}};
  return record;
}

DataSet describe(const io::PointSet& points, const std::string& path) {
  return {.name = std::filesystem::path(path).filename().string(),
          .path = path,
          .rows = points.size(),
          .columns = points.dimension(),
          .column_names = points.column_names,
          .weighted = !points.weights.empty()};
}

}  // namespace nw::record
