#include "cli/training_progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "nw/base/error.hpp"

namespace nw::cli {
namespace {

constexpr std::size_t kShownShares = 10;

std::string formatted(const char* format, double value) {
  char text[48];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

std::string describe_duration(double seconds) {
  const auto whole = static_cast<long long>(std::llround(std::max(seconds, 0.0)));
  if (whole < 60) return concat(whole, " s");
  if (whole < 3600) return concat(whole / 60, " min ", whole % 60, " s");
  return concat(whole / 3600, " h ", whole % 3600 / 60, " min");
}

std::string describe(const TrainingStatus& status, double steps_per_second) {
  std::string text = concat(status.step, "/", status.total);
  if (steps_per_second > 0.0) {
    text += ", " + formatted(steps_per_second < 10.0 ? "%.2g" : "%.0f", steps_per_second);
    text += " steps/s";
    const double left = static_cast<double>(status.total - status.step) / steps_per_second;
    text += ", " + describe_duration(left) + " left";
  }
  if (!status.pi.empty()) text += ", pi";
  for (std::size_t j = 0; j < std::min(status.pi.size(), kShownShares); ++j) {
    text += " " + formatted("%.2f", status.pi[j]);
  }
  if (status.pi.size() > kShownShares) text += " ...";
  for (const auto& [name, value] : status.losses) {
    text += ", " + name.substr(name.find('/') + 1) + " " + formatted("%.3g", value);
  }
  return text;
}

TrainingProgress::TrainingProgress(std::string task, bool visible, std::int64_t first_step)
    : progress_(std::move(task), visible), last_step_(first_step) {}

void TrainingProgress::update(const TrainingStatus& status) {
  if (!due()) return;
  const double now = clock_.seconds();
  if (now > last_time_) {
    // Smoothed over a few updates: the first steps of a run are slower than the rest.
    const double current = static_cast<double>(status.step - last_step_) / (now - last_time_);
    rate_ = rate_ == 0.0 ? current : 0.7 * rate_ + 0.3 * current;
    last_step_ = status.step;
    last_time_ = now;
  }
  const double fraction = static_cast<double>(status.step) /
                          static_cast<double>(std::max<std::int64_t>(status.total, 1));
  progress_.update(fraction, describe(status, rate_));
}

}  // namespace nw::cli
