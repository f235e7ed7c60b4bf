#include "ot/block_kernels.hpp"

#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "base/instruction_sets.hpp"

namespace nw::ot {

namespace baseline {
extern const KernelSet kernels;
}
#if defined(__x86_64__)
namespace avx2 {
extern const KernelSet kernels;
}
namespace avx512 {
extern const KernelSet kernels;
}
#endif

const KernelSet* find_kernel_set(const char* name) {
  if (std::strcmp(name, "baseline") == 0) return &baseline::kernels;
#if defined(__x86_64__)
  if (std::strcmp(name, "avx2") == 0 && has_avx2()) return &avx2::kernels;
  if (std::strcmp(name, "avx512") == 0 && has_avx512()) return &avx512::kernels;
#endif
  return nullptr;
}

const KernelSet& kernel_set() {
  static const KernelSet& chosen = []() -> const KernelSet& {
    if (const char* asked = std::getenv("NW_SIMD")) {
      if (const KernelSet* set = find_kernel_set(asked)) return *set;
    }
    for (const char* name : {"avx512", "avx2"}) {
      if (const KernelSet* set = find_kernel_set(name)) return *set;
    }
    return baseline::kernels;
  }();
  return chosen;
}

}  // namespace nw::ot
