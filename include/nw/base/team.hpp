// Processes that work on one job, perhaps on several machines.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>

namespace nw {

/// Another process of the job is gone, so what this one waits for will never come.
class TeamLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The processes of a job. All of them make the same calls in the same order; each call returns the
/// same bits everywhere. Calls throw TeamLost when a process is gone.
class Team {
 public:
  virtual ~Team() = default;
  [[nodiscard]] virtual int rank() const noexcept = 0;
  [[nodiscard]] virtual int size() const noexcept = 0;
  /// Every element becomes its sum over the processes.
  virtual void sum(std::span<double> values) = 0;
  virtual void sum(std::span<float> values) = 0;
  /// Everyone gets what the first process has.
  virtual void share(std::span<std::byte> bytes) = 0;

  /// The first process writes files and prints.
  [[nodiscard]] bool leads() const noexcept { return rank() == 0; }
  /// Whether any process says so.
  [[nodiscard]] bool any(bool mine);
};

/// True for the first process, and where there is no team.
[[nodiscard]] bool leads(const Team* team) noexcept;
/// Whether any process says so; without a team, `mine`.
[[nodiscard]] bool any_of(Team* team, bool mine);

/// Work on the indices [0, count) that processes and threads share.
struct SharedWork {
  Team* team = nullptr;  ///< null: this process does everything; the bits are the same
  int threads = 1;
  std::size_t count = 0;
  std::size_t grain = 1;  ///< indices that a thread takes at once
};

/// Calls body(i) for this process's part of the indices on several threads. What the bodies write
/// to their own elements of `values`, which must be zero before, every process has afterwards.
void spread_over(const SharedWork& work, std::span<double> values,
                 const std::function<void(std::size_t i)>& body);

}  // namespace nw
