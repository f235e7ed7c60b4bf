// Shares of all rows where a comparison saw a sample of them.
#pragma once

#include <cstddef>
#include <string>

#include "nw/io/points.hpp"
#include "nw/measure/compare.hpp"
#include "nw/table/read_inputs.hpp"

namespace nw::app {

/// Reads the files of a sampled side again, block by block, and moves its shares from those of the
/// sample to those of all rows: by how far the mean membership of all rows is from that of the
/// sample, which is one step of EM from where the sample's shares are. Intervals shrink with the
/// root of the rows. Sides that were read whole, split tables and pipes stay as they are.
/// Components are still in coordinates.
void count_all_rows(const table::InputFiles& files, const io::LoadOptions& load,
                    const table::Inputs& inputs, measure::CompareResult& result);

}  // namespace nw::app
