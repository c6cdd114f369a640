// SPDX-License-Identifier: Apache-2.0
//
// From source through the extractor to the pattern, and the facts that unusual text yields.
#include "evolution/role/pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "annotate/support/files.h"
#include "tests/cases/kernel_text.h"

namespace cupilot {
using namespace role;
using namespace spec;
namespace {

std::string pattern(const std::string &text) {
  return to_string(pattern_of(facts_of(text)));
}

TEST(Pattern, Matmul) {
  EXPECT_EQ(pattern(R"(
__global__ void gemm(const float *a, const float *b, float *c, int m, int n, int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[(size_t)row * k + i] * b[(size_t)i * n + column];
  c[(size_t)row * n + column] = sum;
})"),
            "matmul");
  EXPECT_EQ(pattern(R"(
__global__ void tiled(const float *A, const float *B, float *C, int N) {
  __shared__ float As[16][16], Bs[16][16];
  const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float acc = 0.0f;
  for (int t = 0; t < N / 16; ++t) {
    As[threadIdx.y][threadIdx.x] = A[row * N + t * 16 + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B[(t * 16 + threadIdx.y) * N + col];
    __syncthreads();
    for (int k = 0; k < 16; ++k) acc = fmaf(As[threadIdx.y][k], Bs[k][threadIdx.x], acc);
    __syncthreads();
  }
  C[row * N + col] = acc;
})"),
            "matmul");
  EXPECT_EQ(pattern(R"(
__global__ void registers(const float *A, const float *B, float *C, int K) {
  __shared__ float sa[8][128], sb[8][128];
  float acc[8][8] = {};
  for (int k0 = 0; k0 < K; k0 += 8)
    for (int k = 0; k < 8; ++k) {
      float ra[8], rb[8];
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) acc[i][j] += ra[i] * rb[j];
    }
})"),
            "matmul");
  EXPECT_EQ(pattern("namespace wmma { struct F {}; __device__ void mma_sync(F &, F, F, F); }\n"
                    "__global__ void w(const float *a, int n) { wmma::F acc, fa, fb; "
                    "for (int k = 0; k < n; k += 16) wmma::mma_sync(acc, fa, fb, acc); }"),
            "matmul");
  EXPECT_EQ(
      pattern("__global__ void matvec(const float *a, const float *x, float *y, int cols) { float sum = 0; "
              "int row = threadIdx.x;"
              "for (int c = 0; c < cols; ++c) sum += a[row * cols + c] * x[c]; y[row] = sum; }"),
      "matmul");
}

TEST(Pattern, Attention) {
  EXPECT_EQ(pattern(R"(
__global__ void attention(const float *q, const float *k, const float *v, float *o, int keys, int d, float scale) {
  const int row = blockIdx.x;
  float top = -INFINITY, sum = 0, acc[64] = {};
  for (int j = 0; j < keys; ++j) {
    float score = 0;
    for (int i = 0; i < d; ++i) score += q[row * d + i] * k[j * d + i];
    score *= scale;
    const float larger = fmaxf(top, score), weight = expf(score - larger), old = expf(top - larger);
    sum = sum * old + weight;
    for (int i = 0; i < d; ++i) acc[i] = acc[i] * old + weight * v[j * d + i];
    top = larger;
  }
  for (int i = 0; i < d; ++i) o[row * d + i] = acc[i] / sum;
})"),
            "attention");
}

TEST(Pattern, Convolution) {
  EXPECT_EQ(pattern(R"(
__global__ void conv2d(const float *x, const float *w, float *y, int C, int H, int W, int K, int stride, int pad) {
  const int n = blockIdx.z, f = blockIdx.y, oh = blockIdx.x, ow = threadIdx.x, F = gridDim.y;
  float sum = 0;
  for (int c = 0; c < C; ++c)
    for (int r = 0; r < K; ++r)
      for (int s = 0; s < K; ++s) {
        const int ih = oh * stride - pad + r, iw = ow * stride - pad + s;
        if (ih >= 0 && ih < H && iw >= 0 && iw < W)
          sum += x[((n * C + c) * H + ih) * W + iw] * w[((f * C + c) * K + r) * K + s];
      }
  y[((n * F + f) * H + oh) * W + ow] = sum;
})"),
            "convolution");
  EXPECT_EQ(
      pattern(
          "__global__ void blur(const float *in, const float *filter, float *out, int w) { float acc = 0; "
          "int x = blockIdx.x * blockDim.x + threadIdx.x;"
          "for (int i = -2; i <= 2; ++i) acc += in[x + i] * filter[i + 2]; out[x] = acc; }"),
      "convolution");
}

TEST(Pattern, Normalisation) {
  EXPECT_EQ(pattern(R"(
__global__ void softmax(const float *x, float *y, int rows, int cols) {
  const int row = blockIdx.x;
  const float *from = x + (size_t)row * cols;
  float top = from[0];
  for (int c = 1; c < cols; ++c) top = fmaxf(top, from[c]);
  float sum = 0;
  for (int c = 0; c < cols; ++c) sum += expf(from[c] - top);
  for (int c = 0; c < cols; ++c) y[(size_t)row * cols + c] = expf(from[c] - top) / sum;
})"),
            "normalisation");
  EXPECT_EQ(pattern(R"(
__global__ void layer_norm(const float *x, const float *gain, const float *shift, float *y, int rows, int cols) {
  const int row = blockIdx.x;
  const float *from = x + (size_t)row * cols;
  float sum = 0;
  for (int c = 0; c < cols; ++c) sum += from[c];
  const float mean = sum / cols;
  float squares = 0;
  for (int c = 0; c < cols; ++c) squares += (from[c] - mean) * (from[c] - mean);
  const float scale = rsqrtf(squares / cols + 1e-5f);
  for (int c = 0; c < cols; ++c) y[row * cols + c] = (from[c] - mean) * scale * gain[c] + shift[c];
})"),
            "normalisation");
  EXPECT_EQ(
      pattern("__global__ void rms(const float *from, float *y, int cols) { float sum = 0; "
              "for (int c = 0; c < cols; ++c) sum += from[c] * from[c]; const float s = rsqrtf(sum / cols); "
              "for (int c = 0; c < cols; ++c) y[c] = from[c] * s; }"),
      "normalisation");
}

TEST(Pattern, Reduction) {
  EXPECT_EQ(pattern("__global__ void sum(const float *x, float *y, int n) { float s = 0; "
                    "for (int i = threadIdx.x; i < n; i += blockDim.x) s += x[i]; y[blockIdx.x] = s; }"),
            "reduction");
  EXPECT_EQ(pattern("__global__ void cumsum(const float *x, float *y, int n) { float run = 0; int row = "
                    "blockIdx.x;"
                    "for (int i = 0; i < n; ++i) { run += x[row * n + i]; y[row * n + i] = run; } }"),
            "reduction");
  EXPECT_EQ(pattern("__global__ void top(const float *x, float *y, int n) { float best = x[0]; "
                    "for (int i = 1; i < n; ++i) best = x[i] > best ? x[i] : best; y[0] = best; }"),
            "reduction");
  EXPECT_EQ(
      pattern(
          "__global__ void tree(const float *x, float *y) { __shared__ float part[256]; int t = threadIdx.x;"
          "for (int s = 128; s > 0; s /= 2) { if (t < s) part[t] += part[t + s]; __syncthreads(); } }"),
      "reduction");
  EXPECT_EQ(pattern("__global__ void bins(const int *x, int *h, int n) { int i = threadIdx.x; "
                    "if (i < n) atomicAdd(&h[x[i]], 1); }"),
            "reduction");
}

TEST(Pattern, Loss) {
  EXPECT_EQ(pattern(R"(
__global__ void cross_entropy(const float *logits, const long *targets, float *loss, int classes) {
  const int i = threadIdx.x;
  const float *row = logits + i * classes;
  float top = row[0];
  for (int c = 1; c < classes; ++c) top = fmaxf(top, row[c]);
  float sum = 0;
  for (int c = 0; c < classes; ++c) sum += expf(row[c] - top);
  loss[i] = logf(sum) + top - row[targets[i]];
})"),
            "loss");
}

TEST(Pattern, Elementwise) {
  EXPECT_EQ(
      pattern(
          "__global__ void relu(const float *x, float *y, int n) { "
          "const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i] > 0 ? x[i] : 0; }"),
      "elementwise");
  EXPECT_EQ(
      pattern(
          "__global__ void gelu(const float *x, float *y, int n) { for (int i = blockIdx.x * blockDim.x + "
          "threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] / (1 + expf(-1.702f * x[i])); }"),
      "elementwise");
  EXPECT_EQ(pattern("__global__ void scale(const float *x, float *y, int n) { int i = threadIdx.x; "
                    "while (i < n) { y[i] = 2 * x[i]; i += blockDim.x; } }"),
            "elementwise");
}

TEST(Pattern, Other) {
  EXPECT_EQ(to_string(pattern_of(CodeFacts{})), std::string("other"));
  EXPECT_EQ(
      pattern(
          "__global__ void transpose(const float *x, float *y) { __shared__ float tile[32][33]; int i = "
          "threadIdx.y * 32 + threadIdx.x, j = i;"
          "tile[threadIdx.y][threadIdx.x] = x[i]; __syncthreads(); y[j] = tile[threadIdx.x][threadIdx.y]; }"),
      "other");
}

/// The kernels the project is measured on, as their files are.
TEST(Pattern, OfLevelOne) {
  const std::pair<const char *, const char *> known[] = {
      {"01_matmul", "matmul"},          {"14_upper_matmul", "matmul"},      {"23_softmax", "normalisation"},
      {"36_rms_norm", "normalisation"}, {"40_layer_norm", "normalisation"}, {"47_sum_over_rows", "reduction"},
      {"89_cumsum", "reduction"},       {"95_cross_entropy", "loss"}};
  for (const auto &[name, expected] : known) {
    const auto source = read_file(std::string(CUPILOT_LEVEL1) + "/" + name + ".cu");
    ASSERT_TRUE(source) << source.error().message;
    EXPECT_EQ(pattern(*source), expected) << name;
  }
}

TEST(Pattern, TextThatIsNoCodeHarmsNothing) {
  for (const std::string text : {")))]]]}}}", "((((", "for (", "for (;;", "]]] = ] += a * b;",
                                 "while (1) } ] += [", "/*", "\"", "'", "#", "\\", "* * *", "a[ += b[ * c["})
    EXPECT_NE(pattern(text), "") << text;
  std::string loops;
  for (int i = 0; i < 4'000; ++i) loops += "for(;;)";
  EXPECT_NE(pattern("__global__ void k() {" + loops), "");
  EXPECT_NE(pattern(std::string(1 << 20, '(')), "");
  EXPECT_EQ(pattern("__global__ void k(float *y) { y[0] = \"for (;;) s += a[i] * b[i];\"[0]; }"),
            "elementwise");
}

TEST(CodeFacts, CommentsLiteralsAndDirectivesSayNothing) {
  const CodeFacts facts = facts_of(
      "#define LOOP for (;;)\n#include <for>\n"
      "__global__ void k(float *y) {\n  // for (;;) \\\n  expf(1)\n  /* while (1) */\n"
      "  const char *a = \"exp(\\\"\", *b = R\"y(for \" ( )y\"; char c = 'x';\n  y[0] = a[0] + b[0] + "
      "c;\n}\n");
  EXPECT_FALSE(facts.has_loop);
  EXPECT_FALSE(facts.has_exponential);
  EXPECT_TRUE(facts.stores);
  EXPECT_TRUE(facts_of("#define LOOP(i) \\\n  for (int i = 0; i < 4; ++i)\n"
                       "__global__ void k(float *y) { LOOP(i) y[i] = 0; }")
                  .has_loop)
      << "what a macro stands for counts";
}

TEST(CodeFacts, NumbersAndSymbols) {
  EXPECT_FALSE(facts_of("__global__ void k(float *y) { y[0] += 1e-5f * .5f - 0x1p-3f; }").computes_in_double);
  EXPECT_TRUE(facts_of("__global__ void k(float *y) { y[0] += 1e-5f * .5f - 0x1p-3; }").computes_in_double);
}

TEST(CodeFacts, OfATextWithSyntaxErrorsAreUnknown) {
  for (const char *text :
       {"/*", "\"", "'", "//", "R\"(", "R\"", "#", "#define", "\\", "a[", "for", "for (", "}}", "{{", "1e"})
    EXPECT_FALSE(facts_of(std::string("__global__ void k(float *a) { ") + text).known) << text;
  EXPECT_TRUE(facts_of("__global__ void k(float *a) { a[0] = __of_nvcc(a[1]); }").known);
}

int depth_of(const std::string &code) {
  return facts_of(kernel_with("p q y", "float s = 0;" + code + " y[0] = s;")).product_depth;
}

TEST(CodeFacts, KnowTheirLoops) {
  EXPECT_EQ(depth_of("s += p[n] * q[n];"), 0);
  EXPECT_EQ(depth_of("for (int i = 0; i < n; ++i) { s += p[i] * q[i]; while (w) --w; }"), 1);
  EXPECT_EQ(depth_of("for (int i = 0; i < n; ++i) { while (w) { s += p[i] * q[w]; --w; } }"), 2);
}

TEST(CodeFacts, LoopsWithoutBracesEndWithTheirStatement) {
  EXPECT_EQ(depth_of("for (;;) for (int i : {1, 2}) { s += p[i] * q[i]; } n = 1;"), 2);
  EXPECT_EQ(depth_of("for (;;) for (;;) n = 1; s += p[n] * q[n];"), 0);
  EXPECT_EQ(depth_of("do s += p[n] * q[n]; while (n); n = 1;"), 1);
  EXPECT_EQ(depth_of("do n = 1; while (n); s += p[n] * q[n];"), 0);
}

TEST(CodeFacts, ConditionsBelongToWhatTheyGuard) {
  EXPECT_TRUE(
      facts_of(kernel_with("x", "float m = 0; for (int i = 0; i < n; ++i) if (x[i] > m) m = x[i];")).folds);
  EXPECT_FALSE(facts_of(kernel_with("x",
                                    "float m = 0; for (int i = 0; i < n; ++i) { if (x[i] > m) w = 1; m = "
                                    "x[i]; }"))
                   .folds);
}

TEST(CodeFacts, AreReadInTheContextOfTheCall) {
  const char *functions =
      "__device__ float dot(const float *p, const float *q, int n) { float s = 0; for (int i = 0; i < n; "
      "++i) s "
      "+= p[i] * q[i]; return s; }\n";
  const CodeFacts facts = facts_of(std::string(functions) +
                                   "__global__ void k(const float *a, const float *b, float *y, int n) { "
                                   "for (int r = 0; r < 4; ++r) y[r] = dot(a + r * n, b, n); }");
  EXPECT_EQ(facts.products, 1);
  EXPECT_EQ(facts.product_depth, 2);
  EXPECT_TRUE(facts.has_rows);
}

TEST(CodeFacts, OfRecursionEnd) {
  EXPECT_TRUE(facts_of("__device__ int f(int n);\n__device__ int g(int n) { return f(n - 1) + f(n - 2); }\n"
                       "__device__ int f(int n) { return n < 2 ? 1 : g(n) + g(n); }\n"
                       "__global__ void k(int *y) { y[0] = f(y[1]); }")
                  .stores);
}

TEST(CodeFacts, MatrixUnitsAreInstructionsAndNotNames) {
  EXPECT_FALSE(facts_of("__global__ void k(const float *gamma, float *summary) { summary[0] = gamma[0]; }")
                   .has_matrix_unit);
  EXPECT_TRUE(facts_of("__global__ void k(float *y) { asm volatile(\"mma.sync.aligned.m16n8k16;\"); }")
                  .has_matrix_unit);
}

}  // namespace
}  // namespace cupilot
