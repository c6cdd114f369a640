// SPDX-License-Identifier: Apache-2.0
#include "finalist_candidates.h"

namespace cupilot {
using namespace model;

namespace {

/// A block for a row; `extra` is done by every block first.
std::string rows_kernel(const std::string &extra = "", const std::string &use = "") {
  return R"(
__global__ void rows_kernel(const float *x, const float *w, float *y, int rows, int cols) {
  __shared__ float parts[256];
  x += (size_t)blockIdx.x * cols, y += (size_t)blockIdx.x * cols;
  float sum = 0;
  )" + extra +
         R"(
  for (int i = threadIdx.x; i < cols; i += 256) sum += x[i] * x[i];
  parts[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  float scale = rsqrtf(parts[0] / cols + 1e-5f);
  )" + use +
         R"(
  for (int i = threadIdx.x; i < cols; i += 256) y[i] = x[i] * scale * w[i];
}
)";
}

/// Sums of squares in memory between two kernels; eight blocks add to each in any order.
std::string two_kernels(const std::string &sums, const std::string &take) {
  return sums + R"(
__global__ void clear_kernel(float *sums, int rows) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row < rows) sums[row] = 0;
}
__global__ void add_kernel(const float *x, float *sums, int cols) {
  x += (size_t)blockIdx.x * cols;
  float sum = 0;
  for (int i = blockIdx.y * 32 + threadIdx.x; i < cols; i += gridDim.y * 32) sum += x[i] * x[i];
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lane);
  if (threadIdx.x == 0) atomicAdd(&sums[blockIdx.x], sum);
}
__global__ void scale_kernel(const float *x, const float *w, float *y, const float *sums, int cols) {
  x += (size_t)blockIdx.x * cols, y += (size_t)blockIdx.x * cols;
  const float scale = rsqrtf(sums[blockIdx.x] / cols + 1e-5f);
  for (int i = threadIdx.x; i < cols; i += 256) y[i] = x[i] * scale * w[i];
}
)" + kLaunchSignature +
         take + R"(
  clear_kernel<<<(rows + 255) / 256, 256, 0, l.stream>>>(sums, rows);
  add_kernel<<<dim3(rows, 8), 32, 0, l.stream>>>(x, sums, cols);
  scale_kernel<<<rows, 256, 0, l.stream>>>(x, w, y, sums, cols);
  return true;
}
)";
}

const std::string kTakeScratch =
    "  float *sums = static_cast<float *>(l.scratch(rows * sizeof(float)));\n  if (!sums) return false;\n";

/// The sums are in the slice's own device global: two launches at once share them.
std::string shared_global() {
  return R"(
__global__ void sum_kernel(const float *x, int cols) {
  x += (size_t)blockIdx.x * cols;
  float sum = 0;
  for (int i = threadIdx.x; i < cols; i += 32) sum += x[i] * x[i];
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lane);
  if (threadIdx.x == 0) row_scale[blockIdx.x] = rsqrtf(sum / cols + 1e-5f);
}
__global__ void scale_kernel(const float *x, const float *w, float *y, int cols) {
  x += (size_t)blockIdx.x * cols, y += (size_t)blockIdx.x * cols;
  const float scale = row_scale[blockIdx.x];
  for (int i = threadIdx.x; i < cols; i += 256) y[i] = x[i] * scale * w[i];
}
)" + kLaunchSignature +
         "  if (rows > 65536) return false;\n"
         "  sum_kernel<<<rows, 32, 0, l.stream>>>(x, cols);\n"
         "  scale_kernel<<<rows, 256, 0, l.stream>>>(x, w, y, cols);\n  return true;\n}\n";
}

}  // namespace

std::string finalist_original() {
  return R"(
__device__ float row_scale[65536];
__global__ void row_norm(const float *x, const float *w, float *y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int i = 0; i < cols; ++i) sum += x[(size_t)row * cols + i] * x[(size_t)row * cols + i];
  const float scale = rsqrtf(sum / cols + 1e-5f);
  for (int i = 0; i < cols; ++i) y[(size_t)row * cols + i] = x[(size_t)row * cols + i] * scale * w[i];
}
)";
}

std::vector<HandCandidate> finalist_candidates() {
  return {
      {"steady", rows_kernel() + kLaunchSignature + kLaunchRows},
      {"restless", two_kernels("", kTakeScratch)},
      {"shares_a_global", shared_global()},
      {"greedy", rows_kernel() + kLaunchSignature +
                     "  const size_t bytes = (24u << 20) + 4 * (size_t)rows * cols * sizeof(float);\n"
                     "  if (!l.scratch(bytes)) return false;\n" +
                     kLaunchRows},
      {"wrong_on_the_hold_out",
       rows_kernel("", "if (cols == 333) scale *= 1.01f;") + kLaunchSignature + kLaunchRows},
      {"slow_on_the_hold_out",
       rows_kernel(
           "if (cols == 333 && threadIdx.x == 0)\n"
           "    for (int k = 0; k < 12000; ++k) sum += ((volatile const float *)w)[k & 255] * 1e-30f;") +
           kLaunchSignature + kLaunchRows},
  };
}

std::vector<HandCandidate> sanitizer_candidates() {
  return {
      {"clean", rows_kernel() + kLaunchSignature + kLaunchRows},
      {"races", rows_kernel("parts[0] = cols;") + kLaunchSignature + kLaunchRows},
      {"reads_past_the_end",
       rows_kernel(
           "if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) { const float beyond = ((volatile const "
           "float *)x)[cols]; if (beyond == 12345.678f) sum += 1; }") +
           kLaunchSignature + kLaunchRows},
      {"reads_unwritten_scratch",
       R"(
__global__ void peek_kernel(const float *scratch, float *y) {
  if (*(volatile const float *)scratch == 12345.678f) y[0] = 0;
}
)" + rows_kernel() +
           kLaunchSignature +
           "  float *scratch = static_cast<float *>(l.scratch(4096));\n  if (!scratch) return false;\n"
           "  rows_kernel<<<rows, 256, 0, l.stream>>>(x, w, y, rows, cols);\n"
           "  peek_kernel<<<1, 1, 0, l.stream>>>(scratch, y);\n  return true;\n}\n"},
  };
}

Case hold_out_case() {
  Case made = row_norm_case("odd", "odd", 37, 333, true, {"user", "normal"});
  made.holdout = true;
  return made;
}

}  // namespace cupilot
