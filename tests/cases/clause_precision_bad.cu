// SPDX-License-Identifier: Apache-2.0
#pragma cupilot optimize precision(tf32)
__global__ void a() {}
#pragma cupilot optimize precision(sane)
__global__ void b() {}
//= error 2:36: precision 'tf32' is not supported yet; write precision(same)
//= error 4:36: unknown precision 'sane'; write precision(same)
//= exit code 1
