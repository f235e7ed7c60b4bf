// In place of optimizer_fused.cpp where there is no CUDA compiler.
#include "train/optimizer_fused.hpp"

namespace nw::train {

bool fused_step(const OptimizerOptions&, const FusedStep&) {
  return false;
}

}  // namespace nw::train
