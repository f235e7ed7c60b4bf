#include "cli/torch/session.hpp"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <malloc.h>

#include "nw/base/error.hpp"
#include "nw/base/parallel.hpp"

namespace nw::cli {

void start_learning(int threads) {
  at::set_num_threads(resolve_threads(threads));
  // Tensors of a step come and go: giving their pages back costs 10 to 25 % of the time.
  constexpr int kLarge = 1 << 28;
  mallopt(M_MMAP_THRESHOLD, kLarge);
  mallopt(M_TRIM_THRESHOLD, kLarge);
}

void prefer_speed_on_gpus() {
  at::globalContext().setAllowTF32CuBLAS(true);
  at::globalContext().setBenchmarkCuDNN(true);
}

torch::Device choose_device(const std::string& name) {
  const bool cuda = at::globalContext().hasCUDA();
  if (name == "auto") return cuda ? torch::kCUDA : torch::kCPU;
  if (name == "cpu") return torch::kCPU;
  require(name == "cuda", "--device must be auto, cpu or cuda, got ", name);
  require(cuda, "--device cuda: this LibTorch sees no CUDA device");
  return torch::kCUDA;
}

}  // namespace nw::cli
