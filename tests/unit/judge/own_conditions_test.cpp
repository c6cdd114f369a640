// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/own_conditions.h"

#include <gmock/gmock.h>

namespace cupilot {
using namespace judge;
namespace {

/// Whether a condition of data in this line of the text counts; it compares with `real`, or two data.
bool counts(const char *text, std::uint32_t line, std::vector<double> reals) {
  launches::Coverage coverage;
  launches::add(coverage, launches::Condition{.side = launches::CodeSide::device,
                                              .line = line,
                                              .test = launches::TestKind::equality,
                                              .seen_true = false,
                                              .seen_false = true,
                                              .data = true,
                                              .reals = std::move(reals)});
  engine::leave_library_conditions(coverage, text);
  return !launches::gaps_of(coverage).conditions.empty();
}

TEST(OwnConditions, AStatementWithoutCallsHasAllOfItsConditions) {
  EXPECT_TRUE(counts("float w = v == 4.0f ? 2 * v : fmaxf(v, 0);", 1, {4}));
  EXPECT_TRUE(counts("int i = 0;\nif (v == w)\n  y[i] = 0;", 2, {}));
}

TEST(OwnConditions, ThoseOfLibraryFunctionsDoNotCount) {
  const char *const text = "const float w = tanhf(v);\n";
  EXPECT_FALSE(counts(text, 1, {0.6}));
  EXPECT_FALSE(counts(text, 1, {1}));
}

TEST(OwnConditions, ANumberOfTheTextCountsBesideACall) {
  EXPECT_TRUE(counts("y[i] = v < 1e-5f ? v : expf(v);", 1, {static_cast<double>(1e-5f)}));
  EXPECT_TRUE(counts("constexpr float kSmall = 1e-5f;\ny[i] = v < kSmall ? v : expf(v);", 2,
                     {static_cast<double>(1e-5f)}));
  EXPECT_TRUE(counts("y[i] = v == w ? v : expf(v);", 1, {})) << "expf() compares with numbers only";
}

TEST(OwnConditions, OfAnUnknownFunctionNothingIsKnown) {
  EXPECT_FALSE(counts("y[i] = v == w ? v : fmodf(v, w);", 1, {}));
}

TEST(OwnConditions, FunctionsAndMacrosOfTheTextAreRead) {
  EXPECT_TRUE(
      counts("__device__ float twice(float v) { return 2 * v; }\n__global__ void k() {\n"
             "  y[i] = v == 4 ? v : twice(v);\n}\n",
             3, {4}));
  EXPECT_TRUE(counts("#define TWICE(v) (2 * (v))\ny[i] = v == 1 ? v : TWICE(v);\n", 2, {1}));
  EXPECT_FALSE(counts("#define E(v) expf(v)\ny[i] = E(v);\n", 2, {0.25}));
}

TEST(OwnConditions, TheStatementEndsWhereItEnds) {
  EXPECT_TRUE(counts("if (v == 1)\n  w = 0;\ny[i] = expf(v);\n", 1, {1}));
  EXPECT_FALSE(counts("w = v +\n    expf(v);\n", 1, {1}));
}

}  // namespace
}  // namespace cupilot
