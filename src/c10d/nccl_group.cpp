#include <chrono>
#include <cstdlib>
#include <exception>

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#include <torch/cuda.h>

#include "c10d/group.hpp"

namespace nw::mpi {
namespace {

class NcclGroup final : public Group {
 public:
  NcclGroup(const StorePtr& store, int rank, int size)
      : group_(c10::make_intrusive<c10d::ProcessGroupNCCL>(
            c10::make_intrusive<c10d::PrefixStore>("nccl", store), rank, size)) {}

  NcclGroup(const NcclGroup&) = delete;
  NcclGroup& operator=(const NcclGroup&) = delete;
  /// A job that went well waits for what others still want from this process; one that did not has
  /// nobody to wait for.
  ~NcclGroup() override {
    try {
      if (failed_) {
        group_->abort();
      } else {
        group_->shutdown();
      }
    } catch (const std::exception&) {
      // The process ends either way.
    }
  }

  /// One process adds up each piece and the others copy it: the bits are the same everywhere.
  void sum(const torch::Tensor& tensor, const std::function<void(WorkPtr)>& wait) override {
    std::vector<at::Tensor> tensors{tensor};
    attempt([&] { wait(group_->allreduce(tensors)); });
  }
  void share(const torch::Tensor& tensor, const std::function<void(WorkPtr)>& wait) override {
    std::vector<at::Tensor> tensors{tensor};
    attempt([&] { wait(group_->broadcast(tensors)); });
  }

 private:
  template <typename Body>
  void attempt(const Body& body) {
    failed_ = true;
    body();
    failed_ = false;
  }

  c10::intrusive_ptr<c10d::ProcessGroupNCCL> group_;
  bool failed_ = false;  // the last piece of work
};

/// NCCL wants a GPU for each process of a machine.
bool gpus_suffice(int size) {
  const char* local = std::getenv("LOCAL_WORLD_SIZE");
  const auto processes = local == nullptr ? size : std::atoi(local);
  return processes <= static_cast<int>(torch::cuda::device_count());
}

}  // namespace

std::unique_ptr<Group> make_nccl_group(const StorePtr& store, int rank, int size) {
  if (!gpus_suffice(size)) return nullptr;
  return std::make_unique<NcclGroup>(store, rank, size);
}

}  // namespace nw::mpi
