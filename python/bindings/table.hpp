// Tables that Python handed over, as points.
#pragma once

#include "nw/table/read_inputs.hpp"

#include "bindings/arrays.hpp"

namespace nw::python {

struct EncodedTables {
  table::Inputs inputs;
};

}  // namespace nw::python
