// Private: the engines of c10d that a team may run on.
#pragma once

#include <functional>
#include <memory>

#include <torch/csrc/distributed/c10d/Store.hpp>
#include <torch/csrc/distributed/c10d/Work.hpp>
#include <torch/types.h>

namespace nw::mpi {

using WorkPtr = c10::intrusive_ptr<c10d::Work>;
using StorePtr = c10::intrusive_ptr<c10d::Store>;

/// Starts to work on tensors, in place; the caller waits.
class Group {
 public:
  virtual ~Group() = default;
  /// Everyone's tensor becomes the sum, with the same bits everywhere. `wait` is called for each
  /// piece of work.
  virtual void sum(const torch::Tensor& tensor, const std::function<void(WorkPtr)>& wait) = 0;
  /// Everyone's tensor becomes the first process's.
  virtual void share(const torch::Tensor& tensor, const std::function<void(WorkPtr)>& wait) = 0;
};

/// Tensors in ordinary memory; null where Gloo's headers were missing.
[[nodiscard]] std::unique_ptr<Group> make_gloo_group(const StorePtr& store, int rank, int size);
/// Tensors on GPUs; null where LibTorch has no NCCL.
[[nodiscard]] std::unique_ptr<Group> make_nccl_group(const StorePtr& store, int rank, int size);

}  // namespace nw::mpi
