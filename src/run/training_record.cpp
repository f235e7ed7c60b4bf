#include "nw/run/training_record.hpp"

#include <map>

#include <nlohmann/json.hpp>

#include "nw/run/run_directory.hpp"

namespace nw::run {
namespace {

using Json = nlohmann::ordered_json;

/// Lines in the order in which their metrics first appeared.
class Lines {
 public:
  void add(const std::string& name, const std::string& chart, std::int64_t step, double value) {
    const auto [place, is_new] = index_.try_emplace(name, lines_.size());
    if (is_new) {
      lines_.push_back({.name = name, .x_label = "step", .y_label = chart, .chart = chart});
    }
    record::Series& line = lines_[place->second];
    line.x.push_back(static_cast<double>(step));
    line.y.push_back(value);
  }

  [[nodiscard]] std::vector<record::Series> take(std::size_t max_points) {
    for (record::Series& line : lines_) {
      const std::size_t size = line.x.size();
      if (size <= max_points) continue;
      for (std::size_t i = 0; i < max_points; ++i) {  // the first and the last stay
        const std::size_t kept = i * (size - 1) / (max_points - 1);
        line.x[i] = line.x[kept];
        line.y[i] = line.y[kept];
      }
      line.x.resize(max_points);
      line.y.resize(max_points);
    }
    return std::move(lines_);
  }

 private:
  std::vector<record::Series> lines_;
  std::map<std::string, std::size_t> index_;
};

record::SettingValue to_setting(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  return value.dump();
}

record::RunRecord record_of_unfinished(const std::filesystem::path& folder) {
  record::RunRecord record;
  record.kind = record::RunKind::training;
  record.converged = false;
  record.title = std::filesystem::absolute(folder).filename().string();
  const Json config = Json::parse(read_config(folder));
  for (const auto& [name, value] : config.items()) {
    if (name == "command" && value.is_string()) record.command = value.get<std::string>();
    record.settings.emplace_back(name, to_setting(value));
  }
  std::vector<MetricsRow> rows;
  if (std::filesystem::exists(metrics_file(folder))) rows = read_metrics(metrics_file(folder));
  record.series = metric_series(rows);
  record.sentence = rows.empty()
                        ? "The run is not finished and has logged nothing yet."
                        : concat("The run is not finished: ", rows.back().step, " steps so far.");
  return record;
}

}  // namespace

std::vector<record::Series> metric_series(std::span<const MetricsRow> rows,
                                          std::size_t max_points) {
  require(max_points >= 2, "metric_series: max_points must be at least 2, got ", max_points);
  Lines lines;
  for (const MetricsRow& row : rows) {
    for (const auto& [name, value] : row.values) {
      if (const auto* single = std::get_if<double>(&value)) {
        lines.add(name, name.substr(0, name.find('/')), row.step, *single);
        continue;
      }
      const auto& list = std::get<std::vector<double>>(value);
      for (std::size_t j = 0; j < list.size(); ++j) {
        lines.add(concat(name, " ", j + 1), name, row.step, list[j]);
      }
    }
  }
  return lines.take(max_points);
}

record::RunRecord read_run(const std::filesystem::path& path) {
  const bool unfinished = std::filesystem::is_directory(path) &&
                          !std::filesystem::exists(path / "result.json") &&
                          std::filesystem::exists(path / "config.json");
  return unfinished ? record_of_unfinished(path) : record::read_record(path.string());
}

}  // namespace nw::run
