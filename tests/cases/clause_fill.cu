// SPDX-License-Identifier: Apache-2.0
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 64) in(x[n], i[n]) inout(y[n]) fill(x = normal(0, 2), i = randint(0, n), y = zeros)
#pragma cupilot workload(b) set(n = 64) in(x[n], i[n]) inout(y[n]) fill(x = uniform(-1, 1), i = permutation) fill(y = iota)
#pragma cupilot workload(c) set(n = 64) in(x[n], i[n]) inout(y[n]) fill(i = sorted(0, n + 1))
__global__ void gather(const float *x, const int *i, float *y, int n) {}
void run(const float *a, const int *i, float *b, int m) { gather<<<1, 256>>>(a, i, b, m); }
//= kernel gather: gather as gather at 6
//=   parameters: const float * x [f32] const int * i [i32] float * y [f32] int n [i32]
//=   workload a: n=64 in(x[n] normal(0, 2)) in(i[n] randint(0, n)) inout(y[n] zeros) <<<(1, 1, 1), (256, 1, 1), 0>>> from source
//=   workload b: n=64 in(x[n] uniform(-1, 1)) in(i[n] permutation) inout(y[n] iota) <<<(1, 1, 1), (256, 1, 1), 0>>> from source
//=   workload c: n=64 in(x[n] automatic) in(i[n] sorted(0, n + 1)) inout(y[n] automatic) <<<(1, 1, 1), (256, 1, 1), 0>>> from source
//=   launch 7: <<<>>>
//= exit code 0
