// metrics.jsonl: one line of JSON per logged step, appended while a run learns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace nw::run {

/// A number, or one number per component (such as pi).
using MetricValue = std::variant<double, std::vector<double>>;

/// One line of the log. Names before a slash group what belongs into one chart: "loss/critic" and
/// "loss/generator" are drawn together. Values must not depend on the clock: a resumed run writes
/// the same lines as one that was never interrupted.
struct MetricsRow {
  std::int64_t step = 0;
  std::vector<std::pair<std::string, MetricValue>> values = {};
  bool operator==(const MetricsRow&) const = default;
};

/// The rows of a log. A last line without its end, as a killed process leaves it, is not a row.
/// Throws IoError with file and line for anything else that is not a row.
[[nodiscard]] std::vector<MetricsRow> read_metrics(const std::filesystem::path& file);

/// The open log of a running process.
class MetricsLog {
 public:
  /// Creates the log, or opens it and cuts off everything after its first `keep_rows` rows.
  MetricsLog(const std::filesystem::path& file, std::size_t keep_rows);
  MetricsLog(MetricsLog&& other) noexcept;
  MetricsLog& operator=(MetricsLog&& other) noexcept;
  ~MetricsLog();

  /// Appends one line by a single call of the system. Values that are not finite become null.
  /// Throws InvalidArgument when the step is below that of the last row, IoError when the disk
  /// refuses; the line is then not there, not even in part.
  void append(const MetricsRow& row);
  /// Returns when every row is on the disk.
  void sync();
  /// Cuts off everything after the first `keep_rows` rows.
  void truncate_rows(std::size_t keep_rows);

  /// Rows in the file; fewer than `keep_rows` after opening one that has lost some.
  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
  std::size_t rows_ = 0;
  std::uint64_t bytes_ = 0;
  std::int64_t last_step_ = 0;
};

}  // namespace nw::run
