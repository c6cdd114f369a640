// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

/// acceleration[i] = sum over j of mass_j * d / (|d|^2 + 1e-4)^(3/2), with d = position j - position i (the
/// gravitational constant is 1). n bodies, on the device; a body's mass is the w of its position, the w of an
/// acceleration is 0.
void nbody(const float4 *bodies, float4 *accelerations, int n, cudaStream_t stream);
