// SPDX-License-Identifier: Apache-2.0
//
// What cupilot-worker says before any GPU is needed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "annotate/support/files.h"
#include "annotate/support/process.h"

namespace cupilot {
namespace {

using testing::HasSubstr;

ProcessResult run(std::vector<std::string> arguments) {
  ProcessRequest request;
  request.argv = {CUPILOT_WORKER_PROGRAM};
  request.argv.insert(request.argv.end(), arguments.begin(), arguments.end());
  request.time_limit = std::chrono::minutes(10);
  auto result = run_process(request);
  EXPECT_TRUE(result);
  return result ? *result : ProcessResult{};
}

TEST(WorkerProgram, BadUsageIsTwo) {
  EXPECT_EQ(run({}).exit_code, 2);
  EXPECT_EQ(run({"--jobs"}).exit_code, 2);
  EXPECT_EQ(run({"a", "b"}).exit_code, 2);
  EXPECT_THAT(run({"--what"}).err, HasSubstr("--what"));
}

TEST(WorkerProgram, HelpIsAResult) {
  const auto result = run({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("--only"));
}

TEST(WorkerProgram, AFolderThatIsNoBundleIsAnErrorEvent) {
  auto folder = TemporaryFolder::create("cupilot-worker-test");
  ASSERT_TRUE(folder);
  const auto missing = run({folder->path().string()});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_THAT(missing.out, HasSubstr("\"event\":\"error\""));
  EXPECT_THAT(missing.out, HasSubstr("\"event\":\"done\""));
  ASSERT_TRUE(write_file_atomic(folder->path() / "bundle.json", "{}"));
  EXPECT_THAT(run({folder->path().string()}).out, HasSubstr("bundle.json"));
}

}  // namespace
}  // namespace cupilot
