// SPDX-License-Identifier: Apache-2.0
#include "evolution/strategy/features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "annotate/support/text.h"

namespace cupilot {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;

KernelSpec spec(const std::string &slice, ElementType element, std::size_t bytes) {
  KernelSpec kernel;
  kernel.slice = slice;
  kernel.parameters = {{.name = "x", .pointer = true, .element = element, .element_bytes = bytes}};
  return kernel;
}

/// A slice and its pointer parameters: "x y:int", float unless said.
std::set<std::string> features_of(const std::string &slice, const std::string &pointers,
                                  const std::string &name = "kernel") {
  KernelSpec kernel;
  kernel.name = name;
  kernel.slice = slice;
  for (const std::string &word : split(pointers, ' ')) {
    const bool integer = word.ends_with(":int");
    kernel.parameters.push_back({.name = word.substr(0, word.find(':')),
                                 .pointer = true,
                                 .element = integer ? ElementType::i32 : ElementType::f32,
                                 .element_bytes = 4});
  }
  return kernel_features(kernel);
}

TEST(Features, OfAFlatKernel) {
  EXPECT_THAT(kernel_features(spec("x[i] = 1;", ElementType::f32, 4)),
              ElementsAre("elementwise", "float", "narrow-elements", "one-dimensional"));
}

TEST(Features, OfATiledOne) {
  EXPECT_THAT(kernel_features(spec("__shared__ float t[32][32]; t[threadIdx.y][0] = 0; __syncthreads();",
                                   ElementType::f64, 16)),
              ElementsAre("barrier", "double", "shared-memory", "two-dimensional"));
}

TEST(Features, OfARowLoopInHalf) {
  EXPECT_THAT(kernel_features(spec("for (int c = 0; c < n; ++c) s += x[c];", ElementType::f16, 2)),
              ElementsAre("half", "loop", "narrow-elements", "one-dimensional", "reduction"));
}

TEST(Features, CommentsAndStringsSayNothing) {
  EXPECT_THAT(features_of(R"(
    // for (;;) atomicAdd(y, expf(x[i - 1] + x[i + 1])); __shared__ __syncthreads softmax
    /* s += a[i * n] * b[i * k]; threadIdx.y */
    __global__ void f(const float *x, float *y) {
      assert(x && "while (atomic / shuffle) __shfl_down_sync");
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
  EXPECT_THAT(features_of("for (int i = t; i < n; i += s) y[i] += a * x[i];", "x y"),
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
  EXPECT_THAT(features_of(scalars, "A B C"), Contains("matmul"));
}

TEST(Features, TiledGemm) {
  EXPECT_THAT(features_of(R"(
    __global__ void gemm(const float *A, const float *B, float *C, int n) {
      __shared__ float As[16][16], Bs[16][16];
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
  EXPECT_THAT(features_of("for (int k = 0; k < n; ++k) s += A[row * n + k] * v[k]; y[row] = s;", "A v y"),
              AllOf(Contains("dot-product"), Contains("row-wise"), Not(Contains("matmul"))));
  EXPECT_THAT(features_of("for (int k = 0; k < n; ++k) s += a[r * n + k] * b[r * n + k];", "a b"),
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
      for (int c = threadIdx.x; c < cols; c += blockDim.x) { float v = x[row * cols + c]; sum += v; squares += v * v; }
      for (int o = 16; o; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
      float scale = rsqrtf(squares / cols + eps);
      for (int c = threadIdx.x; c < cols; c += blockDim.x) y[row * cols + c] = x[row * cols + c] * scale * w[c];)",
                          "x w y"),
              ElementsAre("division", "float", "loop", "narrow-elements", "normalisation", "one-dimensional",
                          "reduction", "row-wise", "shuffle"));
}

TEST(Features, Scans) {
  EXPECT_THAT(
      features_of("float s = 0; for (int i = 0; i < n; ++i) { s += x[r * n + i]; y[r * n + i] = s; }", "x y"),
      AllOf(Contains("scan"), Contains("row-wise")));
  EXPECT_THAT(
      features_of(
          "for (int o = 1; o < 32; o *= 2) { float t = __shfl_up_sync(~0u, v, o); if (lane >= o) v += t; }",
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
  EXPECT_THAT(
      features_of("for (int s = 128; s > 0; s >>= 1) { if (t < s) a[t] += a[t + s]; __syncthreads(); }", "x"),
      AllOf(Contains("reduction"), Contains("barrier"), Not(Contains("stencil"))));
  EXPECT_THAT(features_of("for (int i = 0; i < n; ++i) if (x[i] > best) best = x[i];", "x"),
              Contains("reduction"));
}

TEST(Features, MovingIndicesArePointersAndNoSums) {
  EXPECT_THAT(
      features_of("while (i < n) { y[i] = x[i]; i += stride; p += stride; q[0] = *p; z = p[0]; count += 1; }",
                  "x y"),
      Not(Contains("reduction")));
}

TEST(Features, Stencils) {
  EXPECT_THAT(features_of("v[i] = a * u[i] + b * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx]);", "u v"),
              AllOf(Contains("stencil"), Not(Contains("elementwise"))));
  EXPECT_THAT(features_of("v[i] = t[ty - 1][tx] + t[ty + 1][tx];", "u v"), Contains("stencil"));
  EXPECT_THAT(features_of("v[i] = u[i + 1] - u[i];", "u v"), Not(Contains("stencil")));
}

TEST(Features, GatherAndSparse) {
  EXPECT_THAT(
      features_of("y[i] = table[ids[i] * d + c];", "table ids:int y"),
      AllOf(Contains("gather"), Contains("integer"), Not(Contains("sparse")), Not(Contains("elementwise"))));
  const auto spmv = features_of(R"(
      float sum = 0;
      for (int k = row_ptr[row]; k < row_ptr[row + 1]; ++k) { int j = cols[k]; sum += values[k] * x[j]; }
      y[row] = sum;)",
                                "row_ptr:int cols:int values x y");
  EXPECT_THAT(
      spmv, AllOf(Contains("gather"), Contains("sparse"), Contains("dot-product"), Not(Contains("matmul"))));
  EXPECT_THAT(
      features_of("int b = ptr[r], e = ptr[r + 1]; for (int k = b; k < e; ++k) s += v[k];", "ptr:int v"),
      Contains("sparse"));
  EXPECT_THAT(features_of("atomicAdd(&h[x[i]], 1);", "x:int h:int"),
              AllOf(Contains("atomic"), Contains("gather")));
  EXPECT_THAT(features_of("float s = scale[row]; y[i] = x[i] * s;", "x y scale"), Not(Contains("gather")));
}

TEST(Features, StridesOfLanes) {
  const auto strided = [](const std::string &slice) { return features_of(slice, "x y").contains("strided"); };
  const std::string thread = "int i = blockIdx.x * blockDim.x + threadIdx.x;";
  EXPECT_FALSE(strided(thread + "y[i] = x[i];"));
  EXPECT_FALSE(strided("for (int c = threadIdx.x; c < n; c += blockDim.x) y[blockIdx.x * n + c] = 0;"));
  EXPECT_FALSE(strided("int row = blockIdx.y * blockDim.y + threadIdx.y; y[row * n + threadIdx.x] = 0;"));
  EXPECT_FALSE(strided(thread + "int r = i / n, c = i % n; y[r * n + c] = 0;"));
  EXPECT_TRUE(strided(thread + "y[3 * i + 1] = x[i];"));
  EXPECT_TRUE(strided(thread + "for (int c = 0; c < n; ++c) s += x[i * n + c];"));
  EXPECT_TRUE(strided(thread + "const float *row = x + (size_t)i * n; s = row[0];"));
  EXPECT_TRUE(strided("int base = (blockIdx.x * blockDim.x + threadIdx.x) * 4; y[base + 1] = 0;"));
  EXPECT_TRUE(strided("y[threadIdx.x * h + threadIdx.y] = x[threadIdx.y * w + threadIdx.x];"));
}

TEST(Features, Windows) {
  const std::string thread = "int i = blockIdx.x * blockDim.x + threadIdx.x;";
  EXPECT_THAT(features_of(thread + "for (int k = 0; k < 8; ++k) s += x[i + k]; y[i] = s;", "x y"),
              Contains("window"));
  EXPECT_THAT(features_of(thread + "for (int c = 0; c < n; ++c) s += x[row * n + c];", "x y"),
              Not(Contains("window")));
  EXPECT_THAT(features_of("for (int k = 0; k < 8; ++k) s += x[(oy + k) * w + ox];", "x y"),
              Not(Contains("window")));
}

TEST(Features, Triangles) {
  const std::string rows =
      "int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;\n"
      "int c = col;";
  const std::string product = "sum += A[row * n + k] * B[k * n + c];";
  EXPECT_THAT(features_of(rows + "for (int k = row; k <= c; ++k)" + product, "A B C"),
              Contains("triangular"));
  EXPECT_THAT(features_of(rows + "if (row > c) return; for (int k = 0; k < n; ++k)" + product, "A B C"),
              Contains("triangular"));
  EXPECT_THAT(features_of("const int kTile = 16;" + rows +
                              "if (row >= n || c >= n) return; for (int k = 0; k < kTile; ++k)" + product +
                              "D[kTile] = 0;",
                          "A B C"),
              AllOf(Contains("matmul"), Not(Contains("triangular"))));
}

TEST(Features, TrianglesOfTiles) {
  EXPECT_THAT(features_of(R"(
      __shared__ float s[16][16], t[16][16];
      int row = blockIdx.y * 16 + threadIdx.y;
      for (int tile = blockIdx.y; tile <= blockIdx.x; ++tile) {
        s[threadIdx.y][threadIdx.x] = a[row * n + tile * 16 + threadIdx.x];
        for (int k = 0; k < 16; ++k) sum += s[threadIdx.y][k] * t[k][threadIdx.x];
      })",
                          "a b c"),
              Contains("triangular"));
  EXPECT_THAT(
      features_of("int p = i / n, q = i % n; v = p <= q ? a[p * n + q] : 0; for (int k = 0; k < n; ++k) "
                  "sum += a[p * n + k] * b[k * n + q];",
                  "a b"),
      Contains("triangular"));
}

TEST(Features, Columns) {
  const std::string thread =
      "int i = blockIdx.x * blockDim.x + threadIdx.x, item = i / cols, col = i % cols;";
  EXPECT_THAT(
      features_of(thread + "const float *from = x + (size_t)item * rows * cols + col;"
                           "for (int r = 0; r < rows; ++r) sum += from[(size_t)r * cols]; y[i] = sum;",
                  "x y"),
      AllOf(Contains("column-wise"), Contains("reduction"), Not(Contains("row-wise")),
            Not(Contains("strided"))));
  EXPECT_THAT(features_of("for (int c = 0; c < n; ++c) s += x[row * n + c];", "x"),
              AllOf(Contains("row-wise"), Not(Contains("column-wise"))));
}

TEST(Features, IntegersByTheirWidth) {
  EXPECT_THAT(kernel_features(spec("x[i] = 1;", ElementType::u8, 1)),
              AllOf(Contains("integer"), Contains("narrow-integers")));
  EXPECT_THAT(kernel_features(spec("x[i] = 1;", ElementType::i64, 8)),
              AllOf(Contains("integer"), Not(Contains("narrow-integers"))));
}

TEST(Features, ArgReductions) {
  EXPECT_THAT(
      features_of("for (int i = 0; i < n; ++i) { float v = x[i]; if (v > best) { best = v; place = i; } }",
                  "x y"),
      AllOf(Contains("reduction"), Contains("arg-reduction")));
  EXPECT_THAT(features_of("for (int i = 0; i < n; ++i) m = fmaxf(m, x[i]);", "x y"),
              Not(Contains("arg-reduction")));
}

TEST(Features, DoubleByAccident) {
  for (const char *slice : {"y[i] = x[i] * 0.5;", "y[i] = x[i] + 1e-5;", "double s = x[i];"})
    EXPECT_THAT(features_of(slice, "x y"), Contains("mixed-double")) << slice;
  for (const char *slice : {"y[i] = x[i] * 0.5f;", "y[i] = x[i] + 1e-5f + 3 + 0x1e;"})
    EXPECT_THAT(features_of(slice, "x y"), Not(Contains("mixed-double"))) << slice;
  EXPECT_THAT(kernel_features(spec("x[i] *= 0.5;", ElementType::f64, 8)), Not(Contains("mixed-double")));
}

TEST(Features, CutTextIsNoTrouble) {
  const std::string text =
      "for (int k = p[r]; k < p[r + 1]; ++k) { float a[4] = {f(x[1][2], 3)}, b = \"s\"; s[t] += a[k * 2 + 1] "
      "* y[j]; }";
  for (std::size_t i = 0; i <= text.size(); ++i) {
    features_of(text.substr(0, i), "p:int x y");
    features_of(text.substr(i), "p:int x y");
  }
}

TEST(Features, DivisionsByNumbersAreNone) {
  EXPECT_THAT(features_of("y[i] = x[i] / 2.0f + (i % 32);", "x y"), Not(Contains("division")));
  EXPECT_THAT(features_of("y[i] = x[i] / z;", "x y"), Contains("division"));
}

}  // namespace
}  // namespace cupilot
