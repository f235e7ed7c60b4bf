#include "nn/lenet_stage_loops.hpp"

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
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")) {
      return avx512::stage;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return avx2::stage;
#endif
    return baseline::stage;
  }();
  return chosen;
}

}  // namespace nw::nn
