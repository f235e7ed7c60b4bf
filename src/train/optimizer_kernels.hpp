// Private: the update of all parameters as one launch. Free of LibTorch, which nvcc need not read.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

namespace nw::train {

/// `rate` is read on the device, so that a recorded step follows the schedule.
struct RmspropUpdate {
  float *parameters, *second;
  const float *gradient, *rate;
  std::int64_t count;
  float alpha, epsilon;
};
cudaError_t rmsprop_update(const RmspropUpdate& update, cudaStream_t stream);

/// `power1` and `power2` are beta1^t and beta2^t of this step, on the device.
struct AdamUpdate {
  float *parameters, *first, *second;
  const float *gradient, *rate;
  const double *power1, *power2;
  std::int64_t count;
  float beta1, beta2, epsilon;
};
cudaError_t adam_update(const AdamUpdate& update, cudaStream_t stream);

}  // namespace nw::train
