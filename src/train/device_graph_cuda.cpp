#include <ATen/Context.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "nw/base/error.hpp"
#include "nw/train/device_graph.hpp"

namespace nw::train {

struct DeviceGraph::State {
  at::cuda::CUDAGraph graph;
};

DeviceGraph::DeviceGraph() = default;
DeviceGraph::DeviceGraph(DeviceGraph&&) noexcept = default;
DeviceGraph& DeviceGraph::operator=(DeviceGraph&&) noexcept = default;
DeviceGraph::~DeviceGraph() = default;

bool DeviceGraph::available() {
  return at::globalContext().hasCUDA();
}

void DeviceGraph::record(const std::function<void()>& work) {
  require(available(), "DeviceGraph: no CUDA device");
  auto state = std::make_unique<State>();
  // Recording needs a stream of its own; what ran before must be done.
  const auto before = c10::cuda::getCurrentCUDAStream();
  before.synchronize();
  {
    const c10::cuda::CUDAStreamGuard guard(c10::cuda::getStreamFromPool(true));
    state->graph.capture_begin();
    work();
    state->graph.capture_end();
  }
  state_ = std::move(state);
}

void DeviceGraph::replay() {
  require(recorded(), "DeviceGraph: nothing was recorded");
  state_->graph.replay();
}

bool DeviceGraph::recorded() const noexcept {
  return state_ != nullptr;
}

}  // namespace nw::train
