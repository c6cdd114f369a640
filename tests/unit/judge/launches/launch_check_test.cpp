// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/launches/launch_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupilot {
using namespace judge::launches;
namespace {

using testing::HasSubstr;

class LaunchCheck : public testing::Test {
protected:
  LaunchCheck() {
    work_.kernel = "mine";
    work_.arguments = {std::vector<std::byte>(8)};
    list_.work = {work_};
  }
  std::string found(bool writes = true) {
    const auto fault = check_list(list_, {kernels_, &foreign_, writable_, scratch_, writes});
    return fault ? fault->text : "";
  }

  std::vector<LoadedKernel> kernels_{{"mine", {8}}, {"_ZN3abc12_GLOBAL__N__4origEPf", {8}}};
  std::set<std::string> foreign_;
  std::vector<MemoryRange> writable_{{1000, 100}}, scratch_;
  QueuedWork work_;
  LaunchList list_;
};

TEST_F(LaunchCheck, TakesALaunchOfItsOwnKernel) {
  EXPECT_EQ(found(), "");
}

TEST_F(LaunchCheck, RefusesKernelsThatAreNotThere) {
  list_.work[0].kernel = "theirs";
  EXPECT_THAT(found(), HasSubstr("no kernel of its own"));
}

TEST_F(LaunchCheck, RefusesOtherArguments) {
  list_.work[0].arguments = {std::vector<std::byte>(4)};
  EXPECT_THAT(found(), HasSubstr("other arguments"));
  list_.work[0].arguments.clear();
  EXPECT_THAT(found(), HasSubstr("other arguments"));
}

TEST_F(LaunchCheck, RefusesTheOriginalsKernel) {
  foreign_ = {"mine"};
  EXPECT_THAT(found(), HasSubstr("launches the original's kernel"));
}

TEST_F(LaunchCheck, RefusesAnEarlyStartWithoutAWait) {
  const std::set<std::string> impatient{"mine"}, none;
  const auto fault_with = [&](const std::set<std::string> &kernels) {
    return check_list(list_, {kernels_, &foreign_, writable_, scratch_, true, &kernels});
  };
  EXPECT_FALSE(fault_with(impatient));
  list_.work[0].programmatic = true;
  ASSERT_TRUE(fault_with(impatient));
  EXPECT_THAT(fault_with(impatient)->text, HasSubstr("cudaGridDependencySynchronize"));
  EXPECT_FALSE(fault_with(none));
}

TEST_F(LaunchCheck, RefusesShapesNoDeviceTakes) {
  list_.work[0].block = {2048, 1, 1};
  EXPECT_THAT(found(), HasSubstr("more than any GPU takes"));
  list_.work[0].block = {1, 1, 1};
  list_.work[0].grid = {1, 70'000, 1};
  EXPECT_THAT(found(), HasSubstr("more than any GPU takes"));
}

TEST_F(LaunchCheck, MemsetStaysInOutputsAndScratch) {
  QueuedWork fill;
  fill.kind = QueuedWork::Kind::memset;
  fill.address = 1000, fill.bytes = 100;
  list_.work.push_back(fill);
  EXPECT_EQ(found(), "");
  for (const auto &[address, bytes] : {std::pair<std::uint64_t, std::uint64_t>{999, 10},
                                       {1001, 100},
                                       {5000, 1},
                                       {1000, ~0ull},
                                       {~0ull - 4, 10}}) {
    list_.work[1].address = address, list_.work[1].bytes = bytes;
    EXPECT_THAT(found(), HasSubstr("cudaMemsetAsync")) << address;
  }
  list_.scratch = {16};
  scratch_ = {{5000, 16}};
  list_.work[1].address = 5000, list_.work[1].bytes = 16;
  EXPECT_EQ(found(), "");
}

TEST_F(LaunchCheck, RefusesListsThatDoNothing) {
  list_.work.clear();
  EXPECT_THAT(found(), HasSubstr("launches no kernel"));
  EXPECT_EQ(found(false), "") << "there is nothing to write";
}

TEST_F(LaunchCheck, RefusesDecliningAfterWork) {
  list_.declined = true;
  EXPECT_THAT(found(), HasSubstr("returns false after"));
  list_.work.clear();
  EXPECT_EQ(found(), "");
}

TEST_F(LaunchCheck, PassesComplaintsOn) {
  list_.complaint = "uses another stream";
  EXPECT_EQ(found(), "uses another stream");
}

TEST_F(LaunchCheck, ScratchIsWhatWasPlaced) {
  list_.scratch = {32};
  EXPECT_THAT(found(), HasSubstr("other amounts of scratch"));
  scratch_ = {{9000, 16}};
  EXPECT_THAT(found(), HasSubstr("other amounts of scratch"));
  scratch_ = {{9000, 32}};
  EXPECT_EQ(found(), "");
}

TEST_F(LaunchCheck, AttributesAreOfItsKernels) {
  list_.attributes = {{"mine", 8, 70'000}};
  EXPECT_EQ(found(), "");
  list_.attributes = {{"theirs", 8, 70'000}};
  EXPECT_THAT(found(), HasSubstr("sets attribute"));
  list_.attributes = {{"mine", 2, 1}};
  EXPECT_THAT(found(), HasSubstr("sets attribute"));
}

}  // namespace
}  // namespace cupilot
