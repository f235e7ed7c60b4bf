#include "nn/kernels/mlp_loops.hpp"

#include "base/instruction_sets.hpp"

namespace nw::nn {

namespace baseline {
extern const MlpLoops loops;
}
#if defined(__x86_64__)
namespace avx2 {
extern const MlpLoops loops;
}
namespace avx512 {
extern const MlpLoops loops;
}
#endif

const MlpLoops& mlp_loops() {
  static const MlpLoops& chosen = []() -> const MlpLoops& {
#if defined(__x86_64__)
    if (has_avx512()) return avx512::loops;
    if (has_avx2()) return avx2::loops;
#endif
    return baseline::loops;
  }();
  return chosen;
}

}  // namespace nw::nn
