// Private: what the members of every component look like in each sample, coordinate by coordinate.
#pragma once

#include <cstddef>
#include <vector>

#include "nw/ot/problem.hpp"

#include "measure/dense.hpp"
#include "measure/pooled_rows.hpp"
#include "measure/shared_em.hpp"
#include "measure/working_data.hpp"

namespace nw::measure {

/// The distribution function of one coordinate among one component's members.
struct MemberColumn {
  double mean = 0.0, deviation = 0.0;
  std::vector<double> below;  ///< share of members at or below each cut
};

/// Rows count for a component with their posterior, so that overlap blurs nothing on average.
struct MemberProfile {
  std::size_t components = 0, columns = 0;
  std::vector<std::vector<double>> cuts;  ///< [columns] ascending
  std::vector<double> mass[2];            ///< [components] share of each sample, by likelihood
  std::vector<double> effective_rows[2];  ///< [components] members that count the same
  std::vector<MemberColumn> column[2];    ///< [components * columns], columns running fastest
  std::vector<double> deviation;          ///< [columns] of both samples, weighing the same

  [[nodiscard]] const MemberColumn& at(std::size_t s, std::size_t j, std::size_t c) const {
    return column[s][j * columns + c];
  }
  /// In both samples by more than a few rows.
  [[nodiscard]] bool in_both(std::size_t j) const;
  /// The unit in which a member moves: its own deviation, in X and Y together.
  [[nodiscard]] double unit(std::size_t j, std::size_t c) const;
};

/// From all rows, or a random part of `most_rows` of each sample.
[[nodiscard]] MemberProfile profile_members(const WorkingData& work, const SharedModel& model,
                                            double ridge, std::size_t most_rows, int threads,
                                            Rng rng);

/// W1 between members of component j in X and in Y along coordinate c, in units(j, c), and the
/// most that sampling adds to it or takes from it with this confidence.
struct MemberMove {
  double distance = 0.0, noise = 0.0;
};
[[nodiscard]] MemberMove member_move(const MemberProfile& profile, std::size_t j, std::size_t c,
                                     double confidence);

/// How a coordinate changed, in deviations of it, and the parts of the mix and of the members.
struct ColumnParts {
  double change = 0.0;   ///< W1 between X and Y
  double between = 0.0;  ///< by other shares of the components
  double within = 0.0;   ///< by members that differ; between + within = change
};
[[nodiscard]] ColumnParts column_parts(const MemberProfile& profile, std::size_t c);

}  // namespace nw::measure
