// SPDX-License-Identifier: Apache-2.0
#include "candidates.h"

namespace cupilot {

namespace {

/// A block for a row, any width, correct: what the bad ones are made of by changing one thing.
const std::string kRows = R"(
__device__ float block_sum(float value) {
  __shared__ float parts[32];
  for (int lane = 16; lane > 0; lane /= 2) value += __shfl_down_sync(0xffffffffu, value, lane);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < blockDim.x / 32; ++i) sum += parts[i];
  return sum;
}
__global__ void rows_kernel(const float *x, const float *w, float *y, int rows, int cols) {
  x += (size_t)blockIdx.x * cols, y += (size_t)blockIdx.x * cols;
  float sum = 0;
  for (int i = threadIdx.x; i < cols; i += blockDim.x) sum += x[i] * x[i];
  const float scale = rsqrtf(block_sum(sum) / cols + 1e-5f);
  for (int i = threadIdx.x; i < cols; i += blockDim.x) y[i] = x[i] * scale * w[i];
}
)";

/// Correct, then `extra` device code in a second kernel of one thread.
std::string rows_then(const std::string &extra) {
  return kRows +
         "__global__ void extra_kernel(const float *x, const float *w, float *y, int rows, int cols) {\n" +
         extra + "\n}\n" + kLaunchSignature +
         "  rows_kernel<<<rows, 256, 0, l.stream>>>(x, w, y, rows, cols);\n" +
         "  extra_kernel<<<1, 1, 0, l.stream>>>(x, w, y, rows, cols);\n  return true;\n}\n";
}
/// Correct, after `host` code on the host.
std::string rows_after(const std::string &host) {
  return kRows + kLaunchSignature + host + "\n" + kLaunchRows;
}
/// For headers: they may not be included inside the variant's namespace.
std::string global_headers(const std::string &variant) {
  return "}\n#include <cstdlib>\n#include <unistd.h>\nnamespace cupilot_variant {\n" + variant;
}

/// The original's own code under another name: a variant may not launch the original.
const std::string kCopy = R"(
__global__ void copy_kernel(const float *x, const float *w, float *y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int i = 0; i < cols; ++i) sum += x[(size_t)row * cols + i] * x[(size_t)row * cols + i];
  const float scale = rsqrtf(sum / cols + 1e-5f);
  for (int i = 0; i < cols; ++i) y[(size_t)row * cols + i] = x[(size_t)row * cols + i] * scale * w[i];
}
)";

const std::string kWide = R"(
__global__ void __launch_bounds__(256) wide_kernel(const float4 *x, const float4 *w, float4 *y, int cols4, float inverse) {
  __shared__ float parts[8];
  x += (size_t)blockIdx.x * cols4, y += (size_t)blockIdx.x * cols4;
  float sum = 0;
  for (int i = threadIdx.x; i < cols4; i += 256) {
    const float4 v = x[i];
    sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lane);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = 0;
  for (int i = 0; i < 8; ++i) sum += parts[i];
  const float scale = rsqrtf(sum * inverse + 1e-5f);
  for (int i = threadIdx.x; i < cols4; i += 256) {
    const float4 v = x[i], u = w[i];
    y[i] = make_float4(v.x * scale * u.x, v.y * scale * u.y, v.z * scale * u.z, v.w * scale * u.w);
  }
}
)";
const std::string kLaunchWide =
    "  wide_kernel<<<rows, 256, 0, l.stream>>>((const float4 *)x, (const float4 *)w, (float4 *)y, cols / 4, "
    "1.0f / cols);\n"
    "  return true;\n}\n";

const std::string kHalf = R"(
__global__ void half_kernel(const float *x, const float *w, float *y, int rows, int cols) {
  x += (size_t)blockIdx.x * cols, y += (size_t)blockIdx.x * cols;
  __shared__ float parts[256];
  float sum = 0;
  for (int i = threadIdx.x; i < cols; i += blockDim.x) sum += x[i] * x[i];
  parts[threadIdx.x] = sum;
  __syncthreads();
  sum = 0;
  for (int i = 0; i < 256; ++i) sum += parts[i];
  const __half scale = __float2half(rsqrtf(sum / cols + 1e-5f));
  for (int i = threadIdx.x; i < cols; i += blockDim.x)
    y[i] = __half2float(__hmul(__hmul(__float2half(x[i]), scale), __float2half(w[i])));
}
)";

}  // namespace

