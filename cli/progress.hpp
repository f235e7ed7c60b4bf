// How long work shows that it is alive.
#pragma once

#include <optional>
#include <string>

#include "nw/base/stopwatch.hpp"

namespace nw::cli {

/// Says nothing during the first second. After that a terminal gets a bar that is redrawn in place
/// and erased at the end; anything else gets a plain line now and then. Writes to standard error.
class Progress {
 public:
  /// `visible` is false under --quiet.
  Progress(std::string task, bool visible);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Whether the next update will be shown: before that, no detail needs to be put into words.
  [[nodiscard]] bool due() const { return visible_ && clock_.seconds() >= next_; }

  /// `fraction` in [0, 1], or nothing when the end is not in sight; cheap enough to call often.
  void update(std::optional<double> fraction, const std::string& detail = {});

 private:
  [[nodiscard]] std::string time_left(std::optional<double> fraction);
  void note_stage(std::optional<double> fraction, const std::string& detail);
  void draw_bar(std::optional<double> fraction, const std::string& detail);
  void print_line(std::optional<double> fraction, const std::string& detail);

  std::string task_;
  bool visible_, terminal_;
  Stopwatch clock_;
  double next_, interval_;
  bool drawn_ = false;
  // The part under way, from which the time left is estimated.
  std::string stage_;
  double stage_began_ = 0.0, stage_fraction_ = 0.0;
};

}  // namespace nw::cli
