#if defined(__x86_64__)

#include "nn/kernels/mlp_loops.hpp"

namespace nw::nn::avx2 {
namespace {
#include "nn/kernels/mlp_loops.inl"
}  // namespace

extern const MlpLoops loops;
const MlpLoops loops = make_mlp_loops();

}  // namespace nw::nn::avx2

#endif
