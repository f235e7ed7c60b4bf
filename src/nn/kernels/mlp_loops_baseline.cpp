#include "nn/kernels/mlp_loops.hpp"

namespace nw::nn::baseline {
namespace {
#include "nn/kernels/mlp_loops.inl"
}  // namespace

extern const MlpLoops loops;
const MlpLoops loops = make_mlp_loops();

}  // namespace nw::nn::baseline
