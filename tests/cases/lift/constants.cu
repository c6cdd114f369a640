// SPDX-License-Identifier: Apache-2.0
// Floating constants outside of functions are numbers; what is no constant is not.
using Real = double;
const float omega = 1.85f;
constexpr int kCells = 128;
static const Real dx = Real(1) / kCells, whole = 4;
__constant__ float scale;

#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1000) in(x[n], b[n]) out(y[n]) launch(4, 256)
__global__ void relaxed(const float *x, const float *b, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * (1.0f - omega) + omega * b[i];
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1000) in(u[n + 1]) out(y[n]) launch(4, 256)
__global__ void slope(const double *u, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = (u[i + 1] - u[i]) / (whole * dx);
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1000) in(x[n]) out(y[n]) launch(4, 256)
__global__ void scaled(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * scale;
}
//= relaxed:
//=   for i in 0 .. n  (independent)
//=     y[i] = x[i] * (1.0f - 1.85f) + 1.85f * b[i]
//=   needs grid.x * block.x >= n: the launch has a thread for every i
//=   needs b and y apart
//=   needs x and y apart
//= slope:
//=   for i in 0 .. n  (independent)
//=     y[i] = (u[i + 1] - u[i]) / (4.0 * 0.0078125)
//=   needs grid.x * block.x >= n: the launch has a thread for every i
//=   needs u and y apart
//= scaled:
//=   line 27: 'scale' is used before it has a value that the source shows
