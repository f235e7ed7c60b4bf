// Private: the rows of a figure on two columns of the data.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "nw/record/run_record.hpp"

namespace nw::report {

/// The two columns of numbers that tell the components apart best: the one with the largest share
/// of its variance between components, and the one that adds most to it. Columns of a few values
/// and columns that are nearly constant draw stripes: they are taken only where there are no
/// others. Nothing without two.
[[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> telling_columns(
    const record::Figure& figure);

/// Ellipses of a component in a picture: at one and two deviations, or, where there are many
/// components, at one deviation only.
[[nodiscard]] std::size_t rings_of(const record::Figure& figure);

/// The rows on these two columns, with the components' ellipses at `rings_of` deviations of their
/// rows, as SVG of the given size.
[[nodiscard]] std::string column_scatter(const record::RunRecord& record,
                                         std::pair<std::size_t, std::size_t> columns, double width,
                                         double height);

}  // namespace nw::report
