// SPDX-License-Identifier: Apache-2.0
//
// From source through the extractor to features: each text is the body of a kernel, or all of it.

#include "evolution/strategy/features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cases/kernel_text.h"

namespace cupilot {
using namespace spec;
using namespace strategy;
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;

/// A kernel with one pointer parameter, x.
std::set<std::string> features_with(const std::string &body, ElementType element, std::size_t bytes,
                                    const std::string &type) {
  KernelSpec kernel;
  kernel.parameters = {{.name = "x", .pointer = true, .element = element, .element_bytes = bytes}};
  kernel.facts = facts_of("__global__ void k(" + type + " *x, int n) {\n" + body + "\n}\n");
  return kernel_features(kernel);
}

/// A kernel, or the body of one, with pointer parameters "x y:int", float unless said.
std::set<std::string> features_of(const std::string &code, const std::string &pointers,
                                  const std::string &name = "kernel") {
  KernelSpec kernel;
  kernel.name = name;
  for (const std::string &word : split(pointers, ' ')) {
    const bool integer = word.ends_with(":int");
    kernel.parameters.push_back({.name = word.substr(0, word.find(':')),
                                 .pointer = true,
                                 .element = integer ? ElementType::i32 : ElementType::f32,
                                 .element_bytes = 4});
  }
  kernel.facts = facts_of(code.find("__global__") == std::string::npos ? kernel_with(pointers, code) : code);
  return kernel_features(kernel);
}

constexpr const char *kThread = "int i = blockIdx.x * blockDim.x + threadIdx.x;\n";
constexpr const char *kRow = "int r = blockIdx.x; float s = 0;\n";
constexpr const char *kPlace =
    "int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x; float sum = 0;\n";

TEST(Features, OfAFlatKernel) {
  EXPECT_THAT(features_with("int i = threadIdx.x; x[i] = 1;", ElementType::f32, 4, "float"),
              ElementsAre("elementwise", "float", "narrow-elements", "one-dimensional"));
}

TEST(Features, OfATiledOne) {
  EXPECT_THAT(features_with("__shared__ float t[32][32]; t[threadIdx.y][0] = 0; __syncthreads();",
                            ElementType::f64, 16, "double2"),
              ElementsAre("barrier", "double", "shared-memory", "two-dimensional"));
}

TEST(Features, OfARowLoopInHalf) {
  EXPECT_THAT(features_with("unsigned s = 0; for (int c = 0; c < n; ++c) s += x[c];", ElementType::f16, 2,
                            "unsigned short"),
              ElementsAre("half", "loop", "narrow-elements", "one-dimensional", "reduction"));
}

TEST(Features, CommentsAndStringsSayNothing) {
  EXPECT_THAT(features_of(R"(
    // for (;;) atomicAdd(y, expf(x[i - 1] + x[i + 1])); __shared__ __syncthreads softmax
    /* s += a[i * n] * b[i * k]; threadIdx.y */
    __global__ void f(const float *x, float *y) {
      const char *text = "while (atomic / shuffle) __shfl_down_sync";
      y[threadIdx.x] = x[threadIdx.x];
    })",
                          "x y"),
              ElementsAre("elementwise", "float", "narrow-elements", "one-dimensional"));
}

TEST(Features, Gelu) {
  EXPECT_THAT(
      features_of(R"(
    __global__ void gelu(const float *x, float *y, int n) {
      for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float v = x[i];
        y[i] = 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
      }
    })",
                  "x y"),
      ElementsAre("elementwise", "float", "loop", "narrow-elements", "one-dimensional", "transcendental"));
}

TEST(Features, Axpy) {
  EXPECT_THAT(features_of("for (int i = threadIdx.x; i < n; i += w) y[i] += a * x[i];", "x y"),
              AllOf(Contains("elementwise"), Not(Contains("reduction"))));
}

