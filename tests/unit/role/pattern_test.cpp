// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "annotate/support/files.h"
#include "evolution/role/analyst.h"
#include "evolution/role/translator.h"

namespace cupilot {
namespace {

using testing::HasSubstr;

std::string pattern(std::string_view source) {
  return to_string(pattern_of(source));
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
  EXPECT_EQ(pattern("__global__ void w(const half *a) { for (int k = 0; k < n; k += 16) "
                    "wmma::mma_sync(acc, fa, fb, acc); }"),
            "matmul");
  EXPECT_EQ(
      pattern("__global__ void matvec(const float *a, const float *x, float *y, int cols) { float sum = 0; "
              "for (int c = 0; c < cols; ++c) sum += a[row * cols + c] * x[c]; y[row] = sum; }"),
      "matmul");
}

TEST(Pattern, Attention) {
  EXPECT_EQ(pattern(R"(
__global__ void attention(const float *q, const float *k, const float *v, float *o, int keys, int d, float scale) {
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
  float sum = 0;
  for (int c = 0; c < C; ++c)
    for (int r = 0; r < K; ++r)
      for (int s = 0; s < K; ++s) {
        const int ih = oh * stride - pad + r, iw = ow * stride - pad + s;
        if (ih >= 0 && ih < H && iw >= 0 && iw < W)
          sum += x[((n * C + c) * H + ih) * W + iw] * w[((f * C + c) * K + r) * K + s];
      }
  y[((n * F + f) * OH + oh) * OW + ow] = sum;
})"),
            "convolution");
  EXPECT_EQ(
      pattern(
          "__global__ void blur(const float *in, const float *filter, float *out, int w) { float acc = 0; "
          "for (int i = -2; i <= 2; ++i) acc += in[x + i] * filter[i + 2]; out[x] = acc; }"),
      "convolution");
}

TEST(Pattern, Normalisation) {
  EXPECT_EQ(pattern(R"(
__global__ void softmax(const float *x, float *y, int rows, int cols) {
  float top = from[0];
  for (int c = 1; c < cols; ++c) top = fmaxf(top, from[c]);
  float sum = 0;
  for (int c = 0; c < cols; ++c) sum += expf(from[c] - top);
  for (int c = 0; c < cols; ++c) y[(size_t)row * cols + c] = expf(from[c] - top) / sum;
})"),
            "normalisation");
  EXPECT_EQ(pattern(R"(
__global__ void layer_norm(const float *x, const float *gain, const float *shift, float *y, int rows, int cols) {
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
      pattern("__global__ void rms(const float *x, float *y, int cols) { float sum = 0; "
              "for (int c = 0; c < cols; ++c) sum += from[c] * from[c]; const float s = rsqrtf(sum / cols); "
              "for (int c = 0; c < cols; ++c) y[c] = from[c] * s; }"),
      "normalisation");
}

TEST(Pattern, Reduction) {
  EXPECT_EQ(pattern("__global__ void sum(const float *x, float *y, int n) { float s = 0; "
                    "for (int i = threadIdx.x; i < n; i += blockDim.x) s += x[i]; y[blockIdx.x] = s; }"),
            "reduction");
  EXPECT_EQ(pattern("__global__ void cumsum(const float *x, float *y, int n) { float run = 0; "
                    "for (int i = 0; i < n; ++i) { run += x[row * n + i]; y[row * n + i] = run; } }"),
            "reduction");
  EXPECT_EQ(pattern("__global__ void top(const float *x, float *y, int n) { float best = x[0]; "
                    "for (int i = 1; i < n; ++i) best = x[i] > best ? x[i] : best; y[0] = best; }"),
            "reduction");
  EXPECT_EQ(
      pattern("__global__ void tree(const float *x, float *y) { __shared__ float part[256]; "
              "for (int s = 128; s > 0; s /= 2) { if (t < s) part[t] += part[t + s]; __syncthreads(); } }"),
      "reduction");
  EXPECT_EQ(
      pattern("__global__ void bins(const int *x, int *h, int n) { if (i < n) atomicAdd(&h[x[i]], 1); }"),
      "reduction");
}

TEST(Pattern, Loss) {
  EXPECT_EQ(pattern(R"(
__global__ void cross_entropy(const float *logits, const long *targets, float *loss, int classes) {
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
  EXPECT_EQ(pattern(""), "other");
  EXPECT_EQ(
      pattern(
          "__global__ void transpose(const float *x, float *y) { __shared__ float tile[32][33]; "
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
  EXPECT_NE(pattern(loops), "");
  EXPECT_NE(pattern(std::string(1 << 20, '(')), "");
  EXPECT_EQ(pattern("__global__ void k(float *y) { y[0] = \"for (;;) s += a[i] * b[i];\"[0]; }"),
            "elementwise");
}

TEST(Pattern, DecidesWhenAProfileIsShown) {
  EXPECT_EQ(profile_from_depth(KernelPattern::matmul), 6);
  EXPECT_EQ(profile_from_depth(KernelPattern::attention), 6);
  EXPECT_EQ(profile_from_depth(KernelPattern::convolution), 6);
  EXPECT_EQ(profile_from_depth(KernelPattern::reduction), 5);
  EXPECT_EQ(profile_from_depth(KernelPattern::normalisation), 5);
  EXPECT_EQ(profile_from_depth(KernelPattern::loss), 3);
  EXPECT_EQ(profile_from_depth(KernelPattern::elementwise), 2);
  EXPECT_EQ(profile_from_depth(KernelPattern::other), 1);
}

TEST(Pattern, HasItsMenu) {
  EXPECT_THAT(refine_menu(KernelPattern::matmul), HasSubstr("products of matrices"));
  EXPECT_THAT(refine_menu(KernelPattern::convolution), HasSubstr("the next step is a structural rewrite"));
  EXPECT_EQ(refine_menu(KernelPattern::loss), refine_menu(KernelPattern::normalisation));
  EXPECT_NE(refine_menu(KernelPattern::other), refine_menu(KernelPattern::elementwise));
  EXPECT_THAT(refine_menu(KernelPattern::attention), HasSubstr("online softmax"));
}

}  // namespace
}  // namespace cupilot
