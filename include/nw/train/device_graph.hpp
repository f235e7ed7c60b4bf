// Work on a GPU recorded once and started by a single call, which saves the launches.
#pragma once

#include <functional>
#include <memory>

namespace nw::train {

/// A CUDA graph. Recorded work must use tensors that stay where they are and must not wait for the
/// device.
class DeviceGraph {
 public:
  DeviceGraph();
  DeviceGraph(DeviceGraph&&) noexcept;
  DeviceGraph& operator=(DeviceGraph&&) noexcept;
  ~DeviceGraph();

  /// Whether this build and this machine can record graphs.
  [[nodiscard]] static bool available();
  /// Runs `work` where graphs are recorded. A few times before recording, so that libraries have
  /// set themselves up and what autograd keeps belongs there.
  static void rehearse(const std::function<void()>& work);
  /// Records what `work` starts, without running it. Throws InvalidArgument where graphs are not
  /// available.
  void record(const std::function<void()>& work);
  void replay();
  [[nodiscard]] bool recorded() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace nw::train
