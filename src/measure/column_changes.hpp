// Private: who moved, and in which columns.
#pragma once

#include <cstdint>
#include <vector>

#include "nw/measure/compare.hpp"

#include "measure/member_profile.hpp"
#include "measure/pooled_rows.hpp"
#include "measure/working_data.hpp"

namespace nw::measure {

/// The rows of the tests with the component each belongs to.
struct MemberRows {
  Matrix points[2];                      ///< in the data space
  std::vector<std::uint32_t> member[2];  ///< drawn from the posterior, or kNobody
  std::vector<std::uint32_t> likeliest[2];
};

[[nodiscard]] MemberRows assign_members(const WorkingData& work, const PooledRows& pool,
                                        const SharedModel& model, double ridge, int threads,
                                        Rng rng);

/// The coordinates of each column; `column_of` as in the options.
[[nodiscard]] std::vector<std::vector<std::size_t>> coordinates_of_columns(
    const std::vector<std::uint32_t>& column_of, std::size_t dim);

/// Fills `columns_moved` of every component: the columns in which its members differ at `alpha`,
/// corrected for all columns of all components.
void find_moved_columns(const MemberRows& rows,
                        const std::vector<std::vector<std::size_t>>& columns, double alpha,
                        int threads, CompareResult& result);

/// Fills `columns` of the result: how each changed, and the parts of mix and members.
void describe_columns(const MemberProfile& profile, const MemberRows& rows,
                      const std::vector<std::vector<std::size_t>>& columns, CompareResult& result);

/// Fills the member of every row tested.
void name_members(const MemberRows& rows, CompareResult& result);

}  // namespace nw::measure
