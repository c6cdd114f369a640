// SPDX-License-Identifier: Apache-2.0
#include "evolution/strategy/features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupilot {
namespace {

using testing::ElementsAre;

KernelSpec spec(const std::string &slice, ElementType element, std::size_t bytes) {
  KernelSpec kernel;
  kernel.slice = slice;
  kernel.parameters = {{.name = "x", .pointer = true, .element = element, .element_bytes = bytes}};
  return kernel;
}

TEST(Features, OfAFlatKernel) {
  EXPECT_THAT(kernel_features(spec("x[i] = 1;", ElementType::f32, 4)),
              ElementsAre("narrow-elements", "one-dimensional"));
}

TEST(Features, OfATiledOne) {
  EXPECT_THAT(kernel_features(spec("__shared__ float t[32][32]; t[threadIdx.y][0] = 0; __syncthreads();",
                                   ElementType::f64, 16)),
              ElementsAre("barrier", "shared-memory", "two-dimensional"));
}

TEST(Features, OfARowLoopInHalf) {
  EXPECT_THAT(kernel_features(spec("for (int c = 0; c < n; ++c) s += x[c];", ElementType::f16, 2)),
              ElementsAre("half", "loop", "narrow-elements", "one-dimensional"));
}

}  // namespace
}  // namespace cupilot
