// SPDX-License-Identifier: Apache-2.0
//
// Precision that no matrix product tells of: cancellation, functions of large arguments, subnormal numbers.
#include "subject.h"
#include "tests/fakes/sample_spec.h"

namespace cupilot {
using namespace model;
using namespace spec;

namespace {

constexpr const char *kVariance = R"(
__global__ void variance(const float *x, float *y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float mean = 0.0f, sum = 0.0f;
  for (int i = 0; i < cols; ++i) mean += x[row * cols + i];
  mean /= cols;
  for (int i = 0; i < cols; ++i) sum += (x[row * cols + i] - mean) * (x[row * cols + i] - mean);
  y[row] = sum / cols;
}
)";
constexpr const char *kVarianceTwin = R"(
__global__ void variance(const double *x, double *y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double mean = 0.0, sum = 0.0;
  for (int i = 0; i < cols; ++i) mean += x[row * cols + i];
  mean /= cols;
  for (int i = 0; i < cols; ++i) sum += (x[row * cols + i] - mean) * (x[row * cols + i] - mean);
  y[row] = sum / cols;
}
)";

std::string row_variant(const std::string &body) {
  return R"(
__global__ void of_rows(const float *x, float *y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float *of = x + (size_t)row * cols;
)" + body +
         R"(
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols) {
  of_rows<<<l.grid, l.block, 0, l.stream>>>(x, y, rows, cols);
  return true;
}
)";
}

constexpr const char *kOnePass = R"(
  float sum = 0, squares = 0;
  for (int i = 0; i < cols; ++i) sum += of[i], squares += of[i] * of[i];
  y[row] = squares / cols - (sum / cols) * (sum / cols);
)";
constexpr const char *kWelford = R"(
  float mean = 0, sum = 0;
  for (int i = 0; i < cols; ++i) {
    const float step = of[i] - mean;
    mean += step / (i + 1);
    sum += step * (of[i] - mean);
  }
  y[row] = sum / cols;
)";
constexpr const char *kTwoPass = R"(
  float first = 0, second = 0, low = 0, high = 0;
  for (int i = 0; i < cols; i += 2) first += of[i];
  for (int i = 1; i < cols; i += 2) second += of[i];
  const float mean = (first + second) / cols;
  for (int i = 0; i < cols; i += 2) low += (of[i] - mean) * (of[i] - mean);
  for (int i = 1; i < cols; i += 2) high += (of[i] - mean) * (of[i] - mean);
  y[row] = (low + high) / cols;
)";

constexpr const char *kElementwise = R"(
__global__ void map(const float *x, float *e, float *p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  e[i] = expf(x[i]);
  p[i] = 0.75f * x[i];
}
)";
constexpr const char *kElementwiseTwin = R"(
__global__ void map(const double *x, double *e, double *p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  e[i] = cupilot_twin_expf(x[i]);
  p[i] = 0.75 * x[i];
}
)";

std::string map_variant(const std::string &body) {
  return R"(
__device__ float flushed(float a, float b) {
  float product;
  asm("mul.ftz.f32 %0, %1, %2;" : "=f"(product) : "f"(a), "f"(b));
  return product;
}
__global__ void map_two(const float *x, float *e, float *p, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
)" + body +
         R"(
  }
}
bool launch(const cupilot::Launch &l, const float *x, float *e, float *p, int n) {
  map_two<<<(n + 511) / 512, 256, 0, l.stream>>>(x, e, p, n);
  return true;
}
)";
}

Case row_case(int rows, int cols) {
  Case made;
  made.id = made.workload = "rows";
  made.scalars = {{"rows", std::int64_t{rows}}, {"cols", std::int64_t{cols}}};
  made.buffers = {{"x", BufferRole::in, static_cast<std::uint64_t>(rows * cols), {}},
                  {"y", BufferRole::out, static_cast<std::uint64_t>(rows), {}}};
  made.grid = {static_cast<std::uint32_t>((rows + 63) / 64), 1, 1};
  made.block = {64, 1, 1};
  made.families = {"user", "ramp", "large_mean"};
  return made;
}

Case map_case(int n) {
  Case made;
  made.id = made.workload = "elements";
  made.scalars = {{"n", std::int64_t{n}}};
  const auto size = static_cast<std::uint64_t>(n);
  made.buffers = {
      {"x", BufferRole::in, size, {}}, {"e", BufferRole::out, size, {}}, {"p", BufferRole::out, size, {}}};
  made.grid = {static_cast<std::uint32_t>((n + 255) / 256), 1, 1};
  made.block = {256, 1, 1};
  made.families = {"user", "scaled_up", "subnormal"};
  return made;
}

PrecisionSubject subject_of(const std::string &kernel, const char *slice, const char *twin) {
  PrecisionSubject subject;
  subject.name = kernel;
  subject.spec.name = subject.spec.qualified_name = subject.spec.instantiation = kernel;
  subject.spec.kernel_id = kernel;
  subject.spec.slice = slice;
  subject.spec.twin.source = twin;
  subject.spec.twin.instantiation = kernel;
  subject.spec.command.flags = {"-std=c++17"};
  return subject;
}

}  // namespace

PrecisionSubject variance_subject() {
  PrecisionSubject subject = subject_of("variance", kVariance, kVarianceTwin);
  subject.spec.parameters = {fake::pointer("x", "const float *", true), fake::pointer("y", "float *", false),
                             fake::integer("rows"), fake::integer("cols")};
  subject.spec.twin.types = {"const double *", "double *", "int", "int"};
  subject.cases = {row_case(128, 512)};
  subject.candidates = {{"one_pass", false, row_variant(kOnePass)},
                        {"welford", true, row_variant(kWelford)},
                        {"two_pass", true, row_variant(kTwoPass)}};
  return subject;
}

PrecisionSubject elementwise_subject() {
  PrecisionSubject subject = subject_of("map", kElementwise, kElementwiseTwin);
  subject.spec.parameters = {fake::pointer("x", "const float *", true), fake::pointer("e", "float *", false),
                             fake::pointer("p", "float *", false), fake::integer("n")};
  subject.spec.twin.types = {"const double *", "double *", "double *", "int"};
  subject.cases = {map_case(4096)};
  subject.candidates = {
      {"fast_exp", false, map_variant("    e[i] = __expf(x[i]);\n    p[i] = 0.75f * x[i];")},
      {"flush", false, map_variant("    e[i] = expf(x[i]);\n    p[i] = flushed(0.75f, x[i]);")},
      {"strided", true, map_variant("    p[i] = x[i] * 0.75f;\n    e[i] = expf(x[i]);")}};
  return subject;
}

}  // namespace cupilot
