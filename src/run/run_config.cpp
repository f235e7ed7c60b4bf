#include "run/run_config.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "nw/base/version.hpp"
#include "nw/run/run_directory.hpp"

#include "io/byte_source.hpp"
#include "io/failure.hpp"
#include "io/json_file.hpp"

namespace nw::run {
namespace {

using Json = nlohmann::ordered_json;

// The first two fields of the file; the rest is the caller's.
constexpr const char* kMarker = "nw_run";
constexpr const char* kVersion = "nw_version";
constexpr int kFormat = 1;
constexpr std::uint64_t kMaxBytes = std::uint64_t{64} << 20;

std::filesystem::path config_file(const std::filesystem::path& folder) {
  return folder / "config.json";
}

std::string shown_value(const Json& value) {
  return io::shown(value.is_string() ? value.get<std::string>() : value.dump());
}

/// The fields that differ, as "batch is 64, not 128".
void collect_differences(const Json& stored, const Json& asked, const std::string& prefix,
                         std::vector<std::pair<std::string, std::string>>& found) {
  for (const auto& [name, value] : stored.items()) {
    const std::string field = prefix + name;
    if (!asked.contains(name)) {
      found.emplace_back(field, concat(field, " is ", shown_value(value), ", not absent"));
    } else if (value.is_object() && asked[name].is_object()) {
      collect_differences(value, asked[name], field + ".", found);
    } else if (value != asked[name]) {
      found.emplace_back(
          field, concat(field, " is ", shown_value(value), ", not ", shown_value(asked[name])));
    }
  }
  for (const auto& [name, value] : asked.items()) {
    if (stored.contains(name)) continue;
    found.emplace_back(prefix + name, concat(prefix, name, " is absent, not ", shown_value(value)));
  }
}

Json parse_object(const std::string& text) {
  Json object = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  require(object.is_object(), "the configuration of a run is a JSON object, not ", io::shown(text));
  return object;
}

}  // namespace

std::string normal_config(const std::string& config) {
  return parse_object(config).dump();
}

void write_config(const std::filesystem::path& folder, const std::string& config) {
  Json file = {{kMarker, kFormat}, {kVersion, version()}};
  const Json fields = parse_object(config);
  for (const auto& [name, value] : fields.items()) {
    require(name != kMarker && name != kVersion, "a field of a configuration cannot be called ",
            name);
    file[name] = value;
  }
  io::write_json(config_file(folder), file);
}

bool has_config(const std::filesystem::path& folder) {
  return std::filesystem::exists(config_file(folder));
}

bool require_same_config(const std::string& stored, const std::string& asked,
                         const std::vector<std::string>& may_change) {
  std::vector<std::pair<std::string, std::string>> found;
  collect_differences(parse_object(stored), parse_object(asked), "", found);
  const auto is_free = [&](const auto& difference) {
    return std::ranges::find(may_change, difference.first) != may_change.end();
  };
  std::string problems;
  std::size_t count = 0;
  constexpr std::size_t kShown = 3;
  for (const auto& difference : found) {
    if (is_free(difference)) continue;
    if (++count <= kShown) problems += (problems.empty() ? "" : "; ") + difference.second;
  }
  if (count > kShown) problems += concat("; and ", count - kShown, " more");
  require(count == 0, "the run to resume was started with other settings: ", problems);
  return !found.empty();
}

std::string read_config(const std::filesystem::path& folder) {
  const auto path = config_file(folder);
  if (!std::filesystem::exists(path)) {
    io::fail(folder.string(), "holds no run: there is no config.json");
  }
  Json file;
  try {
    file = Json::parse(io::read_all(*io::open_file(path, kMaxBytes)));
  } catch (const Json::parse_error& error) {
    io::fail(path.string(), "is not JSON at byte ", error.byte);
  }
  if (!file.is_object() || !file.contains(kMarker)) {
    io::fail(path.string(), "is not of a run of nw: there is no field ", kMarker);
  }
  if (file[kMarker] != kFormat) {
    io::fail(path.string(), kMarker, " is ", io::shown(file[kMarker].dump()),
             "; this version reads ", kFormat);
  }
  file.erase(kMarker);
  file.erase(kVersion);
  return file.dump();
}

}  // namespace nw::run
