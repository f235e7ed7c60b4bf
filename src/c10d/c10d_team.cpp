// A team by PyTorch's c10d with Gloo, for jobs started the way torchrun starts them: RANK,
// WORLD_SIZE, MASTER_ADDR and MASTER_PORT say who is who. Loaded like the module for MPI.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <torch/types.h>

#include "nw/mpi/team_plugin.hpp"

#include "mpi/patient_wait.hpp"

namespace nw::mpi {
namespace {

/// For all processes to come; afterwards a lost one is noticed by its closed connection.
constexpr auto kGathering = std::chrono::seconds(120);
constexpr auto kOperation = std::chrono::hours(24);

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') {
    throw TeamLost(std::string("the launcher set no ") + name);
  }
  return value;
}

int number(const char* name) {
  return std::atoi(variable(name).c_str());
}

class C10dTeam final : public Team {
 public:
  explicit C10dTeam(StopRequested stop_requested)
      : stop_requested_(stop_requested), rank_(number("RANK")), size_(number("WORLD_SIZE")) {
    try {
      c10d::TCPStoreOptions where;
      where.port = static_cast<std::uint16_t>(number("MASTER_PORT"));
      // torchrun keeps a store of its own at that place and says so.
      const char* agent = std::getenv("TORCHELASTIC_USE_AGENT_STORE");
      where.isServer = rank_ == 0 && (agent == nullptr || std::string(agent) != "True");
      where.numWorkers = static_cast<std::size_t>(size_);
      where.waitWorkers = false;
      where.timeout = std::chrono::duration_cast<std::chrono::milliseconds>(kGathering);
      auto store = c10::make_intrusive<c10d::PrefixStore>(
          "nw", c10::make_intrusive<c10d::TCPStore>(variable("MASTER_ADDR"), where));
      auto options = c10d::ProcessGroupGloo::Options::create(
          std::chrono::duration_cast<std::chrono::milliseconds>(kOperation));
      const char* interface = std::getenv("GLOO_SOCKET_IFNAME");
      options->devices.push_back(interface != nullptr
                                     ? c10d::ProcessGroupGloo::createDeviceForInterface(interface)
                                     : c10d::ProcessGroupGloo::createDefaultDevice());
      group_ = c10::make_intrusive<c10d::ProcessGroupGloo>(store, rank_, size_, options);
    } catch (const std::exception& error) {
      throw TeamLost(std::string("the processes of this job did not find each other: ") +
                     error.what());
    }
  }

  int rank() const noexcept override { return rank_; }
  int size() const noexcept override { return size_; }
  void sum(std::span<double> values) override { add_up(values, torch::kFloat64); }
  void sum(std::span<float> values) override { add_up(values, torch::kFloat32); }
  void share(std::span<std::byte> bytes) override {
    if (bytes.empty()) return;
    std::vector<at::Tensor> tensors{view(bytes, torch::kUInt8)};
    wait([&] { return group_->broadcast(tensors); });
  }

 private:
  template <typename Value>
  static at::Tensor view(std::span<Value> values, torch::ScalarType type) {
    return torch::from_blob(values.data(), {static_cast<std::int64_t>(values.size())}, type);
  }

  /// To the first process and back, so that everyone has its bits.
  template <typename Value>
  void add_up(std::span<Value> values, torch::ScalarType type) {
    if (values.empty()) return;
    std::vector<at::Tensor> tensors{view(values, type)};
    wait([&] { return group_->reduce(tensors); });
    wait([&] { return group_->broadcast(tensors); });
  }

  template <typename Start>
  void wait(const Start& start) {
    try {
      const auto work = start();
      wait_patiently(stop_requested_, [&] { return work->isCompleted(); });
      work->wait();
    } catch (const TeamLost&) {
      throw;
    } catch (const std::exception& error) {
      throw TeamLost(std::string("another process of this job is gone (") + error.what() + ")");
    }
  }

  StopRequested stop_requested_;
  int rank_, size_;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> group_;
};

}  // namespace
}  // namespace nw::mpi

extern "C" nw::Team* nw_make_team(nw::mpi::StopRequested stop_requested) {
  return std::make_unique<nw::mpi::C10dTeam>(stop_requested).release();
}
