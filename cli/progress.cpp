#include "cli/progress.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <sstream>
#include <utility>

#include <sys/ioctl.h>
#include <unistd.h>

namespace nw::cli {
namespace {

constexpr double kPatience = 1.0;  // seconds without a word
constexpr std::size_t kBarWidth = 24;

std::size_t terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

/// Rounded down: 100 % is the end alone.
std::string whole_percent(double fraction) {
  return std::to_string(static_cast<int>(std::floor(100.0 * fraction))) + " %";
}

}  // namespace

Progress::Progress(std::string task, bool visible)
    : task_(std::move(task)),
      visible_(visible),
      terminal_(isatty(STDERR_FILENO) == 1),
      next_(kPatience),
      interval_(terminal_ ? 0.1 : 5.0) {}

Progress::~Progress() {
  if (drawn_ && terminal_) std::cerr << "\r\033[K" << std::flush;
}

void Progress::note_stage(std::optional<double> fraction, const std::string& detail) {
  if (detail == stage_ && fraction.value_or(0.0) >= stage_fraction_) return;
  stage_ = detail;
  stage_began_ = clock_.seconds();
  stage_fraction_ = fraction.value_or(0.0);
}

/// Time left of this stage if the rest goes as the part done; nothing while that is a guess.
std::string Progress::time_left(std::optional<double> fraction) {
  constexpr double kEarly = 0.05, kBrief = 2.0;
  const double done = fraction.value_or(0.0) - stage_fraction_;
  const double seconds = clock_.seconds() - stage_began_;
  if (!fraction || done < kEarly || seconds < kBrief) return "";
  const double left = seconds * (1.0 - *fraction) / done;
  if (left < 1.0) return "";
  if (left < 100.0) return ": about " + std::to_string(std::lround(left)) + " s left";
  return ": about " + std::to_string(std::lround(left / 60.0)) + " min left";
}

void Progress::update(std::optional<double> fraction, const std::string& detail) {
  if (visible_) note_stage(fraction, detail);
  if (!due()) return;
  next_ = clock_.seconds() + interval_;
  if (fraction) fraction = std::clamp(*fraction, 0.0, 1.0);
  if (terminal_) {
    draw_bar(fraction, detail);
  } else {
    print_line(fraction, detail);
    interval_ = std::min(2.0 * interval_, 60.0);  // a log of a long run stays short
  }
  drawn_ = true;
}

void Progress::draw_bar(std::optional<double> fraction, const std::string& detail) {
  std::ostringstream line;
  line << task_ << ' ';
  const double now = clock_.seconds();
  if (fraction) {
    const auto full = static_cast<std::size_t>(*fraction * kBarWidth);
    line << '[' << std::string(full, '#') << std::string(kBarWidth - full, '.') << "] "
         << whole_percent(*fraction);
  } else {
    // A mark that wanders from end to end: alive, end unknown.
    const auto tick = static_cast<std::size_t>(now * 8.0) % (2 * (kBarWidth - 3));
    const std::size_t at = std::min(tick, 2 * (kBarWidth - 3) - tick);
    line << '[' << std::string(at, '.') << "###" << std::string(kBarWidth - 3 - at, '.') << ']';
  }
  line << "  " << static_cast<int>(now) << " s";
  if (!detail.empty()) line << "  " << detail;
  line << time_left(fraction);
  std::cerr << '\r' << line.str().substr(0, terminal_width() - 1) << "\033[K" << std::flush;
}

void Progress::print_line(std::optional<double> fraction, const std::string& detail) {
  std::cerr << "nw: " << task_ << ": ";
  if (fraction) std::cerr << whole_percent(*fraction) << ", ";
  std::cerr << static_cast<int>(clock_.seconds()) << " s";
  if (!detail.empty()) std::cerr << ", " << detail;
  std::cerr << time_left(fraction);
  std::cerr << '\n';
}

}  // namespace nw::cli
