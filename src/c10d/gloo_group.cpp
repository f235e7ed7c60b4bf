#include <chrono>
#include <cstdlib>

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include "c10d/group.hpp"

namespace nw::mpi {
namespace {

/// A lost process is noticed by its closed connection.
constexpr std::chrono::milliseconds kOperation = std::chrono::hours(24);

class GlooGroup final : public Group {
 public:
  GlooGroup(const StorePtr& store, int rank, int size) {
    auto options = c10d::ProcessGroupGloo::Options::create(kOperation);
    const char* interface = std::getenv("GLOO_SOCKET_IFNAME");
    options->devices.push_back(interface != nullptr
                                   ? c10d::ProcessGroupGloo::createDeviceForInterface(interface)
                                   : c10d::ProcessGroupGloo::createDefaultDevice());
    group_ = c10::make_intrusive<c10d::ProcessGroupGloo>(
        c10::make_intrusive<c10d::PrefixStore>("gloo", store), rank, size, options);
  }

  /// To the first process and back, so that everyone has its bits.
  void sum(const torch::Tensor& tensor, const std::function<void(WorkPtr)>& wait) override {
    std::vector<at::Tensor> tensors{tensor};
    wait(group_->reduce(tensors));
    wait(group_->broadcast(tensors));
  }
  void share(const torch::Tensor& tensor, const std::function<void(WorkPtr)>& wait) override {
    std::vector<at::Tensor> tensors{tensor};
    wait(group_->broadcast(tensors));
  }

 private:
  c10::intrusive_ptr<c10d::ProcessGroupGloo> group_;
};

}  // namespace

std::unique_ptr<Group> make_gloo_group(const StorePtr& store, int rank, int size) {
  return std::make_unique<GlooGroup>(store, rank, size);
}

}  // namespace nw::mpi
