// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

#include "evolution/emulate/check/shadow.h"
#include "tests/unit/emulate/check/touching.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::check;
using namespace cupilot::emulate::memory;
namespace {

constexpr std::uint32_t kWarps = 2;

class GlobalShadowTest : public testing::Test {
public:
  void SetUp() override {
    auto made = Memory::make(64 << 20);
    ASSERT_TRUE(made) << made.error().message;
    memory = std::move(*made);
    x = memory->allocate(1 << 16, "'x'").value();
    flag = memory->allocate(4, "'flag'").value();
    launch();
  }
  void launch() {
    a.reset();
    b.reset();
    global.reset();
    global = std::make_unique<GlobalShadow>(*memory, 4, kWarps);
    ASSERT_TRUE(global->available());
    a = std::make_unique<BlockShadow>(global.get(), 1024, kWarps, true, false);
    b = std::make_unique<BlockShadow>(global.get(), 1024, kWarps, true, false);
    a->begin(0);
    b->begin(1);
  }
  bool races(BlockShadow &shadow, Touching how) {
    how.first += x;
    return touch(shadow, how, true).race.has_value();
  }
  bool atomic(BlockShadow &shadow, std::uint32_t warp = 0) {
    return touch(shadow, {.warp = warp, .atomic = true, .mask = 1, .first = flag}, true).race.has_value();
  }
  std::unique_ptr<Memory> memory;
  std::unique_ptr<GlobalShadow> global;
  std::unique_ptr<BlockShadow> a, b;
  std::uint64_t x = 0, flag = 0;
};

TEST_F(GlobalShadowTest, ReadsNeverRace) {
  EXPECT_FALSE(races(*a, {}));
  EXPECT_FALSE(races(*b, {}));
}

TEST_F(GlobalShadowTest, AtomicsOfABlockAreNoneForOthers) {
  const Touching narrow{.atomic = true, .in_block = true, .mask = 1};
  EXPECT_FALSE(races(*a, narrow));
  EXPECT_FALSE(races(*a, {.warp = 1, .atomic = true, .in_block = true, .mask = 1}));
  EXPECT_FALSE(races(*a, {.warp = 1, .atomic = true, .mask = 1})) << "the scope includes both";
  EXPECT_TRUE(races(*b, narrow));
  launch();
  EXPECT_FALSE(races(*a, {.atomic = true, .mask = 1}));
  EXPECT_TRUE(races(*b, narrow)) << "one of the two is enough";
}

TEST_F(GlobalShadowTest, AFenceOfABlockDoesNotOrderForOthers) {
  for (const bool in_block : {false, true}) {
    launch();
    EXPECT_FALSE(races(*a, {.write = true}));
    a->fence(0, in_block);
    EXPECT_FALSE(atomic(*a));
    EXPECT_FALSE(atomic(*b));
    EXPECT_EQ(races(*b, {}), in_block);
  }
}

/// As in a block: a store, __threadfence_block(), and a flag that another warp of it reads.
TEST_F(GlobalShadowTest, AFenceOfABlockOrdersWithinIt) {
  for (const bool fenced : {true, false}) {
    launch();
    EXPECT_FALSE(races(*a, {.write = true}));
    if (fenced) a->fence(0, true);
    EXPECT_FALSE(touch(*a, {.atomic = true, .in_block = true, .mask = 1, .first = flag}, true).race);
    EXPECT_FALSE(
        touch(*a, {.warp = 1, .atomic = true, .in_block = true, .mask = 1, .first = flag}, true).race);
    EXPECT_EQ(races(*a, {.warp = 1}), !fenced);
  }
}

TEST_F(GlobalShadowTest, TheReadOnlyPathDoesNotSeeWrites) {
  EXPECT_FALSE(races(*a, {.read_only = true}));
  EXPECT_FALSE(races(*a, {.write = true})) << "in place: read first";
  const TouchAnswer own = touch(*a, {.read_only = true, .first = x}, true);
  ASSERT_TRUE(own.race) << "not even its own";
  EXPECT_TRUE(own.race->read_only);
  EXPECT_FALSE(races(*a, {}));
  EXPECT_FALSE(races(*a, {.read_only = true, .first = 4096})) << "elsewhere";
  launch();
  EXPECT_FALSE(races(*a, {.read_only = true})) << "of the launch before";
}

TEST_F(GlobalShadowTest, VolatileStoresOfTwoBlocksRace) {
  const std::vector<std::uint32_t> values(32, 5), others(32, 6);
  std::memset(reinterpret_cast<void *>(x), 5, 4096);
  EXPECT_FALSE(races(*a, {.write = true, .weak = false, .values = values.data()}));
  EXPECT_TRUE(races(*b, {.write = true, .weak = false, .values = others.data()})) << "one is lost";
  launch();
  EXPECT_FALSE(races(*a, {.write = true, .weak = false}));
  EXPECT_FALSE(races(*b, {.weak = false})) << "a flag that is waited for";
  EXPECT_TRUE(races(*b, {.weak = false, .exchanged = true})) << "data";
  launch();
  EXPECT_FALSE(races(*a, {.write = true, .weak = false}));
  a->fence(0);
  EXPECT_FALSE(atomic(*a));
  EXPECT_FALSE(atomic(*b));
  EXPECT_FALSE(races(*b, {.weak = false, .exchanged = true})) << "a fence and a ticket order the two";
  EXPECT_FALSE(races(*b, {.write = true, .weak = false}));
}

TEST_F(GlobalShadowTest, BlocksRace) {
  EXPECT_FALSE(races(*a, {.warp = 1, .pc = 7, .write = true}));
  const TouchAnswer answer = touch(*b, {.pc = 9, .first = x}, true);
  ASSERT_TRUE(answer.race);
  EXPECT_EQ(answer.race->earlier.block, 0u);
  EXPECT_EQ(answer.race->earlier.thread, 32u);
  EXPECT_EQ(answer.race->earlier.pc, 7u);
  EXPECT_EQ(answer.race->address, x);
}

TEST_F(GlobalShadowTest, WriteAfterReadOfAnotherBlock) {
  EXPECT_FALSE(races(*a, {}));
  EXPECT_FALSE(races(*b, {}));
  EXPECT_TRUE(races(*b, {.write = true}));
}

TEST_F(GlobalShadowTest, WarpsOfABlockNeedABarrier) {
  EXPECT_FALSE(races(*a, {.warp = 0, .write = true}));
  EXPECT_TRUE(races(*a, {.warp = 1}));
  a->block_barrier();
  EXPECT_FALSE(races(*a, {.warp = 1, .write = true}));
}

TEST_F(GlobalShadowTest, BarrierOfOneBlockMeansNothingToOthers) {
  EXPECT_FALSE(races(*a, {.write = true}));
  a->block_barrier();
  b->block_barrier();
  EXPECT_TRUE(races(*b, {}));
}

TEST_F(GlobalShadowTest, LaunchesAreOrdered) {
  EXPECT_FALSE(races(*a, {.write = true}));
  launch();
  EXPECT_FALSE(races(*b, {}));
  EXPECT_FALSE(races(*b, {.write = true}));
}

TEST_F(GlobalShadowTest, LastBlockReduces) {
  EXPECT_FALSE(races(*a, {.write = true, .mask = 1}));
  a->fence(0);
  EXPECT_FALSE(atomic(*a));
  EXPECT_FALSE(races(*b, {.write = true, .mask = 1, .first = 4}));
  b->fence(0);
  EXPECT_FALSE(atomic(*b));
  b->block_barrier();
  EXPECT_FALSE(races(*b, {.warp = 1}));
}

TEST_F(GlobalShadowTest, LastBlockWithoutFence) {
  EXPECT_FALSE(races(*a, {.write = true, .mask = 1}));
  EXPECT_FALSE(atomic(*a));
  EXPECT_FALSE(atomic(*b));
  b->block_barrier();
  EXPECT_TRUE(races(*b, {.warp = 1}));
}

TEST_F(GlobalShadowTest, ReleaseAndAcquire) {
  EXPECT_FALSE(races(*a, {.write = true}));
  EXPECT_FALSE(
      touch(*a, {.write = true, .weak = false, .release = true, .mask = 1, .first = flag}, true).race);
  EXPECT_FALSE(touch(*b, {.weak = false, .mask = 1, .first = flag}, true).race);
  EXPECT_FALSE(races(*b, {}));
}

TEST_F(GlobalShadowTest, AtomicsOnlyNeverRace) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(races(*a, {.atomic = true, .step = 0}));
    EXPECT_FALSE(races(*b, {.atomic = true, .step = 0}));
  }
  EXPECT_TRUE(races(*b, {.write = true, .mask = 1}));
}

