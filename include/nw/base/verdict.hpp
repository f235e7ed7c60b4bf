// The answer of a comparison, shared by what computes it and what reports it.
#pragma once

#include <array>
#include <cstddef>

#include "nw/base/option_field.hpp"

namespace nw {

/// What changed [NW:compare]. `undecided` is the answer when the rows are too few, the run was
/// stopped, or the readings contradict each other; the result then has a reason.
enum class Verdict { same, proportions, components, undecided };

constexpr auto choices(Verdict) {
  return std::array{Choice<Verdict>{"same", Verdict::same},
                    Choice<Verdict>{"proportions", Verdict::proportions},
                    Choice<Verdict>{"components", Verdict::components},
                    Choice<Verdict>{"undecided", Verdict::undecided}};
}
[[nodiscard]] constexpr const char* to_string(Verdict verdict) {
  return choice_name(verdict);
}

/// What a component does in the verdict. Unless the verdict is `components`, all are shared.
enum class MemberStatus { shared, moved, new_in_y, missing_from_y };

constexpr auto choices(MemberStatus) {
  return std::array{Choice<MemberStatus>{"shared", MemberStatus::shared},
                    Choice<MemberStatus>{"moved", MemberStatus::moved},
                    Choice<MemberStatus>{"new in y", MemberStatus::new_in_y},
                    Choice<MemberStatus>{"missing from y", MemberStatus::missing_from_y}};
}
/// As text for people; records use names of their own.
[[nodiscard]] constexpr const char* to_string(MemberStatus status) {
  return choice_name(status);
}

/// Whether a mixture with k shared members explains where the samples differ.
struct KReading {
  std::size_t k = 0;
  double p = 1.0;
  bool operator==(const KReading&) const = default;
};

}  // namespace nw
