// SPDX-License-Identifier: Apache-2.0
#include <cuda_fp16.h>
struct Point { float x, y, z; };
struct Base { double weight; };
struct Particle : Base { Point at; int cell[2]; struct { bool alive; }; __half2 tint; };
struct Pointing { float x; float *to; };
struct Bits { int low : 4; };
struct __attribute__((packed)) Packed { char c; int i; };
union Either { float f; int i; };
#pragma cupilot optimize
#pragma cupilot workload set(n = 4) in(a[n], b[n], c[n], d[n], e[n], f[n], g[n]) fill(d = zeros, e = zeros, f = zeros, g = zeros) launch(1, 32)
__global__ void k(const Particle *a, const float4 *b, const uchar4 *c, const Pointing *d, const Bits *e, const Packed *f, const Either *g, int n) {}
//= kernel k: k as k at 12
//=   parameters: const Particle * a [opaque: weight f64 at 0, at.x f32 at 8, at.y f32 at 12, at.z f32 at 16, cell i32 x2 at 20, alive bool at 28, tint.x f16 at 32, tint.y f16 at 34] const float4 * b [opaque: x f32 at 0, y f32 at 4, z f32 at 8, w f32 at 12] const uchar4 * c [opaque: x u8 at 0, y u8 at 1, z u8 at 2, w u8 at 3] const Pointing * d [opaque] const Bits * e [opaque] const Packed * f [opaque] const Either * g [opaque] int n [i32]
//=   workload w1: n=4 in(a[n] automatic) in(b[n] automatic) in(c[n] automatic) in(d[n] zeros) in(e[n] zeros) in(f[n] zeros) in(g[n] zeros) <<<(1, 1, 1), (32, 1, 1), 0>>>
//= exit code 0
