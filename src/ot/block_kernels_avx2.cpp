#if defined(__x86_64__)

#include "ot/block_kernels.hpp"

namespace nw::ot::avx2 {
namespace {
#include "ot/block_kernels.inl"
}  // namespace

extern const KernelSet kernels;
const KernelSet kernels = make_kernel_set("avx2");

}  // namespace nw::ot::avx2

#endif
