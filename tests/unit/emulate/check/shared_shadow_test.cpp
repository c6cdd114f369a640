// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "evolution/emulate/check/shadow.h"
#include "tests/unit/emulate/check/touching.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::check;
using namespace cupilot::emulate::program;
namespace {

class SharedShadow : public testing::Test {
public:
  SharedShadow() : shadow(nullptr, 16384, 8, true, true) { shadow.begin(0); }
  TouchAnswer touch(const Touching &how) { return emulate::touch(shadow, how, false); }
  bool races(const Touching &how) { return touch(how).race.has_value(); }
  BlockShadow shadow;
};

TEST_F(SharedShadow, ReadsNeverRace) {
  EXPECT_FALSE(races({.warp = 0}));
  EXPECT_FALSE(races({.warp = 1}));
  EXPECT_FALSE(races({.warp = 1, .step = 0}));
}

TEST_F(SharedShadow, ReadAfterWriteOfAnotherWarp) {
  EXPECT_FALSE(races({.warp = 0, .pc = 10, .write = true}));
  const TouchAnswer answer = touch({.warp = 1, .pc = 20});
  ASSERT_TRUE(answer.race);
  EXPECT_EQ(answer.race->earlier.thread, 0u);
  EXPECT_EQ(answer.race->earlier.pc, 10u);
  EXPECT_TRUE(answer.race->earlier.write);
  EXPECT_EQ(answer.lane, 0);
  shadow.block_barrier();
  EXPECT_FALSE(races({.warp = 2, .pc = 30}));
}

TEST_F(SharedShadow, WriteAfterReadOfAnotherWarp) {
  EXPECT_FALSE(races({.warp = 0, .pc = 10}));
  const TouchAnswer answer = touch({.warp = 1, .pc = 20, .write = true});
  ASSERT_TRUE(answer.race);
  EXPECT_FALSE(answer.race->earlier.write);
}

TEST_F(SharedShadow, AnyOfSeveralReadersCounts) {
  EXPECT_FALSE(races({.warp = 0, .pc = 10}));
  EXPECT_FALSE(races({.warp = 1, .pc = 11}));
  // The last reader is the writer itself; the one before is not.
  EXPECT_TRUE(races({.warp = 1, .pc = 12, .write = true}));
}

TEST_F(SharedShadow, OwnWordsAreFine) {
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_FALSE(races({.warp = 1, .write = true}));
    EXPECT_FALSE(races({.warp = 1}));
  }
}

TEST_F(SharedShadow, LanesOfAWarpNeedAWarpBarrier) {
  EXPECT_FALSE(races({.warp = 0, .write = true}));
  const TouchAnswer answer = touch({.warp = 0, .mask = 0x7fffffff, .first = 4});
  ASSERT_TRUE(answer.race);
  EXPECT_EQ(answer.race->earlier.thread, 1u);
  shadow.warp_barrier(0, kAll, kAll);
  EXPECT_FALSE(races({.warp = 0, .write = true}));
  shadow.warp_barrier(0, kAll, kAll);
  EXPECT_FALSE(races({.warp = 0, .mask = 0x7fffffff, .first = 4}));
}

TEST_F(SharedShadow, PartOfAWarpSynchronises) {
  EXPECT_FALSE(races({.warp = 0, .write = true}));
  shadow.warp_barrier(0, 0x000000ff, kAll);
  EXPECT_FALSE(races({.warp = 0, .mask = 0x7f, .first = 4}));
  EXPECT_TRUE(races({.warp = 0, .mask = 0x80, .first = 4}));
}

TEST_F(SharedShadow, VolatileAccessesDoNotRaceWithEachOther) {
  EXPECT_FALSE(races({.warp = 0, .write = true, .weak = false}));
  EXPECT_FALSE(races({.warp = 0, .weak = false, .mask = 0x7fffffff, .first = 4}));
  EXPECT_FALSE(races({.warp = 1, .write = true, .weak = false}));
  EXPECT_TRUE(races({.warp = 2}));
}

TEST_F(SharedShadow, AtomicsDoNotRaceWithEachOther) {
  EXPECT_FALSE(races({.warp = 0, .atomic = true, .step = 0}));
  EXPECT_FALSE(races({.warp = 1, .atomic = true, .step = 0}));
  EXPECT_TRUE(races({.warp = 2, .mask = 1}));
}

TEST_F(SharedShadow, NeighbouringBytesDoNotCollide) {
  EXPECT_FALSE(races({.warp = 0, .write = true, .bytes = 1, .first = 0, .step = 2}));
  EXPECT_FALSE(races({.warp = 1, .write = true, .bytes = 1, .first = 1, .step = 2}));
  EXPECT_TRUE(races({.warp = 2, .bytes = 2, .step = 2}));
}

TEST_F(SharedShadow, FinerCellsRememberWhatWideOnesKnew) {
  EXPECT_FALSE(races({.warp = 0, .write = true}));
  EXPECT_TRUE(races({.warp = 1, .bytes = 1, .first = 3, .step = 1}));
}

