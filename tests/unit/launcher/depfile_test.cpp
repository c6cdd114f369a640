// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/depfile.h"

#include <gtest/gtest.h>

namespace cupilot::launcher {
namespace {

TEST(EditDepfile, PutsTheSourceInPlaceOfTheWrapper) {
  EXPECT_EQ(
      edit_depfile("x.o : /b/x.o.cupilot/x.cu \\\n    /usr/a.h \\\n    /s/x.cu \\\n    "
                   "/b/x.o.cupilot/epilogue.cuh \\\n"
                   "    /s/x.h\n",
                   "/s/x.cu", "/b/x.o.cupilot", {"/s/tuned/k/sm_90/record.json", "/b/x.o.cupilot/stamp"}),
      "x.o : \\\n  /s/x.cu \\\n  /usr/a.h \\\n  /s/x.h \\\n  /s/tuned/k/sm_90/record.json \\\n  "
      "/b/x.o.cupilot/stamp\n");
}

TEST(EditDepfile, KeepsEscapesAndWritesThem) {
  EXPECT_EQ(edit_depfile("x.o: /s/a\\ b.h\n", "/s/x y.cu", "/b", {"/t/$1#"}),
            "x.o: \\\n  /s/x\\ y.cu \\\n  /s/a\\ b.h \\\n  /t/$$1\\#\n");
}

TEST(EditDepfile, TakesTheFirstRuleOnlyAndNoRuleIsNone) {
  EXPECT_EQ(edit_depfile("x.o: /s/x.cu a.h\na.h:\n", "/s/x.cu", "/b", {}), "x.o: \\\n  /s/x.cu \\\n  a.h\n");
  EXPECT_EQ(edit_depfile("", "/s/x.cu", "/b", {}), "");
  EXPECT_EQ(edit_depfile("no rule at all", "/s/x.cu", "/b", {}), "");
}

}  // namespace
}  // namespace cupilot::launcher
