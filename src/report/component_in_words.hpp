// Private: one component of a comparison in words.
#pragma once

#include <string>
#include <vector>

#include "nw/record/run_record.hpp"
#include "nw/report/comparison_in_words.hpp"

namespace nw::report {

/// Whether a share of so many rows is less than half a row.
[[nodiscard]] bool has_no_row(double share, std::size_t rows);

/// "12 %", or "none" where that is no row.
[[nodiscard]] std::string share_text(double share, std::size_t rows);

/// Rows of X (0) or Y (1).
[[nodiscard]] std::size_t rows_of(const record::RunRecord& record, std::size_t side);

/// What became of component `j`: new, gone, moved, grew or shrank; empty for nothing worth a word.
[[nodiscard]] std::string fate_of(const record::CompareResult& result, std::size_t j);

/// "body_mass_g 3700 → 4100", "sex = male 40 % → 60 %"; empty where both ends read alike.
[[nodiscard]] std::string change_text(const record::RunRecord& record,
                                      const record::ColumnMove& change);
[[nodiscard]] std::string change_text(const record::RunRecord& record,
                                      const record::ColumnGap& change);

/// Where a component moved, by the columns in which it moved most.
[[nodiscard]] std::string moved_text(const record::RunRecord& record,
                                     const record::ComponentResult& component);

[[nodiscard]] ComponentInWords component_of(const record::RunRecord& record, std::size_t j);

/// What the names of all these components have in common; empty where that is nothing.
[[nodiscard]] std::string common_name(const record::CompareResult& result,
                                      const std::vector<std::size_t>& components);

}  // namespace nw::report