TEST_F(SharedShadow, WideAccessesTouchAllTheirWords) {
  EXPECT_FALSE(races({.warp = 0, .write = true, .mask = 1, .first = 12}));
  EXPECT_TRUE(races({.warp = 1, .bytes = 16, .step = 16}));
  shadow.block_barrier();
  EXPECT_FALSE(races({.warp = 0, .write = true, .bytes = 16, .step = 16}));
  const TouchAnswer answer = touch({.warp = 1, .mask = 1, .first = 16 * 5 + 8});
  ASSERT_TRUE(answer.race);
  EXPECT_EQ(answer.race->earlier.thread, 5u);
  EXPECT_EQ(answer.race->address, 88u);
}

TEST_F(SharedShadow, SameValueStoredTwiceIsNoRace) {
  std::uint32_t memory[64] = {}, same[32], different[32];
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    same[lane] = 7;
    different[lane] = lane;
  }
  auto *bytes = reinterpret_cast<std::byte *>(memory);
  EXPECT_FALSE(races({.warp = 0, .write = true, .step = 0, .memory = bytes, .values = same}));
  memory[0] = 7;
  EXPECT_FALSE(races({.warp = 1, .write = true, .step = 0, .memory = bytes, .values = same}));
  EXPECT_TRUE(races({.warp = 2, .write = true, .step = 0, .memory = bytes, .values = different}));
}

TEST_F(SharedShadow, DifferentValuesInOneInstructionRace) {
  std::uint32_t memory[64] = {}, values[32] = {};
  values[9] = 1;
  auto *bytes = reinterpret_cast<std::byte *>(memory);
  const TouchAnswer answer =
      touch({.warp = 0, .pc = 5, .write = true, .step = 0, .memory = bytes, .values = values});
  ASSERT_TRUE(answer.race);
  EXPECT_EQ(answer.lane, 9);
  EXPECT_EQ(answer.race->earlier.thread, 8u);
}

TEST_F(SharedShadow, CopyBelongsToNobodyUntilWaitedFor) {
  EXPECT_FALSE(races({.warp = 0, .write = true, .asynchronous = true}));
  const TouchAnswer answer = touch({.warp = 0});
  ASSERT_TRUE(answer.race);
  EXPECT_TRUE(answer.race->asynchronous);
  shadow.async_commit(0, kAll);
  EXPECT_TRUE(races({.warp = 0}));
  shadow.async_wait(0, kAll, 0);
  EXPECT_FALSE(races({.warp = 0}));
  EXPECT_TRUE(races({.warp = 1})) << "others need a barrier, too";
}

TEST_F(SharedShadow, BarrierDoesNotWaitForCopies) {
  EXPECT_FALSE(races({.warp = 0, .write = true, .asynchronous = true}));
  shadow.block_barrier();
  EXPECT_TRUE(races({.warp = 1}));
}

TEST_F(SharedShadow, NewestGroupsStayUnderWay) {
  EXPECT_FALSE(races({.warp = 0, .write = true, .asynchronous = true}));
  shadow.async_commit(0, kAll);
  EXPECT_FALSE(races({.warp = 0, .write = true, .asynchronous = true, .first = 128}));
  shadow.async_commit(0, kAll);
  shadow.async_wait(0, kAll, 1);
  EXPECT_FALSE(races({.warp = 0}));
  EXPECT_TRUE(races({.warp = 0, .first = 128}));
}

TEST_F(SharedShadow, ForgottenCopiesDoNotReachTheNextBlock) {
  EXPECT_FALSE(races({.warp = 0, .write = true, .asynchronous = true}));
  shadow.begin(1);
  EXPECT_FALSE(races({.warp = 1}));
}

TEST_F(SharedShadow, BlocksStartAfresh) {
  EXPECT_FALSE(races({.warp = 0, .write = true}));
  shadow.begin(1);
  EXPECT_FALSE(races({.warp = 1}));
  EXPECT_FALSE(races({.warp = 2}));
}

TEST_F(SharedShadow, LockOfWarpsOrdersWhatItGuards) {
  const auto critical = [&](std::uint32_t warp) {
    EXPECT_FALSE(races({.warp = warp, .atomic = true, .mask = 1, .first = 1024}));
    EXPECT_FALSE(races({.warp = warp, .mask = 1})) << warp;
    EXPECT_FALSE(races({.warp = warp, .write = true, .mask = 1})) << warp;
    shadow.fence(warp);
    EXPECT_FALSE(races({.warp = warp, .atomic = true, .mask = 1, .first = 1024}));
  };
  for (std::uint32_t warp = 0; warp < 4; ++warp) critical(warp);
  EXPECT_TRUE(races({.warp = 5, .mask = 1})) << "without the lock";
}

TEST_F(SharedShadow, KnowsWhatNobodyWrote) {
  std::uint64_t address[kLanes], where = 0;
  for (std::uint64_t lane = 0; lane < kLanes; ++lane) address[lane] = lane * 4;
  EXPECT_EQ(shadow.unwritten_shared(kAll, address, 4, 0, where), 0);
  shadow.write_shared(0x7fffffff, address, 4, 0);
  EXPECT_EQ(shadow.unwritten_shared(0x7fffffff, address, 4, 0, where), -1);
  EXPECT_EQ(shadow.unwritten_shared(kAll, address, 4, 32, where), 31);
  EXPECT_EQ(where, 124u);
  shadow.begin(1);
  EXPECT_EQ(shadow.unwritten_shared(1, address, 4, 0, where), 0);
}

}  // namespace
}  // namespace cupilot::emulate
