// For a LibTorch without CUDA.
#include "nw/base/error.hpp"
#include "nw/train/device_graph.hpp"

namespace nw::train {

struct DeviceGraph::State {};

DeviceGraph::DeviceGraph() = default;
DeviceGraph::DeviceGraph(DeviceGraph&&) noexcept = default;
DeviceGraph& DeviceGraph::operator=(DeviceGraph&&) noexcept = default;
DeviceGraph::~DeviceGraph() = default;

bool DeviceGraph::available() {
  return false;
}

void DeviceGraph::rehearse(const std::function<void()>& work) {
  work();
}

void DeviceGraph::record(const std::function<void()>&) {
  throw InvalidArgument("DeviceGraph: this LibTorch has no CUDA");
}

void DeviceGraph::replay() {}

bool DeviceGraph::recorded() const noexcept {
  return false;
}

}  // namespace nw::train
