// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/report/finalist_line.h"

#include <gtest/gtest.h>

namespace cupilot::cli {
using namespace cupilot::cli::report;
using namespace cupilot::model;
namespace {

using Outcome = FinalistCheck::Outcome;

TEST(FinalistLine, WhatIsFineTakesLittleRoom) {
  EXPECT_EQ(finalist_line({{"20 repeats", Outcome::passed, "bitwise equal", 1},
                           {"two streams", Outcome::passed, "beside launches on other data", 1},
                           {"hold-out odd", Outcome::passed, "1.80x (faster)", 0},
                           {"memcheck", Outcome::passed, "nothing found", 3},
                           {"racecheck", Outcome::not_run, "compute-sanitizer is not installed here", 0}}),
            "finalist: two streams, memcheck ok; 20 repeats bitwise equal; hold-out odd 1.80x (faster); "
            "not run: racecheck");
}

TEST(FinalistLine, AFailureComesFirst) {
  EXPECT_EQ(finalist_line({{"20 repeats", Outcome::passed, "bitwise equal", 1},
                           {"two streams", Outcome::failed, "output 'y' ...", 1}}),
            "finalist: two streams failed; 20 repeats bitwise equal");
}

TEST(FinalistLine, NothingWithoutChecks) {
  EXPECT_EQ(finalist_line({}), "");
}

}  // namespace
}  // namespace cupilot::cli
