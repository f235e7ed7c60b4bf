#if defined(__x86_64__)

#include <cstring>

#include "nn/kernels/lenet_stage_loops.hpp"

namespace nw::nn::avx2 {
namespace {
constexpr int kLaneWidth = 8;
#include "nn/kernels/lenet_stage_loops.inl"
}  // namespace

extern const StageLoops stage;
const StageLoops stage = make_stage_loops();

}  // namespace nw::nn::avx2

#endif
