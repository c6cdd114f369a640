// SPDX-License-Identifier: Apache-2.0
#pragma cupilot optimize name(fast.k)
#pragma cupilot optimize name(fast_k)
__global__ void k() {}
//= error 2:35: unexpected '.' in 'name'; write name(identifier)
//= exit code 1
