// Ctrl-C as a question that long work asks now and then.
#pragma once

#include <csignal>

namespace nw::cli {

/// While one of these lives, the first Ctrl-C (or TERM) only raises a flag, so that work can stop
/// in order and report what it has; the second one ends the process as usual.
class InterruptScope {
 public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

  [[nodiscard]] static bool requested() noexcept;

 private:
  struct sigaction previous_int_, previous_term_;
};

}  // namespace nw::cli