TEST(Features, Gemm) {
  const std::string naive = R"(
    __global__ void gemm(const float *A, const float *B, float *C, int M, int N, int K) {
      int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
      if (row >= M || col >= N) return;
      float sum = 0;
      for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
      C[row * N + col] = sum;
    })";
  EXPECT_THAT(features_of(naive, "A B C"),
              ElementsAre("float", "loop", "matmul", "narrow-elements", "reduction", "two-dimensional"));
  const std::string flat = R"(
      int i = blockIdx.x * blockDim.x + threadIdx.x, row = i / N, col = i % N;
      float sum = 0;
      for (int k = 0; k < K; ++k) sum = fmaf(A[row * K + k], B[k * N + col], sum);)";
  EXPECT_THAT(features_of(flat, "A B C"),
              AllOf(Contains("matmul"), Contains("division"), Contains("one-dimensional")));
  const std::string scalars = R"(
      for (int k = 0; k < K; ++k) { float a = A[row * K + k]; float b = B[k * N + col]; sum += a * b; })";
  EXPECT_THAT(features_of(kPlace + scalars, "A B C"), Contains("matmul"));
}

TEST(Features, TiledGemm) {
  EXPECT_THAT(features_of(R"(
    __global__ void gemm(const float *A, const float *B, float *C, int n) {
      __shared__ float As[16][16], Bs[16][16];
      int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
      float acc = 0;
      for (int t = 0; t < n; t += 16) {
        As[threadIdx.y][threadIdx.x] = A[row * n + t + threadIdx.x];
        Bs[threadIdx.y][threadIdx.x] = B[(t + threadIdx.y) * n + col];
        __syncthreads();
        for (int k = 0; k < 16; k++) acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
      }
      C[row * n + col] = acc;
    })",
                          "A B C"),
              ElementsAre("barrier", "float", "loop", "matmul", "narrow-elements", "reduction",
                          "shared-memory", "two-dimensional"));
}

TEST(Features, ProductsOfVectorsAreNoMatmul) {
  EXPECT_THAT(features_of("int row = blockIdx.x; float s = 0;"
                          "for (int k = 0; k < n; ++k) s += A[row * n + k] * v[k]; y[row] = s;",
                          "A v y"),
              AllOf(Contains("dot-product"), Contains("row-wise"), Not(Contains("matmul"))));
  EXPECT_THAT(
      features_of(std::string(kRow) + "for (int k = 0; k < n; ++k) s += p[r * n + k] * q[r * n + k];", "p q"),
      AllOf(Contains("dot-product"), Not(Contains("matmul"))));
}

TEST(Features, Softmax) {
  const auto features = features_of(R"(
    __global__ void rows(const float *x, float *y, int n) {
      const float *in = x + (size_t)blockIdx.x * n;
      float m = -INFINITY, s = 0;
      for (int i = 0; i < n; ++i) m = fmaxf(m, in[i]);
      for (int i = 0; i < n; ++i) s += expf(in[i] - m);
      for (int i = 0; i < n; ++i) y[blockIdx.x * n + i] = expf(in[i] - m) / s;
    })",
                                    "x y");
  EXPECT_THAT(features, ElementsAre("division", "float", "loop", "narrow-elements", "one-dimensional",
                                    "reduction", "row-wise", "softmax", "transcendental"));
}

TEST(Features, LayerNorm) {
  EXPECT_THAT(features_of(R"(
      int row = blockIdx.x; float sum = 0, squares = 0;
      for (int c = threadIdx.x; c < cols; c += blockDim.x) { float v = x[row * cols + c]; sum += v; squares += v * v; }
      for (int o = 16; o; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
      float scale = rsqrtf(squares / cols + a);
      for (int c = threadIdx.x; c < cols; c += blockDim.x) y[row * cols + c] = x[row * cols + c] * scale * g[c];)",
                          "x g y"),
              ElementsAre("division", "float", "loop", "narrow-elements", "normalisation", "one-dimensional",
                          "reduction", "row-wise", "shuffle"));
}

