// SPDX-License-Identifier: Apache-2.0
#include "annotate/support/diagnostic.h"

#include <gtest/gtest.h>

namespace cupilot {

TEST(Diagnostic, ShowsPlaceLineCaretAndWayOut) {
  const Diagnostic d{Severity::error,
                     {"norm.cu", 3, 18},
                     "unknown clause 'precison'",
                     "#pragma\tcupilot precison(same)",
                     "did you mean 'precision'?"};
  EXPECT_EQ(render(d),
            "norm.cu:3:18: error: unknown clause 'precison'; did you mean 'precision'?\n"
            "  #pragma\tcupilot precison(same)\n"
            "         \t         ^\n");
}

TEST(Diagnostic, WithoutALineIsOneLine) {
  EXPECT_EQ(render({Severity::warning, {"a.cu", 0, 0}, "nothing here", "", ""}),
            "a.cu: warning: nothing here\n");
}

TEST(Diagnostic, OnlyErrorsAreErrors) {
  EXPECT_FALSE(has_errors({{.severity = Severity::warning}, {.severity = Severity::note}}));
  EXPECT_TRUE(has_errors({{.severity = Severity::note}, {.severity = Severity::error}}));
}

}  // namespace cupilot
