// Wall time and memory of this process.
#pragma once

#include <chrono>

namespace nw {

/// Seconds since construction.
class Stopwatch {
 public:
  Stopwatch() : start_(Clock::now()) {}
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_;
};

/// Largest resident set of this process so far, in MB (10^6 bytes).
[[nodiscard]] double peak_rss_mb();

}  // namespace nw