TEST(Features, Scans) {
  EXPECT_THAT(
      features_of(std::string(kRow) + "for (int i = 0; i < n; ++i) { s += x[r * n + i]; y[r * n + i] = s; }",
                  "x y"),
      AllOf(Contains("scan"), Contains("row-wise")));
  EXPECT_THAT(
      features_of("int lane = threadIdx.x; float v = x[lane]; for (int o = 1; o < 32; o *= 2) { float "
                  "t = __shfl_up_sync(~0u, v, o); if (lane >= o) v += t; }",
                  "x"),
      AllOf(Contains("scan"), Contains("shuffle")));
  EXPECT_THAT(features_of("float s = 0; for (int i = 0; i < n; ++i) s += x[i]; y[0] = s;", "x y"),
              Not(Contains("scan")));
  // A window's mean is written by the loop around.
  EXPECT_THAT(
      features_of(
          "for (int i = 0; i < n; ++i) { float s = 0; for (int k = 0; k < w; ++k) s += x[i + k]; y[i] = s; }",
          "x y"),
      AllOf(Contains("reduction"), Not(Contains("scan"))));
}

TEST(Features, SharedTreeAndArgmax) {
  EXPECT_THAT(features_of("__shared__ float part[256]; int t = threadIdx.x; part[t] = x[t];"
                          "for (int s = 128; s > 0; s >>= 1) { if (t < s) part[t] += part[t + s]; "
                          "__syncthreads(); }",
                          "x"),
              AllOf(Contains("reduction"), Contains("barrier"), Not(Contains("stencil"))));
  EXPECT_THAT(features_of("float best = 0; for (int i = 0; i < n; ++i) if (x[i] > best) best = x[i];", "x"),
              Contains("reduction"));
}

TEST(Features, MovingIndicesArePointersAndNoSums) {
  EXPECT_THAT(features_of("int i = threadIdx.x, count = 0; const float *p = x; float *q = y, z = 0;"
                          "while (i < n) { y[i] = x[i]; i += w; p += w; q[0] = *p; z = p[0]; count += 1; }",
                          "x y"),
              Not(Contains("reduction")));
}

TEST(Features, Stencils) {
  EXPECT_THAT(features_of(std::string(kThread) +
                              "v[i] = a * u[i] + a * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx]);",
                          "u v"),
              AllOf(Contains("stencil"), Not(Contains("elementwise"))));
  EXPECT_THAT(features_of("__shared__ float t[16][16]; int ty = threadIdx.y, tx = threadIdx.x;"
                          "v[tx] = t[ty - 1][tx] + t[ty + 1][tx];",
                          "u v"),
              Contains("stencil"));
  EXPECT_THAT(features_of(std::string(kThread) + "v[i] = u[i + 1] - u[i];", "u v"), Not(Contains("stencil")));
}

TEST(Features, GatherAndSparse) {
  EXPECT_THAT(
      features_of("int i = threadIdx.x, c = blockIdx.x; y[i] = table[ids[i] * w + c];", "table ids:int y"),
      AllOf(Contains("gather"), Contains("integer"), Not(Contains("sparse")), Not(Contains("elementwise"))));
  const auto spmv = features_of(R"(
      int row = threadIdx.x;
      float sum = 0;
      for (int k = row_ptr[row]; k < row_ptr[row + 1]; ++k) { int j = columns[k]; sum += values[k] * x[j]; }
      y[row] = sum;)",
                                "row_ptr:int columns:int values x y");
  EXPECT_THAT(
      spmv, AllOf(Contains("gather"), Contains("sparse"), Contains("dot-product"), Not(Contains("matmul"))));
  EXPECT_THAT(features_of(std::string(kRow) +
                              "int b = ptr[r], e = ptr[r + 1]; for (int k = b; k < e; ++k) s += v[k];",
                          "ptr:int v"),
              Contains("sparse"));
  EXPECT_THAT(features_of("int i = threadIdx.x; atomicAdd(&bins[x[i]], 1);", "x:int bins:int"),
              AllOf(Contains("atomic"), Contains("gather")));
  EXPECT_THAT(features_of("int row = blockIdx.x, i = threadIdx.x; float s = scale[row]; y[i] = x[i] * s;",
                          "x y scale"),
              Not(Contains("gather")));
}

