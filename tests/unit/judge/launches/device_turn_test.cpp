// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/launches/device_turn.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <future>
#include <thread>

namespace cupilot::judge::launches {
namespace {

using Use = DeviceTurn::Use;

/// A device of this test's own, whose file is removed with it.
class DeviceTurnTest : public testing::Test {
protected:
  ~DeviceTurnTest() override { std::filesystem::remove(file_); }
  DeviceTurn take(Use use) const { return DeviceTurn::take(device_, use); }
  /// For another process; a thread of this one stands for it.
  bool is_free(Use use) const {
    return std::async(std::launch::async,
                      [&] { return DeviceTurn::take(device_, use, std::chrono::seconds(0)).held(); })
        .get();
  }
  const std::string device_ = "test" + std::to_string(::getpid());
  const std::string file_ = "/tmp/cupilot-device-" + device_ + ".lock";
};

TEST_F(DeviceTurnTest, ThoseBesideEachOtherDoNotWait) {
  const auto first = take(Use::beside);
  EXPECT_TRUE(first.held());
  EXPECT_TRUE(is_free(Use::beside));
  EXPECT_FALSE(is_free(Use::alone));
}

TEST_F(DeviceTurnTest, WhoMeasuresIsAlone) {
  auto alone = take(Use::alone);
  EXPECT_FALSE(is_free(Use::beside));
  EXPECT_FALSE(is_free(Use::alone));
  alone = DeviceTurn();
  EXPECT_TRUE(is_free(Use::alone));
}

TEST_F(DeviceTurnTest, WhoWaitsToMeasureGoesBeforeThoseThatComeLater) {
  auto first = take(Use::beside);
  std::atomic<bool> measured = false;
  std::jthread measurer([&] {
    const auto alone = take(Use::alone);
    EXPECT_TRUE(alone.held());
    EXPECT_GT(alone.waited().count(), 0);
    measured = true;
  });
  while (is_free(Use::beside)) std::this_thread::yield();  // until the measurer waits
  EXPECT_FALSE(measured);
  first = DeviceTurn();
  EXPECT_TRUE(take(Use::beside).held());
  EXPECT_TRUE(measured);
}

TEST_F(DeviceTurnTest, AThreadThatHasATurnDoesNotWaitForAnother) {
  auto first = take(Use::beside);
  std::jthread measurer([&] { EXPECT_TRUE(take(Use::alone).held()); });
  while (is_free(Use::beside)) std::this_thread::yield();
  EXPECT_FALSE(take(Use::beside).held());
  first = DeviceTurn();
}

TEST_F(DeviceTurnTest, AProcessThatDiesGivesItsTurnUp) {
  const pid_t child = ::fork();
  if (child == 0) {
    const auto alone = take(Use::alone);
    ::raise(SIGKILL);
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_TRUE(is_free(Use::alone));
}

TEST_F(DeviceTurnTest, OnlyARegularFileIsLocked) {
  std::filesystem::create_symlink("/dev/null", file_);
  EXPECT_FALSE(is_free(Use::alone));
}

TEST(DeviceTurn, NobodyWaitsForAnEmulatedDevice) {
  const auto first = DeviceTurn::take("", Use::alone), second = DeviceTurn::take("", Use::alone);
  EXPECT_FALSE(first.held() || second.held());
}

}  // namespace
}  // namespace cupilot::judge::launches
