#include "nw/ot/many.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "nw/base/parallel.hpp"
#include "nw/ot/one_dimensional.hpp"

#include "ot/assignment.hpp"
#include "ot/dense_transport.hpp"

namespace nw::ot {
namespace {

/// Gap accepted from the dense method, relative to the largest cost; it is 1e-16 or so.
constexpr double kDenseTolerance = 1e-12;
/// Problems between two questions to the observer, and handed to a thread at a time.
constexpr std::size_t kGrain = 8;

/// Up to so many points a side the dense method is the faster one for clouds whose masses differ:
/// measured with normal points in 2 and 8 dimensions. Its paths are many.
constexpr std::size_t kLargestCloud = 48;

bool fits_dense(const PointProblem& problem) {
  return std::max(problem.source.points.rows(), problem.target.points.rows()) <= kLargestCloud;
}
bool fits_dense(const MatrixProblem& problem) {
  return std::max(problem.cost.rows(), problem.cost.cols()) <= DenseTransport::kLargest;
}
bool on_the_line(const PointProblem& problem) {
  return problem.source.points.cols() == 1;
}
bool on_the_line(const MatrixProblem&) {
  return false;
}

/// The solvers of one thread.
struct SmallSolvers {
  Assignment assignment;
  DenseTransport dense;

  /// False where a problem is large, or its numbers are beyond these methods.
  template <typename Problem>
  [[nodiscard]] bool solve(const Problem& problem, TransportResult& result) {
    if (on_the_line(problem)) return false;
    if (Assignment::fits(problem)) return assignment.solve(problem, kDenseTolerance, result);
    return fits_dense(problem) && dense.solve(problem, kDenseTolerance, result);
  }
};

/// An error of one problem says which one it is.
template <typename Problem>
void check(const Problem& problem, std::size_t which) {
  try {
    problem.validate();
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(concat("problem ", which, ": ", error.what()));
  }
}

template <typename Problem>
std::vector<TransportResult> solve_all(std::span<const Problem> problems,
                                       const ExactOptions& options) {
  options.validate();
  require(options.warm_start == nullptr, "solve_many takes no ExactOptions.warm_start");
  const int threads = resolve_threads(options.threads);
  ExactOptions one = options;
  one.threads = 1;
  one.observer = {};
  std::vector<TransportResult> results(problems.size());
  std::vector<SmallSolvers> solvers(static_cast<std::size_t>(threads));
  std::atomic<bool> go_on{true};
  std::mutex asking;
  std::int64_t solved = 0;
  parallel_for(threads, problems.size(), kGrain,
               [&](std::size_t begin, std::size_t end, int worker) {
                 if (options.observer) {
                   const std::lock_guard lock(asking);
                   if (go_on && !options.observer({.level = 0, .levels = 1, .pivots = solved})) {
                     go_on = false;
                   }
                   solved += static_cast<std::int64_t>(end - begin);
                 }
                 for (std::size_t k = begin; k < end; ++k) {
                   if (!go_on) {
                     results[k].termination = Termination::interrupted;
                     continue;
                   }
                   check(problems[k], k);
                   auto& small = solvers[static_cast<std::size_t>(worker)];
                   if (small.solve(problems[k], results[k])) continue;
                   results[k] = solve_exact(problems[k], one);
                 }
               });
  return results;
}

}  // namespace

std::vector<TransportResult> solve_many(std::span<const PointProblem> problems,
                                        const ExactOptions& options) {
  return solve_all(problems, options);
}

std::vector<TransportResult> solve_many(std::span<const MatrixProblem> problems,
                                        const ExactOptions& options) {
  return solve_all(problems, options);
}

}  // namespace nw::ot