TEST(Features, StridesOfLanes) {
  const auto strided = [](const std::string &code) { return features_of(code, "x y").contains("strided"); };
  const std::string thread = kThread;
  EXPECT_FALSE(strided(thread + "y[i] = x[i];"));
  EXPECT_FALSE(strided("for (int c = threadIdx.x; c < n; c += blockDim.x) y[blockIdx.x * n + c] = 0;"));
  EXPECT_FALSE(strided("int row = blockIdx.y * blockDim.y + threadIdx.y; y[row * n + threadIdx.x] = 0;"));
  EXPECT_FALSE(strided(thread + "int r = i / n, c = i % n; y[r * n + c] = 0;"));
  EXPECT_TRUE(strided(thread + "y[3 * i + 1] = x[i];"));
  EXPECT_TRUE(strided(thread + "float s = 0; for (int c = 0; c < n; ++c) s += x[i * n + c];"));
  EXPECT_TRUE(strided(thread + "const float *row = x + (size_t)i * n; float s = row[0];"));
  EXPECT_TRUE(strided("int base = (blockIdx.x * blockDim.x + threadIdx.x) * 4; y[base + 1] = 0;"));
  EXPECT_TRUE(strided("y[threadIdx.x * h + threadIdx.y] = x[threadIdx.y * w + threadIdx.x];"));
}

TEST(Features, Windows) {
  const std::string thread = std::string(kThread) + "float s = 0; int oy = threadIdx.y, ox = threadIdx.x;";
  EXPECT_THAT(features_of(thread + "for (int k = 0; k < 8; ++k) s += x[i + k]; y[i] = s;", "x y"),
              Contains("window"));
  EXPECT_THAT(features_of(thread + "for (int c = 0; c < n; ++c) s += x[oy * n + c];", "x y"),
              Not(Contains("window")));
  EXPECT_THAT(features_of(thread + "for (int k = 0; k < 8; ++k) s += x[(oy + k) * w + ox];", "x y"),
              Not(Contains("window")));
}

TEST(Features, Triangles) {
  const std::string rows = std::string(kPlace) + "int c = col;\n";
  const std::string product = "sum += A[row * n + k] * B[k * n + c];";
  EXPECT_THAT(features_of(rows + "for (int k = row; k <= c; ++k)" + product, "A B C"),
              Contains("triangular"));
  EXPECT_THAT(features_of(rows + "if (row > c) return; for (int k = 0; k < n; ++k)" + product, "A B C"),
              Contains("triangular"));
  EXPECT_THAT(features_of("const int kTile = 16;" + rows +
                              "if (row >= n || c >= n) return; for (int k = 0; k < kTile; ++k)" + product +
                              "C[kTile] = 0;",
                          "A B C"),
              AllOf(Contains("matmul"), Not(Contains("triangular"))));
}

TEST(Features, TrianglesOfTiles) {
  EXPECT_THAT(features_of(R"(
      __shared__ float s[16][16], t[16][16];
      int row = blockIdx.y * 16 + threadIdx.y;
      float sum = 0;
      for (int tile = blockIdx.y; tile <= blockIdx.x; ++tile) {
        s[threadIdx.y][threadIdx.x] = A[row * n + tile * 16 + threadIdx.x];
        for (int k = 0; k < 16; ++k) sum += s[threadIdx.y][k] * t[k][threadIdx.x];
      })",
                          "A B C"),
              Contains("triangular"));
  EXPECT_THAT(
      features_of("int i = threadIdx.x, p = i / n, q = i % n; float sum = 0, v = p <= q ? A[p * n + q] "
                  ": 0; for (int k = 0; k < n; ++k) sum += A[p * n + k] * B[k * n + q];",
                  "A B"),
      Contains("triangular"));
}

TEST(Features, Columns) {
  const std::string thread =
      "int i = blockIdx.x * blockDim.x + threadIdx.x, item = i / cols, col = i % cols; float sum = 0;";
  EXPECT_THAT(
      features_of(thread + "const float *from = x + (size_t)item * rows * cols + col;"
                           "for (int r = 0; r < rows; ++r) sum += from[(size_t)r * cols]; y[i] = sum;",
                  "x y"),
      AllOf(Contains("column-wise"), Contains("reduction"), Not(Contains("row-wise")),
            Not(Contains("strided"))));
  EXPECT_THAT(features_of(std::string(kRow) + "for (int c = 0; c < n; ++c) s += x[r * n + c];", "x"),
              AllOf(Contains("row-wise"), Not(Contains("column-wise"))));
}

