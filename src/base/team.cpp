#include "nw/base/team.hpp"

#include "nw/base/parallel.hpp"

namespace nw {

bool Team::any(bool mine) {
  double count = mine ? 1.0 : 0.0;
  sum(std::span(&count, 1));
  return count > 0.0;
}

bool leads(const Team* team) noexcept {
  return team == nullptr || team->leads();
}

bool any_of(Team* team, bool mine) {
  return team == nullptr ? mine : team->any(mine);
}

void spread_over(const SharedWork& work, std::span<double> values,
                 const std::function<void(std::size_t i)>& body) {
  Team* const team = work.team;
  const std::size_t first = team == nullptr ? 0 : static_cast<std::size_t>(team->rank());
  const std::size_t step = team == nullptr ? 1 : static_cast<std::size_t>(team->size());
  const std::size_t own = first < work.count ? (work.count - first + step - 1) / step : 0;
  parallel_for(work.threads, own, work.grain, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t k = begin; k < end; ++k) body(first + k * step);
  });
  // Elements of others are zero here, and adding zero changes no bit.
  if (team != nullptr) team->sum(values);
}

}  // namespace nw
