// How learning rates fall over a run.
#pragma once

#include <cstdint>
#include <string>

namespace nw::train {

enum class Decay { constant, linear, cosine };

[[nodiscard]] const char* to_string(Decay decay);

/// Rates stay as they are for a while and then fall to a last value.
struct Schedule {
  Decay decay = Decay::constant;
  /// Share of the run before the rates begin to fall. In [0, 1].
  double hold = 0.5;
  /// What is left of the rate at the end. In [0, 1].
  double last = 0.01;

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
  /// Factor of the rates at `step` of `steps`.
  [[nodiscard]] double factor(std::int64_t step, std::int64_t steps) const;
};

}  // namespace nw::train
