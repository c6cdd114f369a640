// SPDX-License-Identifier: Apache-2.0
#pragma cupilot optimize
#pragma cupilot workload set(n = 1 << 10) in(x[n]) out(y[n / 256])
template <class T, int kBlock>
__global__ void reduce(const T *x, T *y, int n) {}
template __global__ void reduce<double, 64>(const double *, double *, int);
template <class T>
void run(const T *x, T *y, int n) {
  constexpr int kThreads = 128;
  reduce<T, kThreads><<<(n + kThreads - 1) / kThreads, kThreads>>>(x, y, n);
}
void both(float *x, unsigned *u, double *d) {
  run(x, x, 4);
  run(u, u, 4);
  reduce<double, 64><<<2, 64>>>(d, d, 3);
}
#pragma cupilot optimize
template <class T>
__global__ void never(T *x) {}
//= warning 17:1: kernel template 'never' is not instantiated in this file; launch it here or write 'template __global__ void never<...>(...);'
//= kernel reduce.double.64: reduce as reduce<double, 64> at 5
//=   parameters: const double * x [f64] double * y [f64] int n [i32]
//=   workload w1: n=1 << 10 in(x[n] automatic) out(y[n / 256] automatic) <<<(2, 1, 1), (64, 1, 1), 0>>> from source
//=   launch 15: <<<>>>
//= kernel reduce.float.128: reduce as reduce<float, 128> at 5
//=   parameters: const float * x [f32] float * y [f32] int n [i32]
//=   workload w1: n=1 << 10 in(x[n] automatic) out(y[n / 256] automatic) <<<(((n + 128) - 1) / 128, 1, 1), (128, 1, 1), 0>>> from source
//=   launch 10: <<<>>>
//= kernel reduce.unsigned.int.128: reduce as reduce<unsigned int, 128> at 5
//=   parameters: const unsigned int * x [u32] unsigned int * y [u32] int n [i32]
//=   workload w1: n=1 << 10 in(x[n] automatic) out(y[n / 256] automatic) <<<(((n + 128) - 1) / 128, 1, 1), (128, 1, 1), 0>>> from source
//=   launch 10: <<<>>>
//= exit code 0