std::vector<HandCandidate> hand_candidates() {
  return {
      {"good",
       kWide + kLaunchSignature + "  if (cols % 4 || !l.aligned(16, x, w, y)) return false;\n" + kLaunchWide},
      {"rows", kRows + kLaunchSignature + kLaunchRows},
      {"same",
       kCopy + kLaunchSignature +
           "  copy_kernel<<<l.grid, l.block, 0, l.stream>>>(x, w, y, rows, cols);\n  return true;\n}\n"},
      {"slower",
       kCopy + kLaunchSignature +
           "  if (x == y) return false;\n"
           "  for (int i = 0; i < 3; ++i) copy_kernel<<<l.grid, l.block, 0, l.stream>>>(x, w, y, rows, "
           "cols);\n  return true;\n}\n"},
      {"the_original",
       kLaunchSignature +
           "  row_norm<<<l.grid, l.block, 0, l.stream>>>(x, w, y, rows, cols);\n  return true;\n}\n"},
      {"wrong_value", rows_then("y[cols / 2] += 0.01f;")},
      {"unwritten",
       kRows + kLaunchSignature +
           "  rows_kernel<<<(rows + 1) / 2, 256, 0, l.stream>>>(x, w, y, rows, cols);\n  return true;\n}\n"},
      {"nothing", kLaunchSignature + "  return true;\n}\n"},
      {"past_the_end", rows_then("y[(size_t)rows * cols] = 1;")},
      {"before_the_start", rows_then("y[-1] = 1;")},
      {"changes_input", rows_then("const_cast<float *>(x)[1] = 0;")},
      {"no_alignment_check", kWide + kLaunchSignature + "  if (cols % 4) return false;\n" + kLaunchWide},
      {"no_tail", kWide + kLaunchSignature + "  if (!l.aligned(16, x, w, y)) return false;\n" + kLaunchWide},
      {"declines", kLaunchSignature + "  return false;\n}\n"},
      {"endless", rows_then("while (*(volatile const float *)x != 1e30f) {}")},
      {"illegal_address", rows_then("*(volatile float *)0x10 = y[0];")},
      {"trap", rows_then("__trap();")},
      {"too_much_scratch",
       kRows + kLaunchSignature +
           "  float *t = (float *)l.scratch(size_t(1) << 44);\n  if (!t) return false;\n" + kLaunchRows},
      {"too_much_scratch_unchecked", kRows + kLaunchSignature +
                                         "  float *t = (float *)l.scratch(size_t(1) << 44);\n"
                                         "  rows_kernel<<<rows, 256, 0, l.stream>>>(x, w, t, rows, cols);\n" +
                                         kLaunchRows},
      {"bad_configuration",
       kRows + kLaunchSignature +
           "  rows_kernel<<<rows, 4096, 0, l.stream>>>(x, w, y, rows, cols);\n  return true;\n}\n"},
      {"host_crash", rows_after("  *(volatile int *)nullptr = 1;")},
      {"exits", global_headers(kRows + kLaunchSignature + "  ::exit(0);\n" + kLaunchRows)},
      {"forks", global_headers(kRows + kLaunchSignature +
                               "  for (int i = 0; i < 20; ++i)\n    if (::fork() == 0) { ::setsid(); "
                               "::sleep(3); ::_exit(0); }\n" +
                               kLaunchRows)},
      {"build_error", kLaunchSignature + "  this is no C++;\n}\n"},
      {"half", "}\n#include <cuda_fp16.h>\nnamespace cupilot_variant {\n" + kHalf + kLaunchSignature +
                   "  half_kernel<<<rows, 256, 0, l.stream>>>(x, w, y, rows, cols);\n  return true;\n}\n"},
      {"synchronises", kRows + kLaunchSignature +
                           "  rows_kernel<<<rows, 256, 0, l.stream>>>(x, w, y, rows, cols);\n"
                           "  cudaStreamSynchronize(l.stream);\n  return true;\n}\n"},
      {"other_stream",
       kRows + kLaunchSignature + "  rows_kernel<<<rows, 256>>>(x, w, y, rows, cols);\n  return true;\n}\n"},
      {"half_elsewhere", kRows + kLaunchSignature +
                             "  const size_t half = (size_t)(rows / 2) * cols;\n"
                             "  if (rows >= 2) rows_kernel<<<rows / 2, 256>>>(x, w, y, rows / 2, cols);\n"
                             "  rows_kernel<<<rows - rows / 2, 256, 0, l.stream>>>(x + half, w, y + half, "
                             "rows, cols);\n  return true;\n}\n"},
      {"first_call_only",
       kRows + kLaunchSignature +
           "  static const void *done = nullptr;\n  if (done == y) return true;\n  done = y;\n" +
           kLaunchRows},
      {"scratch",
       kRows +
           "__global__ void move_kernel(const float *from, float *to, int cols) {\n"
           "  for (int i = threadIdx.x; i < cols; i += blockDim.x)\n"
           "    to[(size_t)blockIdx.x * cols + i] = from[(size_t)blockIdx.x * cols + i];\n}\n" +
           kLaunchSignature +
           "  float *t = (float *)l.scratch(sizeof(float) * rows * cols);\n  if (!t) return false;\n"
           "  rows_kernel<<<rows, 256, 0, l.stream>>>(x, w, t, rows, cols);\n"
           "  cudaMemsetAsync(y, 0, sizeof(float) * rows * cols, l.stream);\n"
           "  move_kernel<<<rows, 256, 0, l.stream>>>(t, y, cols);\n  return true;\n}\n"},
      {"past_its_scratch",
       kRows + kLaunchSignature +
           "  float *t = (float *)l.scratch(sizeof(float) * rows * cols - 4);\n  if (!t) return false;\n"
           "  rows_kernel<<<rows, 256, 0, l.stream>>>(x, w, t, rows, cols);\n" +
           kLaunchRows},
      {"clears_an_input",
       kRows + kLaunchSignature + "  cudaMemsetAsync((void *)x, 0, 16, l.stream);\n" + kLaunchRows},
  };
}

}  // namespace cupilot
