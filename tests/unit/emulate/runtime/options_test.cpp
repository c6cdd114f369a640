// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/runtime/options.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace cupilot::emulate {
using namespace cupilot::emulate::runtime;
namespace {

TEST(Options, ChecksAreAListOfWords) {
  EXPECT_FALSE(parse_checks("none")->races);
  EXPECT_FALSE(parse_checks("")->initialised);
  EXPECT_TRUE(parse_checks("races")->races);
  EXPECT_FALSE(parse_checks("races")->initialised);
  EXPECT_TRUE(parse_checks("races,init")->initialised);
  EXPECT_TRUE(parse_checks("all")->races && parse_checks("all")->initialised);
  EXPECT_FALSE(parse_checks("race"));
  EXPECT_FALSE(parse_checks("races,,init"));
}

TEST(Options, ComeFromTheEnvironment) {
  setenv("CUPILOT_EMULATE_ARCH", "sm_80", 1);
  setenv("CUPILOT_EMULATE_THREADS", "3", 1);
  setenv("CUPILOT_EMULATE_MEMORY_MB", "64", 1);
  setenv("CUPILOT_EMULATE_ONLY_LOG", "1", 1);
  const auto options = options_from_environment();
  ASSERT_TRUE(options);
  EXPECT_EQ(options->architecture, "sm_80");
  EXPECT_EQ(options->launch.threads, 3u);
  EXPECT_EQ(options->memory_bytes, 64u << 20);
  EXPECT_TRUE(options->only_log && options->log_launches);
  setenv("CUPILOT_EMULATE_THREADS", "3x", 1);
  EXPECT_EQ(options_from_environment().error().message,
            "CUPILOT_EMULATE_THREADS must be a number from 0 on, not '3x'");
  for (const char *name : {"ARCH", "THREADS", "MEMORY_MB", "ONLY_LOG"})
    unsetenv((std::string("CUPILOT_EMULATE_") + name).c_str());
}

}  // namespace
}  // namespace cupilot::emulate
