// A team by PyTorch's c10d, for jobs started the way torchrun starts them: RANK, WORLD_SIZE,
// MASTER_ADDR and MASTER_PORT say who is who. Gloo moves what lies in ordinary memory, NCCL what
// lies on GPUs; where Gloo is missing, NCCL does both. Loaded like the module for MPI.
#include <chrono>
#include <cstdlib>
#include <memory>

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <torch/types.h>

#include "nw/base/device_sums.hpp"
#include "nw/mpi/team_plugin.hpp"

#include "c10d/group.hpp"
#include "mpi/patient_wait.hpp"

namespace nw::mpi {
namespace {

/// For all processes to come; afterwards a lost one is noticed by its closed connection.
constexpr auto kGathering = std::chrono::seconds(120);

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

class C10dTeam final : public Team, public DeviceSums {
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
      const StorePtr store = c10::make_intrusive<c10d::PrefixStore>(
          "nw", c10::make_intrusive<c10d::TCPStore>(variable("MASTER_ADDR"), where));
      host_ = make_gloo_group(store, rank_, size_);
      device_ = make_nccl_group(store, rank_, size_);
    } catch (const std::exception& error) {
      throw TeamLost(std::string("the processes of this job did not find each other: ") +
                     error.what());
    }
    if (!host_ && !device_) {
      throw TeamLost("this nw has no Gloo, and NCCL needs a GPU for each process");
    }
  }

  int rank() const noexcept override { return rank_; }
  int size() const noexcept override { return size_; }
  void sum(std::span<double> values) override { add_up(values, torch::kFloat64); }
  void sum(std::span<float> values) override { add_up(values, torch::kFloat32); }
  void share(std::span<std::byte> bytes) override {
    on_tensor(bytes, torch::kUInt8, [&](Group& group, const at::Tensor& tensor) {
      group.share(tensor, [&](const WorkPtr& work) { wait(work); });
    });
  }

  bool sum_on_device(float* values, std::size_t count, int device) override {
    if (!device_) return false;
    if (count == 0) return true;
    const auto options =
        torch::TensorOptions().device(torch::kCUDA, static_cast<signed char>(device));
    const auto tensor = torch::from_blob(values, {static_cast<std::int64_t>(count)}, options);
    guarded([&] { device_->sum(tensor, [&](const WorkPtr& work) { wait(work); }); });
    return true;
  }

 private:
  template <typename Value>
  void add_up(std::span<Value> values, torch::ScalarType type) {
    on_tensor(values, type, [&](Group& group, const at::Tensor& tensor) {
      group.sum(tensor, [&](const WorkPtr& work) { wait(work); });
    });
  }

  /// Calls body with the values as a tensor that the group can reach.
  template <typename Value, typename Body>
  void on_tensor(std::span<Value> values, torch::ScalarType type, const Body& body) {
    if (values.empty()) return;
    const at::Tensor host =
        torch::from_blob(values.data(), {static_cast<std::int64_t>(values.size())}, type);
    guarded([&] {
      if (host_) return body(*host_, host);
      const at::Tensor there = host.to(torch::kCUDA);
      body(*device_, there);
      host.copy_(there);
    });
  }

  template <typename Body>
  static void guarded(const Body& body) {
    try {
      body();
    } catch (const TeamLost&) {
      throw;
    } catch (const std::exception& error) {
      throw TeamLost(std::string("another process of this job is gone (") + error.what() + ")");
    }
  }

  void wait(const WorkPtr& work) {
    wait_patiently(stop_requested_, [&] { return work->isCompleted(); });
    work->wait();
  }

  StopRequested stop_requested_;
  int rank_, size_;
  std::unique_ptr<Group> host_, device_;
};

}  // namespace
}  // namespace nw::mpi

extern "C" nw::Team* nw_make_team(nw::mpi::StopRequested stop_requested) {
  return std::make_unique<nw::mpi::C10dTeam>(stop_requested).release();
}
