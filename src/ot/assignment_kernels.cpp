#include "ot/assignment_kernels.hpp"

#include <cstring>

#include "ot/block_kernels.hpp"

namespace nw::ot {

namespace baseline {
extern const AssignmentKernels assignment;
}
#if defined(__x86_64__)
namespace avx2 {
extern const AssignmentKernels assignment;
}
namespace avx512 {
extern const AssignmentKernels assignment;
}
#endif

const AssignmentKernels* find_assignment_kernels(const char* name) {
  const KernelSet* const set = find_kernel_set(name);
  if (set == nullptr) return nullptr;
#if defined(__x86_64__)
  if (std::strcmp(set->name, "avx512") == 0) return &avx512::assignment;
  if (std::strcmp(set->name, "avx2") == 0) return &avx2::assignment;
#endif
  return &baseline::assignment;
}

const AssignmentKernels& assignment_kernels() {
  static const AssignmentKernels& chosen = *find_assignment_kernels(kernel_set().name);
  return chosen;
}

}  // namespace nw::ot
