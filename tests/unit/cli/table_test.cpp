// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/text/table.h"

#include <gtest/gtest.h>

namespace cupilot::cli {
using namespace cupilot::cli::text;
namespace {

TEST(Table, AlignsColumnsAndLeavesNoBlanksAtTheEnd) {
  Table table({{"kernel"}, {"µs", Align::right}, {"why"}});
  table.add({"a", "12.5", "short"});
  table.add({"longer_name", "3"});
  EXPECT_EQ(table.text(),
            "kernel         µs  why\n"
            "a            12.5  short\n"
            "longer_name     3\n");
}

TEST(Table, CountsCodePointsNotBytes) {
  EXPECT_EQ(display_width("12 µs"), 5u);
}

}  // namespace
}  // namespace cupilot::cli
