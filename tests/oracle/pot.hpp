// Asks POT (Python Optimal Transport) for its answers, many problems in one Python process.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "nw/ot/problem.hpp"

namespace nw::oracle {

/// Collects problems, then answers all of them. Views are copied at once.
class Pot {
 public:
  void exact(const ot::PointProblem& problem) { add(kExact, problem, {}); }
  void exact(const ot::MatrixProblem& problem);
  /// <C, T> of the entropic plan for an absolute epsilon.
  void sinkhorn(const ot::PointProblem& problem, double epsilon) {
    add(kSinkhorn, problem, std::span(&epsilon, 1));
  }
  /// The sliced distance over the given directions.
  void sliced(const ot::PointProblem& problem, MatrixView directions) {
    add(kSliced, problem, directions.values());
  }

  /// One answer per problem in the order they came, or nothing where POT is not installed.
  /// Throws nw::Error when the script fails.
  [[nodiscard]] std::optional<std::vector<double>> answers() const;

 private:
  enum Kind : std::int64_t { kExact, kSinkhorn, kSliced };
  void add(Kind kind, const ot::PointProblem& problem, std::span<const double> extras);
  void append(std::initializer_list<std::int64_t> header);
  void append(std::span<const double> values);

  std::vector<char> bytes_;
  std::size_t count_ = 0;
};

}  // namespace nw::oracle