TEST_F(GlobalShadowTest, NeighbouringBytes) {
  EXPECT_FALSE(races(*a, {.write = true, .bytes = 2, .first = 4000, .step = 4}));
  EXPECT_FALSE(races(*b, {.write = true, .bytes = 2, .first = 4002, .step = 4}));
  EXPECT_FALSE(races(*a, {.write = true, .bytes = 1, .first = 8000, .step = 2}));
  EXPECT_FALSE(races(*b, {.write = true, .bytes = 1, .first = 8001, .step = 2}));
  EXPECT_TRUE(races(*b, {.first = 4000}));
  EXPECT_TRUE(races(*a, {.first = 8000}));
}

TEST_F(GlobalShadowTest, WideAccesses) {
  EXPECT_FALSE(races(*a, {.write = true, .bytes = 16, .step = 16}));
  EXPECT_FALSE(races(*a, {.bytes = 16, .step = 16}));
  EXPECT_TRUE(races(*b, {.write = true, .mask = 1, .first = 508}));
  EXPECT_FALSE(races(*b, {.bytes = 8, .first = 512, .step = 8}));
}

TEST_F(GlobalShadowTest, BlocksOnSeveralHostThreads) {
  std::vector<std::thread> threads;
  for (BlockShadow *shadow : {a.get(), b.get()})
    threads.emplace_back([&, shadow] {
      const std::uint64_t own = shadow == a.get() ? 0 : 8192;
      for (std::uint64_t i = 0; i < 20000; ++i) {
        ASSERT_FALSE(races(*shadow, {.write = true, .first = own + i % 32 * 128}));
        ASSERT_FALSE(races(*shadow, {.first = 32768 + i % 32 * 128}));
      }
    });
  for (std::thread &thread : threads) thread.join();
}

TEST_F(GlobalShadowTest, LaunchesAtTheSameTimeDoNotMeet) {
  GlobalShadow other(*memory, 4, kWarps);
  BlockShadow c(&other, 1024, kWarps, true, false);
  c.begin(0);
  EXPECT_FALSE(races(*a, {.write = true}));
  EXPECT_FALSE(races(c, {.write = true}));
  EXPECT_FALSE(races(*a, {}));
}

TEST_F(GlobalShadowTest, MoreThreadsThanNumbersIsSaid) {
  EXPECT_FALSE(GlobalShadow(*memory, std::uint64_t{1} << 31, 32).available());
}

}  // namespace
}  // namespace cupilot::emulate
