// Private: may long work go on? Asked between its small pieces.
#pragma once

#include <exception>
#include <memory>
#include <string>

#include "nw/base/progress.hpp"
#include "nw/base/team.hpp"

namespace nw::measure {

/// Leaves work that was stopped. It never leaves compare(), whose result says so instead.
class Stopped : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "stopped on request"; }
};

/// Asks an observer whether to go on. Copies are one. Threads of a parallel loop may call it: the
/// observer hears from the thread alone that made the check, and the others hear the answer.
class StopCheck {
 public:
  StopCheck() = default;  ///< never stops
  /// The processes of a team stop together, so that they are asked between stages only.
  explicit StopCheck(ProgressObserver observer, Team* team = nullptr);

  /// Says what comes next, and asks. Throws Stopped where the answer is no.
  void stage(std::string name, double share) const;
  /// Within a stage, at most twenty times per second; throws likewise.
  void operator()() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace nw::measure
