#if defined(__x86_64__)

#include <immintrin.h>

#include "ot/assignment_kernels.hpp"

namespace nw::ot::avx2 {
namespace {
#include "ot/assignment_kernels.inl"
}  // namespace

extern const AssignmentKernels assignment;
const AssignmentKernels assignment{
    .name = "avx2", .fill = fill, .match = match, .complete = complete};

}  // namespace nw::ot::avx2

#endif
