#include "nn/mlp_loops.hpp"

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
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")) {
      return avx512::loops;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return avx2::loops;
#endif
    return baseline::loops;
  }();
  return chosen;
}

}  // namespace nw::nn
