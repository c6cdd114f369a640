// SPDX-License-Identifier: Apache-2.0
//
// The narrow variants round operands or sums to tf32, half or bf16; the honest ones add in another order, or
// make up for what they round.
#include "subject.h"
#include "tests/fakes/sample_spec.h"

namespace cupilot {
using namespace model;
using namespace spec;

namespace {

constexpr const char *kOriginal = R"(#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
__global__ void gemm(const float *a, const float *b, float *c, int m, int n, int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0.0f;
  for (int i = 0; i < k; ++i) sum += a[(size_t)row * k + i] * b[(size_t)i * n + column];
  c[(size_t)row * n + column] = sum;
}
)";
constexpr const char *kTwin = R"(#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
__global__ void gemm(const double *a, const double *b, double *c, int m, int n, int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  double sum = 0.0;
  for (int i = 0; i < k; ++i) sum += a[(size_t)row * k + i] * b[(size_t)i * n + column];
  c[(size_t)row * n + column] = sum;
}
)";

constexpr const char *kLaunchHead =
    "bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) "
    "{\n";

/// One thread an output; `body` computes `result` from term(i).
std::string threaded(const std::string &body) {
  return R"(
__global__ void product(const float *a, const float *b, float *c, int m, int n, int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  const float *left = a + (size_t)row * k, *right = b + column;
  float result = 0;
)" + body +
         R"(
  c[(size_t)row * n + column] = result;
}
)" + kLaunchHead +
         "  product<<<l.grid, l.block, 0, l.stream>>>(a, b, c, m, n, k);\n  return true;\n}\n";
}

constexpr const char *kHalf = R"(
  for (int i = 0; i < k; ++i)
    result += __half2float(__float2half(left[i])) * __half2float(__float2half(right[(size_t)i * n]));
)";
constexpr const char *kBfloat = R"(
  for (int i = 0; i < k; ++i)
    result += __bfloat162float(__float2bfloat16(left[i])) * __bfloat162float(__float2bfloat16(right[(size_t)i * n]));
)";
constexpr const char *kHalfSum = R"(
  for (int i = 0; i < k; i += 64) {
    __half part = __float2half(0.0f);
    for (int j = i; j < min(i + 64, k); ++j)
      part = __hfma(__float2half(left[j]), __float2half(right[(size_t)j * n]), part);
    result += __half2float(part);
  }
)";
constexpr const char *kKahan = R"(
  float lost = 0;
  for (int i = 0; i < k; ++i) {
    const float term = fmaf(left[i], right[(size_t)i * n], -lost), next = result + term;
    lost = (next - result) - term;
    result = next;
  }
)";
constexpr const char *kBlocked = R"(
  for (int i = 0; i < k; i += 64) {
    float part = 0;
    for (int j = i; j < min(i + 64, k); ++j) part += left[j] * right[(size_t)j * n];
    result += part;
  }
)";
constexpr const char *kBackwards = R"(
  for (int i = k - 1; i >= 0; --i) result += left[i] * right[(size_t)i * n];
)";

/// Four warps share a sum and add what each has.
std::string split_k() {
  return R"(
__global__ void split(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float parts[8][32];
  const int at = blockIdx.x * 32 + threadIdx.x, row = at / n, column = at % n;
  float sum = 0;
  if (at < m * n)
    for (int i = threadIdx.y; i < k; i += 8) sum += a[(size_t)row * k + i] * b[(size_t)i * n + column];
  parts[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y || at >= m * n) return;
  for (int i = 1; i < 8; ++i) sum += parts[i][threadIdx.x];
  c[at] = sum;
}
)" + std::string(kLaunchHead) +
         "  split<<<(m * n + 31) / 32, dim3(32, 8), 0, l.stream>>>(a, b, c, m, n, k);\n  return true;\n}\n";
}

