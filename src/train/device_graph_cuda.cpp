#include <ATen/Context.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "nw/base/error.hpp"
#include "nw/train/device_graph.hpp"

namespace nw::train {
namespace {

/// Work cannot be recorded on the default stream. One stream for all graphs: what autograd keeps
/// between steps of a game remembers the stream it was made on, and may then be met in any of them.
const c10::cuda::CUDAStream& recording_stream() {
  static const c10::cuda::CUDAStream stream = c10::cuda::getStreamFromPool(true);
  return stream;
}

void run_there(const std::function<void()>& work) {
  c10::cuda::getCurrentCUDAStream().synchronize();
  {
    const c10::cuda::CUDAStreamGuard guard(recording_stream());
    work();
  }
  recording_stream().synchronize();
}

}  // namespace

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

void DeviceGraph::rehearse(const std::function<void()>& work) {
  available() ? run_there(work) : work();
}

void DeviceGraph::record(const std::function<void()>& work) {
  require(available(), "DeviceGraph: no CUDA device");
  auto state = std::make_unique<State>();
  run_there([&] {
    state->graph.capture_begin();
    work();
    state->graph.capture_end();
  });
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
