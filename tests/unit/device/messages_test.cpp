// SPDX-License-Identifier: Apache-2.0
#include "driver/worker/messages.h"

#include <gtest/gtest.h>

namespace cupilot {
namespace {

TEST(Messages, OrdersSurvive) {
  Order order{Order::What::time, "text\n\"quoted\"", EntryRole::original};
  order.run = {3, "special", 0xffffffffffffffffull, Placement::misaligned, 1};
  order.timing = {1.5, 0.01, 42};
  const auto line = to_line(order);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto read = order_from_line(line);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->text, order.text);
  EXPECT_EQ(read->role, EntryRole::original);
  EXPECT_EQ(read->run.seed, order.run.seed);
  EXPECT_EQ(read->run.placement, Placement::misaligned);
  EXPECT_EQ(read->timing.order_seed, 42u);
}

TEST(Messages, FailureIsAnErrorOfAnyAnswer) {
  const auto read = run_from_line(failed_line("cudaErrorIllegalAddress"));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, "cudaErrorIllegalAddress");
}

TEST(Messages, DamagedLinesAreErrors) {
  EXPECT_FALSE(run_from_line("{\"declined\":1"));
  EXPECT_FALSE(timing_from_line("{}"));
  EXPECT_FALSE(done_from_line("{\"ok\":\"yes\"}"));
}

TEST(Messages, TimingKeepsSamplesAndReasons) {
  TimingReport report;
  report.original.samples_us = {1, 2};
  report.candidate.dropped = {{3, "sm clock 61 %"}};
  report.synchronised = true;
  const auto read = timing_from_line(to_line(report));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->original.samples_us, report.original.samples_us);
  ASSERT_EQ(read->candidate.dropped.size(), 1u);
  EXPECT_EQ(read->candidate.dropped[0].reason, "sm clock 61 %");
  EXPECT_TRUE(read->synchronised);
}

}  // namespace
}  // namespace cupilot
