// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/screen/constants.h"

#include <gmock/gmock.h>

namespace cupilot {
using namespace judge::screen;
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::Not;

std::vector<std::int64_t> integers_of(const char *text) {
  std::vector<std::int64_t> integers;
  std::vector<double> reals;
  add_constants(text, integers, reals);
  return integers;
}

TEST(Constants, ThoseOfLinesThatCompareComeFirst) {
  EXPECT_THAT(integers_of("constexpr int kTile = 48;\nif (cols == 160u) return;\n"), ElementsAre(160, 48));
}

TEST(Constants, ReadsEverySpelling) {
  EXPECT_THAT(integers_of("if (a == 0x40 || b < 1'024 || c > 0b11 || d != 017L) x();"),
              IsSupersetOf({64, 1024, 3, 15}));
}

TEST(Constants, ProductsStandForWhatIsDividedFirst) {
  EXPECT_THAT(integers_of("if (n / 32 == 5) v = 0;"), Contains(160));
}

TEST(Constants, TextInCommentsAndLiteralsIsNone) {
  EXPECT_THAT(integers_of("if (x) y(\"777\");  // 888\n"), Not(Contains(testing::AnyOf(777, 888))));
}

TEST(Constants, NoSizeIsThatLarge) {
  EXPECT_THAT(integers_of("if (n > 4000000000) v = 0;"), Not(Contains(testing::Gt(1 << 20))));
}

TEST(Constants, FloatingNumbersOfComparisonsToo) {
  std::vector<std::int64_t> integers;
  std::vector<double> reals;
  add_constants("v = alpha < -2.5f ? 0 : v;\nconst float c = 3.5f;\n", integers, reals);
  EXPECT_THAT(reals, ElementsAre(2.5));
}

}  // namespace
}  // namespace cupilot
