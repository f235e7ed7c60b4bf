// Plans and potentials of a transport problem as files.
#pragma once

#include <string>
#include <vector>

#include "nw/ot/problem.hpp"

namespace nw::app {

/// Writes the plan: per entry the row in X, the row in Y (both from 0) and the mass. A name that
/// ends in .npz gets arrays `source`, `target`, `mass`; any other name a CSV with these columns.
void write_plan(const std::string& path, const ot::TransportResult& result);

/// Reads a plan between `sources` and `targets` points: what write_plan writes, any table or NPZ
/// with columns or arrays of these names, or a matrix [sources, targets] of masses. Throws IoError.
[[nodiscard]] std::vector<ot::Flow> read_plan(const std::string& path, std::size_t sources,
                                              std::size_t targets);

/// Writes the potentials. NPZ: arrays `f` (one per row of X) and `g` (of Y). CSV: columns `cloud`
/// (1 for X, 2 for Y), `row` (from 0) and `potential`.
void write_potentials(const std::string& path, const ot::TransportResult& result);

}  // namespace nw::app
