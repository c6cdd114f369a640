// SPDX-License-Identifier: Apache-2.0
// A program as somebody might have written it: kernels that say nothing of their sizes, launched with several.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <signal.h>
#include <unistd.h>
#include <vector>

#pragma cupilot optimize
__global__ void saxpy(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = alpha * x[i] + y[i];
}

#pragma cupilot optimize
__global__ void softmax(const float *x, float *y, int rows, int cols) {
  __shared__ float part[128];
  const int row = blockIdx.x;
  float largest = -INFINITY;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) largest = fmaxf(largest, x[row * cols + c]);
  part[threadIdx.x] = largest;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (threadIdx.x < s) part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + s]);
    __syncthreads();
  }
  largest = part[0];
  __syncthreads();
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) sum += expf(x[row * cols + c] - largest);
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  sum = part[0];
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    y[row * cols + c] = expf(x[row * cols + c] - largest) / sum;
}

#pragma cupilot optimize
__global__ void smooth(const float *in, float *out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  const int i = y * width + x;
  out[i] = 0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}

#pragma cupilot optimize
__global__ void count(const int *data, unsigned *bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[data[i]], 1u);
}

#pragma cupilot optimize
__global__ void sparse(const int *begins, const int *columns, const float *values, const float *x, float *y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int i = begins[row]; i < begins[row + 1]; ++i) sum += values[i] * x[columns[i]];
  y[row] = sum;
}

namespace {
#pragma cupilot optimize
__global__ void shift(const double *x, double *y, int n, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[(i + by) % n];
}
}  // namespace

template <class T>
static __device__ T twice(T value) {
  return value + value;
}

#pragma cupilot optimize
template <class T>
__global__ void doubled(T *x, size_t n) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) x[i] = twice(x[i]);
}

#pragma cupilot optimize
__global__ void biased(const float *x, const float *bias, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + (bias ? bias[i] : 0.f);
}

#pragma cupilot optimize
__global__ void never(float *x, int n) {
  if (threadIdx.x < n) x[threadIdx.x] = 0;
}

template <class T>
T *device(const std::vector<T> &host) {
  T *made = nullptr;
  if (cudaMalloc(&made, host.size() * sizeof(T))) std::exit(3);
  cudaMemcpy(made, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return made;
}

static std::vector<float> noise(size_t n) {
  std::vector<float> made(n);
  for (auto &value : made) {  // a sum of twelve uniform numbers is nearly normal
    value = -6;
    for (int k = 0; k < 12; ++k) value += std::rand() / float(RAND_MAX);
  }
  return made;
}

static double total = 0;
template <class T>
void add(const T *x, size_t n) {
  std::vector<T> host(n);
  cudaMemcpy(host.data(), x, n * sizeof(T), cudaMemcpyDeviceToHost);
  for (const T value : host) total += double(value);
}

static void vectors(int n, float alpha) {
  float *x = device(noise(n)), *y = device(noise(n));
  saxpy<<<(n + 255) / 256, 256>>>(x, y, alpha, n);
  biased<<<(n + 127) / 128, 128>>>(x, nullptr, y, n);
  doubled<<<16, 64>>>(y, size_t(n));
  add(y, n);
  cudaFree(x), cudaFree(y);
}

static void rows(int rows, int cols) {
  float *x = device(noise(size_t(rows) * cols)), *y = device(std::vector<float>(size_t(rows) * cols));
  softmax<<<rows, 128>>>(x, y, rows, cols);
  add(y, size_t(rows) * cols);
  const dim3 block(32, 4), grid((cols + 31) / 32, (rows + 3) / 4);
  smooth<<<grid, block>>>(x, y, cols, rows);
  add(y, size_t(rows) * cols);
  cudaFree(x), cudaFree(y);
}

static void numbers(int n) {
  std::vector<int> data(n), begins(n + 1), columns(3 * n - 2);
  for (int &value : data) value = std::rand() % 50;
  for (int i = 0; i <= n; ++i) begins[i] = i < n / 2 ? 3 * i : 3 * i - 2;
  for (int &column : columns) column = std::rand() % n;
  int *d = device(data), *b = device(begins), *c = device(columns);
  unsigned *bins = device(std::vector<unsigned>(50));
  float *v = device(noise(columns.size())), *x = device(noise(n)), *y = device(noise(n));
  count<<<(n + 255) / 256, 256>>>(d, bins, n);
  sparse<<<(n + 63) / 64, 64>>>(b, c, v, x, y, n);
  add(bins, 50), add(y, n);
  double *p = device(std::vector<double>(n, 1.5)), *q = device(std::vector<double>(n));
  shift<<<(n + 31) / 32, 32>>>(p, q, n, 7);
  add(q, n);
}

int main(int argc, char **argv) {
  for (int i = 0; i < 5; ++i) vectors(3000, 0.5f);
  vectors(1000, 2);
  vectors(70000, -1.25f);
  rows(37, 300);
  rows(64, 129);
  numbers(5000);
  if (const auto failed = cudaDeviceSynchronize()) return std::printf("%s\n", cudaGetErrorString(failed)), 1;
  std::printf("total %.6g\n", total);
  if (argc > 1) std::fflush(stdout), kill(getpid(), std::atoi(argv[1]));
}
