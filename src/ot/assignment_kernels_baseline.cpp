#include "ot/assignment_kernels.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace nw::ot::baseline {
namespace {
#include "ot/assignment_kernels.inl"
}  // namespace

extern const AssignmentKernels assignment;
const AssignmentKernels assignment{
    .name = "baseline", .fill = fill, .match = match, .complete = complete};

}  // namespace nw::ot::baseline
