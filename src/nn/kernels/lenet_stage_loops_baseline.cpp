#include <cstring>

#include "nn/kernels/lenet_stage_loops.hpp"

namespace nw::nn::baseline {
namespace {
constexpr int kLaneWidth = 4;
#include "nn/kernels/lenet_stage_loops.inl"
}  // namespace

extern const StageLoops stage;
const StageLoops stage = make_stage_loops();

}  // namespace nw::nn::baseline