TEST(Features, IntegersByTheirWidth) {
  EXPECT_THAT(features_with("x[threadIdx.x] = 1;", ElementType::u8, 1, "unsigned char"),
              AllOf(Contains("integer"), Contains("narrow-integers")));
  EXPECT_THAT(features_with("x[threadIdx.x] = 1;", ElementType::i64, 8, "long long"),
              AllOf(Contains("integer"), Not(Contains("narrow-integers"))));
}

TEST(Features, ArgReductions) {
  EXPECT_THAT(
      features_of("float best = 0; int place = 0; for (int i = 0; i < n; ++i) { float v = x[i]; if (v "
                  "> best) { best = v; place = i; } }",
                  "x y"),
      AllOf(Contains("reduction"), Contains("arg-reduction")));
  EXPECT_THAT(features_of("float m = 0; for (int i = 0; i < n; ++i) m = fmaxf(m, x[i]);", "x y"),
              Not(Contains("arg-reduction")));
}

TEST(Features, DoubleByAccident) {
  for (const char *code : {"y[i] = x[i] * 0.5;", "y[i] = x[i] + 1e-5;", "double s = x[i];"})
    EXPECT_THAT(features_of(std::string(kThread) + code, "x y"), Contains("mixed-double")) << code;
  for (const char *code : {"y[i] = x[i] * 0.5f;", "y[i] = x[i] + 1e-5f + 3 + 0x1e;"})
    EXPECT_THAT(features_of(std::string(kThread) + code, "x y"), Not(Contains("mixed-double"))) << code;
  EXPECT_THAT(features_with("int i = threadIdx.x; x[i] *= 0.5;", ElementType::f64, 8, "double"),
              Not(Contains("mixed-double")));
}

TEST(Features, CutTextIsNoTrouble) {
  const std::string text =
      kernel_with("p:int x y",
                  "int r = 0, t = 0, j = 0; float s[4] = {}; for (int k = p[r]; k < p[r + "
                  "1]; ++k) { float a[4] = {x[1], x[3]}; s[t] += a[k * 2 + 1] * y[j]; }");
  for (std::size_t i = 0; i <= text.size(); i += 61) {
    facts_of(text.substr(0, i));
    facts_of(text.substr(i));
  }
}

TEST(Features, DivisionsByNumbersAreNone) {
  EXPECT_THAT(features_of(std::string(kThread) + "y[i] = x[i] / 2.0f + (i % 32);", "x y"),
              Not(Contains("division")));
  EXPECT_THAT(features_of(std::string(kThread) + "y[i] = x[i] / a;", "x y"), Contains("division"));
}

TEST(Features, FollowCallsIntoFunctionsOfTheUnit) {
  const std::string functions =
      "__device__ float load(const float *from, int at) { return from[at]; }\n"
      "template <class T> __device__ void add(T &sum, T value) { sum += value; }\n"
      "__device__ int pick(const int *ids, int i) { return ids[i]; }\n";
  const auto features =
      features_of(functions +
                      "__global__ void k(const float *x, const int *ids, float *y, int n) {\n"
                      "  float s = 0;\n"
                      "  for (int i = 0; i < n; ++i) add(s, load(x, threadIdx.x * n + i));\n"
                      "  y[threadIdx.x] = s; }\n",
                  "x ids:int y");
  EXPECT_THAT(features, AllOf(Contains("reduction"), Not(Contains("gather"))));
}

TEST(Features, OfCodeThatIsNotCalledSayNothing) {
  EXPECT_THAT(
      features_of("__device__ float other(float v) { for (int i = 0; i < 9; ++i) v += expf(v); return "
                  "v; }\n__global__ void k(const float *x, float *y) { y[threadIdx.x] = x[threadIdx.x]; }",
                  "x y"),
      ElementsAre("elementwise", "float", "narrow-elements", "one-dimensional"));
}

}  // namespace
}  // namespace cupilot
