#include "nn/kernels/lenet_stage_loops.hpp"

#include "base/instruction_sets.hpp"

namespace nw::nn {

namespace baseline {
extern const StageLoops stage;
}
#if defined(__x86_64__)
namespace avx2 {
extern const StageLoops stage;
}
namespace avx512 {
extern const StageLoops stage;
}
#endif

const StageLoops& stage_loops() {
  static const StageLoops& chosen = []() -> const StageLoops& {
#if defined(__x86_64__)
    if (has_avx512()) return avx512::stage;
    if (has_avx2()) return avx2::stage;
#endif
    return baseline::stage;
  }();
  return chosen;
}

}  // namespace nw::nn
