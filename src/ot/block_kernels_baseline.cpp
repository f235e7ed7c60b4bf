#include "ot/block_kernels.hpp"

namespace nw::ot::baseline {
namespace {
#include "ot/block_kernels.inl"
}  // namespace

extern const KernelSet kernels;
const KernelSet kernels = make_kernel_set("baseline");

}  // namespace nw::ot::baseline
