// Shares of all rows where a comparison saw a sample of them.
#pragma once

#include "nw/measure/compare.hpp"
#include "nw/table/read_inputs.hpp"

namespace nw::app {

/// Reads the files of sampled sides again, block by block, and moves their shares from those of the
/// sample to those of all rows: by how far the mean membership of all rows is from that of the
/// sample, which is one step of EM from where the sample's shares are. Intervals shrink with the
/// root of the rows. Sides that were read whole and pipes stay as they are; a note says which rows
/// the figures rest on. Components are still in coordinates. All processes of
/// `inputs.files.team` call this.
void count_all_rows(const table::Inputs& inputs, measure::CompareResult& result);

}  // namespace nw::app
