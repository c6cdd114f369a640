// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/knobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupilot {
using namespace search;
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kVariant = R"(// cupilot variant
constexpr int kThreads = 256;  // knob: 64 128 256 512 1024
static constexpr unsigned kPad=-1; // knob: -1 0 1
constexpr int kFixed = 3;
__global__ void k() { int kThreads2 = 256; }
)";

TEST(Knobs, AreReadFromTheirLines) {
  const auto knobs = parse_knobs(kVariant).value();
  ASSERT_EQ(knobs.size(), 2u);
  EXPECT_EQ(knobs[0].name, "kThreads");
  EXPECT_EQ(knobs[0].value, 256);
  EXPECT_THAT(knobs[0].values, ElementsAre(64, 128, 256, 512, 1024));
  EXPECT_EQ(knobs[1].name, "kPad");
  EXPECT_THAT(knobs[1].values, ElementsAre(-1, 0, 1));
  EXPECT_EQ(describe_knobs(knobs), "kThreads=256 kPad=-1");
}

TEST(Knobs, SettingReplacesTheNumberAndNothingElse) {
  const auto text = set_knob(kVariant, "kThreads", 64).value();
  std::string expected = kVariant;
  expected.replace(expected.find("= 256;"), 6, "= 64;");
  EXPECT_EQ(text, expected);
  EXPECT_EQ(set_knob(text, "kThreads", 256).value(), kVariant);
  EXPECT_THAT(set_knob(kVariant, "kPad", 0).value(), HasSubstr("kPad=0; // knob: -1 0 1\n"));
}

TEST(Knobs, OnlyAllowedValuesOfKnownKnobs) {
  EXPECT_THAT(set_knob(kVariant, "kThreads", 96).error().message, HasSubstr("does not allow 96"));
  EXPECT_THAT(set_knob(kVariant, "kFixed", 3).error().message, HasSubstr("no knob 'kFixed'"));
}

std::string complaint(const std::string &line) {
  return parse_knobs("// one\n" + line).error().message;
}

TEST(Knobs, BadLinesAreLocated) {
  EXPECT_THAT(complaint("constexpr int kA = 3;  // knob: 1 2"),
              HasSubstr("knob in line 2 of the variant: its value 3 is not among"));
  EXPECT_THAT(complaint("constexpr int kA = 3;  // knob:"), HasSubstr("not among"));
  EXPECT_THAT(complaint("constexpr int kA = 3;  // knob: 3 x"), HasSubstr("'x' is not an integer"));
  EXPECT_THAT(complaint("constexpr int kA = 1 + 2;  // knob: 3"), HasSubstr("'1 + 2' is not an integer"));
  EXPECT_THAT(complaint("int kA = 3;  // knob: 3"), HasSubstr("'constexpr'"));
  EXPECT_THAT(complaint("constexpr int kA;  // knob: 3"), HasSubstr("expected 'constexpr int"));
  EXPECT_THAT(complaint("constexpr int kA = 1;  // knob: 1\nconstexpr int kA = 1;  // knob: 1"),
              HasSubstr("line 3"));
}

TEST(Knobs, NeighboursComeNearestFirst) {
  EXPECT_THAT(neighbours_first({"k", {64, 128, 256, 512, 1024}, 256}), ElementsAre(128, 512, 64, 1024));
  EXPECT_THAT(neighbours_first({"k", {1, 2, 4}, 1}), ElementsAre(2, 4));
  EXPECT_THAT(neighbours_first({"k", {8}, 8}), ElementsAre());
}

}  // namespace
}  // namespace cupilot
