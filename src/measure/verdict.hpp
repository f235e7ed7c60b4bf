// Private: from numbers to a verdict and its sentence.
#pragma once

#include "nw/measure/compare.hpp"

namespace nw::measure {

/// Fills verdict, sentence and notes from the other fields of `result`.
void decide_verdict(CompareResult& result, const CompareOptions& options);

}  // namespace nw::measure
