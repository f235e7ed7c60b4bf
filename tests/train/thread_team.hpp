// Processes of a job played by threads of one, so that a test can look into all of them.
#pragma once

#include <barrier>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "nw/base/team.hpp"

namespace nw {

class ThreadTeam final : public Team {
 public:
  /// What the threads of a team have in common.
  struct Meeting {
    explicit Meeting(int processes) : size(processes), barrier(processes) {}
    int size;
    std::barrier<> barrier;
    std::vector<double> values;
    std::vector<std::byte> bytes;
  };

  ThreadTeam(Meeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}

  [[nodiscard]] int rank() const noexcept override { return rank_; }
  [[nodiscard]] int size() const noexcept override { return meeting_.size; }
  void sum(std::span<double> values) override { add_up(values); }
  void sum(std::span<float> values) override { add_up(values); }
  void share(std::span<std::byte> bytes) override {
    if (rank_ == 0) meeting_.bytes.assign(bytes.begin(), bytes.end());
    meeting_.barrier.arrive_and_wait();
    if (rank_ != 0) std::copy(meeting_.bytes.begin(), meeting_.bytes.end(), bytes.begin());
    meeting_.barrier.arrive_and_wait();
  }

 private:
  /// In the order of ranks, so that runs repeat to the bit.
  template <typename Value>
  void add_up(std::span<Value> values) {
    for (int turn = 0; turn < meeting_.size; ++turn) {
      if (turn == rank_) {
        if (turn == 0) meeting_.values.assign(values.size(), 0.0);
        for (std::size_t i = 0; i < values.size(); ++i) {
          meeting_.values[i] += static_cast<double>(values[i]);
        }
      }
      meeting_.barrier.arrive_and_wait();
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<Value>(meeting_.values[i]);
    }
    meeting_.barrier.arrive_and_wait();
  }

  Meeting& meeting_;
  int rank_;
};

/// Calls body(team) for each rank in a thread of its own. A body must not throw: the others would
/// wait for ever.
inline void as_team(int size, const std::function<void(Team& team)>& body) {
  ThreadTeam::Meeting meeting(size);
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      ThreadTeam team(meeting, rank);
      body(team);
    });
  }
}

}  // namespace nw
