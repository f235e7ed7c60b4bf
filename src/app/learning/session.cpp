#include "app/learning/session.hpp"

#include <cstdlib>

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <malloc.h>
#include <torch/cuda.h>

#include "nw/base/error.hpp"
#include "nw/base/parallel.hpp"

namespace nw::app {

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

namespace {

/// The first GPU, or where a launcher started several processes on this machine, each its own.
torch::Device own_gpu() {
  for (const char* name :
       {"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"}) {
    const char* text = std::getenv(name);
    const auto gpus = static_cast<int>(torch::cuda::device_count());
    if (text == nullptr || gpus < 2) continue;
    const torch::Device own(torch::kCUDA, static_cast<c10::DeviceIndex>(std::atoi(text) % gpus));
    c10::impl::VirtualGuardImpl(torch::kCUDA).setDevice(own);
    return own;
  }
  return torch::kCUDA;
}

}  // namespace

torch::Device choose_device(const std::string& name) {
  const bool cuda = at::globalContext().hasCUDA();
  if (name == "cpu" || (name == "auto" && !cuda)) return torch::kCPU;
  if (name == "auto") return own_gpu();
  require(name == "cuda", "device must be auto, cpu or cuda, got ", name);
  require(cuda, "device cuda: this LibTorch sees no CUDA device");
  return own_gpu();
}

}  // namespace nw::app
