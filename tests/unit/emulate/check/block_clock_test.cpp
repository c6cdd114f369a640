// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/check/block_clock.h"

#include <gtest/gtest.h>

#include "tests/unit/emulate/check/touching.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::check;
namespace {

BlockClock started(std::uint32_t warps) {
  BlockClock clock(warps);
  clock.begin(nullptr, 0);
  return clock;
}

TEST(BlockClock, OrdersOneThreadOnly) {
  BlockClock clock = started(2);
  const std::uint32_t now = clock.now();
  EXPECT_TRUE(clock.ordered(0, 3, now, 0, 3));
  EXPECT_FALSE(clock.ordered(0, 3, now, 0, 4));
  EXPECT_FALSE(clock.ordered(0, 3, now, 1, 3));
}

TEST(BlockClock, BlockBarrierOrdersAll) {
  BlockClock clock = started(2);
  const std::uint32_t before = clock.now();
  clock.block_barrier();
  EXPECT_TRUE(clock.ordered(0, 3, before, 1, 7));
  EXPECT_FALSE(clock.ordered(0, 3, clock.now(), 1, 7));
}

TEST(BlockClock, WarpBarrierOrdersItsWarp) {
  BlockClock clock = started(2);
  const std::uint32_t before = clock.now();
  clock.warp_barrier(0, kAll, kAll);
  EXPECT_TRUE(clock.ordered(0, 3, before, 0, 7));
  EXPECT_FALSE(clock.ordered(0, 3, before, 1, 7));
}

TEST(BlockClock, AllLiveLanesAreTheWholeWarp) {
  BlockClock clock = started(1);
  const std::uint32_t before = clock.now();
  clock.warp_barrier(0, 0x0f, 0x0f);
  EXPECT_TRUE(clock.ordered(0, 3, before, 0, 1));
}

TEST(BlockClock, PartOfAWarpOrdersItsMembers) {
  BlockClock clock = started(1);
  const std::uint32_t before = clock.now();
  clock.warp_barrier(0, 0x0f, kAll);
  EXPECT_TRUE(clock.ordered(0, 3, before, 0, 1));
  EXPECT_FALSE(clock.ordered(0, 3, before, 0, 4));
  EXPECT_FALSE(clock.ordered(0, 4, before, 0, 3));
}

TEST(BlockClock, MembersPassOnWhatTheyKnow) {
  BlockClock clock = started(1);
  const std::uint32_t before = clock.now();
  clock.warp_barrier(0, 0x03, kAll);  // 0 and 1
  clock.warp_barrier(0, 0x06, kAll);  // 1 and 2: 2 knows what 0 did
  EXPECT_TRUE(clock.ordered(0, 0, before, 0, 2));
  EXPECT_FALSE(clock.ordered(0, 2, before, 0, 0));
}

TEST(BlockClock, NamedBarrierOrdersItsWarps) {
  BlockClock clock = started(3);
  const std::uint32_t before = clock.now();
  clock.named_barrier({0, 1});
  EXPECT_TRUE(clock.ordered(0, 5, before, 1, 6));
  EXPECT_TRUE(clock.ordered(0, 5, before, 0, 6));
  EXPECT_FALSE(clock.ordered(0, 5, before, 2, 6));
  clock.named_barrier({1, 2});
  EXPECT_TRUE(clock.ordered(0, 5, before, 2, 6));
}

TEST(BlockClock, FenceAndFlagOrderWarps) {
  BlockClock clock = started(2);
  const std::uint32_t before = clock.now();
  clock.fence(0);
  clock.strong_write(0);
  EXPECT_FALSE(clock.ordered(0, 0, before, 1, 0)) << "nothing was read yet";
  clock.strong_read(1);
  EXPECT_TRUE(clock.ordered(0, 0, before, 1, 0));
  EXPECT_FALSE(clock.ordered(0, 0, clock.now(), 1, 0)) << "after the fence";
}

TEST(BlockClock, FlagWithoutFenceOrdersNothing) {
  BlockClock clock = started(2);
  const std::uint32_t before = clock.now();
  clock.strong_write(0);
  clock.strong_read(1);
  EXPECT_FALSE(clock.ordered(0, 0, before, 1, 0));
}

TEST(BlockClock, OtherBlocksNeedFenceFlagAndAcquire) {
  Publication publication(2, 1);
  BlockClock writer(1), reader(1);
  writer.begin(&publication, 0);
  reader.begin(&publication, 1);
  const std::uint32_t before = writer.now();
  reader.strong_read(0);
  EXPECT_FALSE(reader.acquired(0, 0, before, 0));
  writer.fence(0);
  writer.strong_write(0);
  EXPECT_FALSE(reader.acquired(0, 0, before, 0)) << "read the flag too early";
  reader.strong_read(0);
  EXPECT_TRUE(reader.acquired(0, 0, before, 0));
}

TEST(BlockClock, OneThreadPublishesForItsBlock) {
  Publication publication(2, 2);
  BlockClock writer(2), reader(2);
  writer.begin(&publication, 0);
  reader.begin(&publication, 1);
  const std::uint32_t of_warp_1 = writer.now();
  writer.block_barrier();
  writer.fence(0);
  writer.strong_write(0);
  reader.strong_read(0);
  EXPECT_TRUE(reader.acquired(0, 1, of_warp_1, 0));
  EXPECT_FALSE(reader.acquired(0, 1, of_warp_1, 1)) << "the other warp has not met the one that read";
  reader.block_barrier();
  EXPECT_TRUE(reader.acquired(0, 1, of_warp_1, 1));
}

TEST(BlockClock, EachThreadsFenceBeforeTheBarrierIsEnough) {
  Publication publication(2, 2);
  BlockClock writer(2), reader(2);
  writer.begin(&publication, 0);
  reader.begin(&publication, 1);
  const std::uint32_t of_warp_1 = writer.now();
  writer.fence(0);
  writer.fence(1);
  writer.block_barrier();
  writer.strong_write(0);
  reader.strong_read(0);
  EXPECT_TRUE(reader.acquired(0, 1, of_warp_1, 0));
}

TEST(BlockClock, WithoutBarrierOnlyTheOwnWarpIsPublished) {
  Publication publication(2, 2);
  BlockClock writer(2), reader(2);
  writer.begin(&publication, 0);
  reader.begin(&publication, 1);
  const std::uint32_t before = writer.now();
  writer.fence(0);
  writer.strong_write(0);
  reader.strong_read(0);
  EXPECT_TRUE(reader.acquired(0, 0, before, 0));
  EXPECT_FALSE(reader.acquired(0, 1, before, 0));
}

TEST(BlockClock, TimeGoesOnFromBlockToBlock) {
  BlockClock clock = started(1);
  const std::uint32_t before = clock.now();
  clock.begin(nullptr, 1);
  EXPECT_GT(clock.floor(), before);
}

}  // namespace
}  // namespace cupilot::emulate
