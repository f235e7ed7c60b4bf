#include "nw/run/metrics_log.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "nw/io/atomic_file.hpp"

#include "io/byte_source.hpp"
#include "io/failure.hpp"

namespace nw::run {
namespace {

using Json = nlohmann::ordered_json;
using io::fail;
using io::system_reason;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

std::string to_line(const MetricsRow& row) {
  Json object = {{"step", row.step}};
  for (const auto& [name, value] : row.values) {
    require(name != "step", "a metric cannot be called step");
    if (const auto* single = std::get_if<double>(&value)) {
      object[name] = number(*single);
    } else {
      Json list = Json::array();
      for (const double entry : std::get<std::vector<double>>(value)) list.push_back(number(entry));
      object[name] = std::move(list);
    }
  }
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<double> to_number(const Json& value) {
  if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (value.is_number()) return value.get<double>();
  return std::nullopt;
}

/// Nothing when the line is not a row.
std::optional<MetricsRow> to_row(std::string_view line) {
  const Json object = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object() || !object.contains("step")) return std::nullopt;
  if (!object["step"].is_number_integer()) return std::nullopt;
  MetricsRow row{.step = object["step"].get<std::int64_t>()};
  for (const auto& [name, value] : object.items()) {
    if (name == "step") continue;
    if (const auto single = to_number(value)) {
      row.values.emplace_back(name, *single);
      continue;
    }
    if (!value.is_array()) continue;  // text and the like: not ours, and no chart shows it
    std::vector<double> list;
    for (const Json& entry : value) {
      if (const auto single = to_number(entry)) list.push_back(*single);
    }
    if (list.size() == value.size()) row.values.emplace_back(name, std::move(list));
  }
  return row;
}

std::string content_of(const std::filesystem::path& file) {
  return io::read_all(*io::open_file(file, std::uint64_t{4} << 30));
}

/// Calls visit(line without its end, offset after its end) until it returns false.
template <typename Visit>
void for_each_line(std::string_view text, Visit visit) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) return;
    if (!visit(text.substr(begin, end - begin), end + 1)) return;
    begin = end + 1;
  }
}

}  // namespace

std::vector<MetricsRow> read_metrics(const std::filesystem::path& file) {
  const std::string text = content_of(file);
  std::vector<MetricsRow> rows;
  for_each_line(text, [&](std::string_view line, std::size_t) {
    auto row = to_row(line);
    if (!row) {
      fail(file.string(), "line ", rows.size() + 1, ": expected an object with a whole number as ",
           "step, found ", io::shown(line));
    }
    rows.push_back(std::move(*row));
    return true;
  });
  return rows;
}

MetricsLog::MetricsLog(const std::filesystem::path& file, std::size_t keep_rows) : file_(file) {
  const bool existed = std::filesystem::exists(file);
  descriptor_ = open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(file.string(), "cannot be opened: ", system_reason(errno));
  if (existed) {
    truncate_rows(keep_rows);
  } else {
    io::sync_folder(file.parent_path());
  }
}

MetricsLog::MetricsLog(MetricsLog&& other) noexcept
    : file_(std::move(other.file_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      rows_(other.rows_),
      bytes_(other.bytes_),
      last_step_(other.last_step_) {}

MetricsLog& MetricsLog::operator=(MetricsLog&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(descriptor_, other.descriptor_);
  rows_ = other.rows_;
  bytes_ = other.bytes_;
  last_step_ = other.last_step_;
  return *this;
}

MetricsLog::~MetricsLog() {
  if (descriptor_ >= 0) close(descriptor_);
}

void MetricsLog::append(const MetricsRow& row) {
  require(rows_ == 0 || row.step >= last_step_, "metrics: step ", row.step, " follows step ",
          last_step_);
  const std::string line = to_line(row);
  std::string_view left = line;
  while (!left.empty()) {
    const ssize_t written = ::write(descriptor_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      // Half a line would make the rest of the file unreadable once there is space again.
      static_cast<void>(!ftruncate(descriptor_, static_cast<off_t>(bytes_)));
      fail(file_.string(), "writing step ", row.step, " failed: ", system_reason(error));
    }
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  bytes_ += line.size();
  last_step_ = row.step;
  ++rows_;
}

void MetricsLog::sync() {
  if (fsync(descriptor_) != 0) fail(file_.string(), "cannot be synced: ", system_reason(errno));
}

void MetricsLog::truncate_rows(std::size_t keep_rows) {
  const std::string text = content_of(file_);
  rows_ = 0;
  bytes_ = 0;
  last_step_ = 0;
  for_each_line(text, [&](std::string_view line, std::size_t end) {
    if (rows_ == keep_rows) return false;
    const auto row = to_row(line);
    if (!row) return false;
    ++rows_;
    bytes_ = end;
    last_step_ = row->step;
    return true;
  });
  if (bytes_ == text.size()) return;
  if (ftruncate(descriptor_, static_cast<off_t>(bytes_)) != 0) {
    fail(file_.string(), "cannot be cut to ", rows_, " rows: ", system_reason(errno));
  }
  sync();
}

}  // namespace nw::run
