// SPDX-License-Identifier: Apache-2.0
//
// Opens the GPU as a DeviceSession. Code that includes this links evolution/device, and with it CUDA.

#pragma once

#include "evolution/judge/launches/session.h"

namespace cupilot::device {

/// Creates the context on device 0 (CUDA_VISIBLE_DEVICES chooses).
Result<std::unique_ptr<judge::launches::DeviceSession>> open_cuda_session();

}  // namespace cupilot::device
