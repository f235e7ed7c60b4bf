#include "nw/base/stopwatch.hpp"

#include <sys/resource.h>

namespace nw {

double peak_rss_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024.0 / 1e6;  // Linux counts in KiB
}

}  // namespace nw
