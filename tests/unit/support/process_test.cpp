// SPDX-License-Identifier: Apache-2.0
#include "annotate/support/process.h"

#include <gtest/gtest.h>
#include <signal.h>

namespace cupilot {
using namespace std::chrono_literals;

TEST(RunProcess, CollectsBothOutputsAndTheExitCode) {
  const auto result = run_process({.argv = {"sh", "-c", "echo out; echo err >&2; exit 3"}});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->out, "out\n");
  EXPECT_EQ(result->err, "err\n");
  EXPECT_EQ(result->exit_code, 3);
  EXPECT_EQ(result->describe(), "exit code 3");
  EXPECT_FALSE(result->ok());
}

TEST(RunProcess, FeedsInputLargerThanAPipe) {
  const std::string input(1 << 20, 'y');
  const auto result = run_process({.argv = {"cat"}, .input = input});
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->out == input);
}

TEST(RunProcess, EndsTheWholeGroupAtTheTimeLimit) {
  const auto result = run_process({.argv = {"sh", "-c", "sleep 60 & sleep 60"}, .time_limit = 50ms});
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->timed_out);
  EXPECT_EQ(result->describe(), "timed out");
}

TEST(RunProcess, EndsAChildThatClosedItsOutputs) {
  const auto result = run_process({.argv = {"sh", "-c", "exec >&- 2>&-; sleep 60"}, .time_limit = 50ms});
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->timed_out);
  EXPECT_LT(result->wall, 30s);
}

TEST(RunProcess, EndsTheWholeGroupWhenTheCallerGivesUp) {
  const auto result =
      run_process({.argv = {"sh", "-c", "echo enough; sleep 60 & sleep 60"},
                   .time_limit = 60s,
                   .give_up = [](const ProcessResult &so_far) { return so_far.out.contains("enough"); }});
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->given_up);
  EXPECT_FALSE(result->timed_out);
  EXPECT_FALSE(result->ok());
  EXPECT_EQ(result->describe(), "given up");
  EXPECT_LT(result->wall, 10s);
}

TEST(RunProcess, GivesUpOnASilentChildToo) {
  int looks = 0;
  const auto result =
      run_process({.argv = {"sleep", "60"}, .give_up = [&](const ProcessResult &) { return ++looks == 2; }});
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->given_up);
}

TEST(RunProcess, LimitsFilesAndMemory) {
  const auto written =
      run_process({.argv = {"sh", "-c", "head -c 300000 /dev/zero > limited; wc -c < limited; rm limited"},
                   .folder = testing::TempDir(),
                   .most_file_bytes = 100'000});
  ASSERT_TRUE(written);
  EXPECT_EQ(std::stoi(written->out), 100'000);
  const std::string hungry = "x=$(head -c 300000000 /dev/zero | tr '\\0' x); echo ${#x}";
  const auto fed = run_process({.argv = {"sh", "-c", hungry}, .most_memory_bytes = 50u << 20});
  ASSERT_TRUE(fed);
  EXPECT_FALSE(fed->ok());
}

TEST(RunProcess, ASignalIsToldByName) {
  const auto result = run_process({.argv = {"sh", "-c", "kill -SEGV $$"}});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->signal, SIGSEGV);
  EXPECT_EQ(result->describe(), "signal 11 (Segmentation fault)");
}

TEST(RunProcess, AMissingProgramIsAnError) {
  const auto result = run_process({.argv = {"cupilot-no-such-program"}});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "cannot find the program 'cupilot-no-such-program'");
}

TEST(RunProcess, UsesTheFolderAndTheEnvironmentGiven) {
  const auto result = run_process({.argv = {"sh", "-c", "pwd; echo $CUPILOT_TEST"},
                                   .folder = "/",
                                   .environment = {{"CUPILOT_TEST", "set"}}});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->out, "/\nset\n");
}

TEST(LineProcess, TalksLineByLine) {
  auto process = LineProcess::start({"cat"});
  ASSERT_TRUE(process);
  ASSERT_TRUE(process->send("one"));
  EXPECT_EQ(process->receive(), "one");
  EXPECT_EQ(process->receive(10ms), std::nullopt);
  EXPECT_FALSE(process->at_end());
  process->close_input();
  EXPECT_EQ(process->receive(), std::nullopt);
  EXPECT_TRUE(process->at_end());
  EXPECT_TRUE(process->wait().ok());
}

}  // namespace cupilot
