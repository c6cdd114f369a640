// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdint>
struct Particle { float x, y, z; };
enum Mode : unsigned char { fast };
#pragma cupilot optimize
#pragma cupilot workload set(n = 4, mode = 0, flag = true) in(h[n], p[n]) out(b[n], d[n]) fill(p = zeros) launch(1, 32)
__global__ void k(const __half *__restrict__ h, __nv_bfloat16 *b, const Particle *p, double *d, uint64_t n, Mode mode, bool flag) {}
//= kernel k: k as k at 9
//=   parameters: const __half *__restrict__ h [f16] __nv_bfloat16 * b [bf16] const Particle * p [opaque: x f32 at 0, y f32 at 4, z f32 at 8] double * d [f64] unsigned long n [u64] Mode mode [u8] bool flag [bool]
//=   workload w1: n=4 mode=0 flag=true in(h[n] automatic) out(b[n] automatic) in(p[n] zeros) out(d[n] automatic) <<<(1, 1, 1), (32, 1, 1), 0>>>
//= exit code 0
