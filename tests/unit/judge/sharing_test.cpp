// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/time/sharing.h"

#include <gmock/gmock.h>

#include <vector>

namespace cupilot {
using namespace judge::time;
namespace {

using testing::HasSubstr;

/// A hundred launches of 50 us each, for which the device was busy `factor` times as long.
BatchTimes busy(double factor) {
  return {5000, 5000 * factor, 100, 50};
}
Look look(double original, double candidate, DeviceUse use = {}) {
  return {busy(original), busy(candidate), use};
}
/// A fake session: takes looks until there is an answer, and counts them.
struct FakeSession {
  std::vector<Look> given, taken;
  StreamAnswer run() {
    StreamAnswer answer = StreamAnswer::look_again;
    while (answer == StreamAnswer::look_again) {
      taken.push_back(given[std::min(taken.size(), given.size() - 1)]);
      answer = judge_looks(taken);
    }
    return answer;
  }
};

TEST(Sharing, AQuietLookIsEnough) {
  FakeSession session{{look(1, 1)}, {}};
  EXPECT_EQ(session.run(), StreamAnswer::on_its_stream);
  EXPECT_EQ(session.taken.size(), 1u);
}

TEST(Sharing, WorkOutsideTheStreamIsRejectedWhenTheOriginalHasNoGapRepeatedly) {
  FakeSession session{{look(1, 3)}, {}};
  EXPECT_EQ(session.run(), StreamAnswer::outside);
  EXPECT_EQ(session.taken.size(), static_cast<std::size_t>(kAgreeing));
  EXPECT_EQ(outside_text(session.taken),
            "the device was busy for 15000.00 us, the stream of the launch for 5000.00 us: work runs outside "
            "l.stream");
}

TEST(Sharing, LongBatchesAreASignToo) {
  const BatchTimes batch{5000, 7200, 100, 50};  // 70 us a launch, 50 on its held stream
  EXPECT_THAT(work_beside_stream(batch), HasSubstr("a launch takes 70.00 us of the device's time"));
  BatchTimes restored = batch;
  restored.launches = 0;
  EXPECT_EQ(work_beside_stream(restored), "");
}

TEST(Sharing, TheOriginalHasTheSameGapOnASharedDevice) {
  FakeSession session{{look(3, 3)}, {}};
  EXPECT_EQ(session.run(), StreamAnswer::shared);
  EXPECT_EQ(session.taken.size(), static_cast<std::size_t>(kMostLooks));
  EXPECT_THAT(sharing_text(session.taken), HasSubstr("the device is shared: in 7 of 7 looks"));
}

TEST(Sharing, ADeviceThatOthersKeepBusyRejectsNobody) {
  FakeSession session{{look(1, 3), look(1, 3, {true, 4, 60})}, {}};
  EXPECT_EQ(session.run(), StreamAnswer::shared);
  EXPECT_THAT(sharing_text(session.taken), HasSubstr("60 % in the last, 4 processes"));
}

TEST(Sharing, OthersThatGoLeaveTheCandidateClear) {
  FakeSession session{{look(3, 3), look(1, 3), look(3, 1), look(1, 1)}, {}};
  EXPECT_EQ(session.run(), StreamAnswer::on_its_stream);
  EXPECT_EQ(session.taken.size(), 5u);
}

TEST(Sharing, OthersThatGoDoNotHideACandidateThatWorksOutside) {
  FakeSession session{{look(3, 3), look(3, 3), look(1, 3)}, {}};
  EXPECT_EQ(session.run(), StreamAnswer::outside);
}

TEST(Sharing, BurstsOfOthersThatFallOnTheCandidateAloneRejectNobody) {
  // Three looks of seven speak against it, but not in a row.
  FakeSession session{{look(1, 1.6), look(3, 3), look(1, 1.6), look(3, 1.6), look(1, 1.6), look(3, 3)}, {}};
  EXPECT_EQ(session.run(), StreamAnswer::shared);
  const DeviceUse crowded{true, 34, 0};
  FakeSession three{{look(1, 3, crowded), look(1, 3, crowded), look(1, 3, crowded), look(3, 3, crowded)}, {}};
  EXPECT_EQ(three.run(), StreamAnswer::shared);
}

TEST(Sharing, AmongOthersFiveLooksInARowReject) {
  FakeSession session{{look(1, 3, {true, 34, 0})}, {}};
  EXPECT_EQ(session.run(), StreamAnswer::outside);
  EXPECT_EQ(session.taken.size(), static_cast<std::size_t>(kAgreeingAmongOthers));
}

TEST(Sharing, LooksThatDisagreeToTheEndRejectNobody) {
  FakeSession session{{look(1, 3), look(1, 1), look(1, 3), look(1, 1), look(1, 3), look(3, 3)}, {}};
  EXPECT_EQ(session.run(), StreamAnswer::shared);
}

TEST(Sharing, AQuietDeviceByTheDriverIsNoExcuse) {
  FakeSession session{{look(1, 3), look(1, 3, {true, 3, 2})}, {}};
  EXPECT_EQ(session.run(), StreamAnswer::outside);
}

}  // namespace
}  // namespace cupilot
