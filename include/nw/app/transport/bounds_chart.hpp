// How the bounds of a distance came together, for its page.
#pragma once

#include "nw/ot/wasserstein.hpp"
#include "nw/record/run_record.hpp"

namespace nw::app {

/// Adds the cost of the plan and the lower bound against time as two lines of one chart; nothing
/// where there was a single moment to tell.
void draw_bounds(const ot::WassersteinResult& result, int p, record::RunRecord& record);

}  // namespace nw::app
