// Private: what the processor knows, for loops that are compiled once per instruction set.
#pragma once

namespace nw {

/// The sets that files named *_avx2.cpp are compiled for.
[[nodiscard]] inline bool has_avx2() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

/// The sets that files named *_avx512.cpp are compiled for.
[[nodiscard]] inline bool has_avx512() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
#else
  return false;
#endif
}

}  // namespace nw