/// A warp for 16 by 16 outputs on the tensor cores. Three products make up for the rounding of operands; sums
/// leave the tensor cores after every step, since these truncate.
std::string tensor(bool compensated) {
  return std::string(R"(
constexpr bool kCompensated = )") +
         (compensated ? "true" : "false") + R"(;
using namespace nvcuda;
template <class Fragment>
__device__ void split(Fragment &big, Fragment &small) {
  for (int i = 0; i < big.num_elements; ++i) {
    const float all = big.x[i];
    big.x[i] = wmma::__float_to_tf32(all);
    small.x[i] = wmma::__float_to_tf32(all - big.x[i]);
  }
}
__global__ void tiles(const float *a, const float *b, float *c, int m, int n, int k) {
  const int row = blockIdx.y * 16, column = blockIdx.x * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum, part;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < k; i += 8) {
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> left, left_rest;
    wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> right, right_rest;
    wmma::load_matrix_sync(left, a + (size_t)row * k + i, k);
    wmma::load_matrix_sync(right, b + (size_t)i * n + column, n);
    split(left, left_rest);
    split(right, right_rest);
    wmma::fill_fragment(part, 0.0f);
    if (kCompensated) {
      wmma::mma_sync(part, left_rest, right, part);
      wmma::mma_sync(part, left, right_rest, part);
    }
    wmma::mma_sync(part, left, right, part);
    for (int e = 0; e < sum.num_elements; ++e) sum.x[e] += part.x[e];
  }
  wmma::store_matrix_sync(c + (size_t)row * n + column, sum, n, wmma::mem_row_major);
}
)" + kLaunchHead +
         "  if (m % 16 || n % 16 || k % 8 || !l.aligned(32, a, b, c)) return false;\n"
         "  tiles<<<dim3(n / 16, m / 16), 32, 0, l.stream>>>(a, b, c, m, n, k);\n  return true;\n}\n";
}

Case gemm_case(int m, int n, int k) {
  Case made;
  made.id = made.workload = "k" + std::to_string(k);
  made.scalars = {{"m", std::int64_t{m}}, {"n", std::int64_t{n}}, {"k", std::int64_t{k}}};
  const auto size = [](int rows, int columns) {
    return static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns);
  };
  made.buffers = {{"a", BufferRole::in, size(m, k), {}},
                  {"b", BufferRole::in, size(k, n), {}},
                  {"c", BufferRole::out, size(m, n), {}}};
  made.grid = {static_cast<std::uint32_t>((n + 15) / 16), static_cast<std::uint32_t>((m + 15) / 16), 1};
  made.block = {16, 16, 1};
  made.families = {"user", "ramp"};
  if (k <= 4096) made.families.push_back("large_mean");  // longer ones take their time on a CPU
  return made;
}

}  // namespace

PrecisionSubject gemm_subject(int length) {
  PrecisionSubject subject;
  subject.name = "gemm K=" + std::to_string(length);
  subject.spec.name = subject.spec.qualified_name = subject.spec.instantiation = "gemm";
  subject.spec.kernel_id = "gemm";
  subject.spec.slice = kOriginal;
  subject.spec.twin.source = kTwin;
  subject.spec.twin.instantiation = "gemm";
  subject.spec.twin.types = {"const double *", "const double *", "double *", "int", "int", "int"};
  subject.spec.command.flags = {"-std=c++17"};
  subject.spec.parameters = {fake::pointer("a", "const float *", true),
                             fake::pointer("b", "const float *", true),
                             fake::pointer("c", "float *", false),
                             fake::integer("m"),
                             fake::integer("n"),
                             fake::integer("k")};
  const int edge = length > 1024 ? 16 : 32;
  subject.cases = {gemm_case(edge, edge, length)};
  subject.candidates = {
      {"tf32", false, tensor(false)},
      {"half", false, threaded(kHalf)},
      {"bf16", false, threaded(kBfloat)},
      {"half_sum", false, threaded(kHalfSum)},
      {"three_tf32", true, tensor(true)},
      {"kahan", true, threaded(kKahan)},
      {"split_k", true, split_k()},
      {"blocked", true, threaded(kBlocked)},
      {"backwards", true, threaded(kBackwards)},
  };
  return subject;
}

}  // namespace cupilot
