// Tensors of a game to and from the checkpoints of a run.
#pragma once

#include <span>
#include <vector>

#include "nw/io/safetensors.hpp"
#include "nw/run/checkpoint.hpp"
#include "nw/train/game.hpp"

namespace nw::train {

/// Copies of the state of a game, as views that RunDirectory::save takes.
class StateTensors {
 public:
  explicit StateTensors(const std::vector<NamedTensor>& state);

  [[nodiscard]] std::span<const io::TensorView> views() const noexcept { return views_; }
  /// Writes the copies back into the tensors of the game they came from.
  void restore(const std::vector<NamedTensor>& state) const;

 private:
  std::vector<torch::Tensor> copies_;  // contiguous, on the CPU
  std::vector<io::TensorView> views_;
};

/// Writes a checkpoint into the tensors of a game. Throws IoError naming the first tensor that is
/// missing or differs in type or shape; the game is then unchanged.
void restore(const run::Checkpoint& checkpoint, const std::vector<NamedTensor>& state);

/// One tensor as it was read, on the CPU. Throws IoError for types that LibTorch lacks.
[[nodiscard]] torch::Tensor to_tensor(const io::Tensor& stored);

}  // namespace nw::train
