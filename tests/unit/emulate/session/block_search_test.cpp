// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/session/block_search.h"

#include <gtest/gtest.h>

#include <map>

namespace cupilot::emulate {
using namespace cupilot::emulate::session;
namespace {

constexpr Area kOutput{1 << 20, (1 << 20) + 4096 * 4096, spec::BufferRole::out, 0};

/// A launch whose blocks write where `place` says.
class Blocks {
public:
  using Place = std::function<void(std::uint64_t block, Bytes &written)>;
  explicit Blocks(Place place) : place_(std::move(place)) {}
  const BlockSeen *run(std::uint64_t block) {
    BlockSeen &seen = seen_[block];
    place_(block, seen.written);
    return &seen;
  }
  std::size_t count() const { return seen_.size(); }

private:
  Place place_;
  std::map<std::uint64_t, BlockSeen> seen_;
};

TEST(BytesOfMemory, AreASet) {
  Bytes bytes;
  bytes.add(60, 8);
  bytes.add(1000, 1);
  EXPECT_TRUE(bytes.holds(60, 8));
  EXPECT_TRUE(bytes.holds(63, 2));
  EXPECT_FALSE(bytes.holds(60, 9));
  EXPECT_TRUE(bytes.touches(67, 100));
  EXPECT_FALSE(bytes.touches(68, 100));
  const auto extent = bytes.extent(0, 1 << 20);
  ASSERT_TRUE(extent);
  EXPECT_EQ(extent->first, 60u);
  EXPECT_EQ(extent->second, 1001u);
  EXPECT_FALSE(bytes.extent(2048, 4096));
}

TEST(BlockSearch, FindsTilesOfAMatrix) {
  // 64 x 64 blocks, each a tile of 16 x 16 floats of a matrix of 1024 columns.
  Blocks blocks([](std::uint64_t block, Bytes &written) {
    for (std::uint64_t row = 0; row < 16; ++row)
      written.add(kOutput.begin + ((block / 64 * 16 + row) * 1024 + block % 64 * 16) * 4, 64);
  });
  BlockSearch search({64, 64, 1}, [&](std::uint64_t block) { return blocks.run(block); });
  for (const std::uint64_t wanted : {0ull, 63ull, 64ull, 1234ull, 4095ull}) {
    const std::uint64_t at = kOutput.begin + ((wanted / 64 * 16 + 5) * 1024 + wanted % 64 * 16 + 3) * 4;
    EXPECT_EQ(search.find(kOutput, at, 16), wanted);
  }
  EXPECT_LE(blocks.count(), 8u) << "three to learn, one for each answer";
}

TEST(BlockSearch, FindsRowsOfAGridThatIsOneLine) {
  // Blocks of one row each; every eighth is longer, so that steps differ.
  std::vector<std::uint64_t> starts{kOutput.begin};
  for (std::uint64_t block = 0; block < 1000; ++block)
    starts.push_back(starts.back() + (block % 8 ? 256 : 512));
  Blocks blocks([&](std::uint64_t block, Bytes &written) {
    written.add(starts[block], starts[block + 1] - starts[block]);
  });
  BlockSearch search({1000, 1, 1}, [&](std::uint64_t block) { return blocks.run(block); });
  for (const std::uint64_t wanted : {0ull, 7ull, 8ull, 777ull, 999ull})
    EXPECT_EQ(search.find(kOutput, starts[wanted] + 64, 64), wanted);
}

TEST(BlockSearch, SaysNothingOfWhatNobodyWrites) {
  Blocks blocks([](std::uint64_t block, Bytes &written) {
    written.add(kOutput.begin + (block * 37 % 128) * 64, 32);  // half of each line, in no order
  });
  BlockSearch search({128, 1, 1}, [&](std::uint64_t block) { return blocks.run(block); });
  EXPECT_FALSE(search.find(kOutput, kOutput.begin + 32, 32));
  EXPECT_FALSE(search.find(kOutput, kOutput.begin + 8192, 32));
}

TEST(BlockInQuarter, EveryQuarterHasItsBlocks) {
  for (std::uint64_t drawn = 0; drawn < 100; ++drawn) {
    for (unsigned quarter = 0; quarter < 4; ++quarter) {
      const auto flat = block_in_quarter({10, 6, 1}, quarter, drawn);
      EXPECT_EQ(flat % 10 >= 5, quarter % 2 == 1);
      EXPECT_EQ(flat / 10 >= 3, quarter / 2 == 1);
      const auto line = block_in_quarter({1, 100, 1}, quarter, drawn);
      EXPECT_EQ(line / 25, quarter);
      EXPECT_LT(block_in_quarter({3, 1, 1}, quarter, drawn), 3U);
      EXPECT_LT(block_in_quarter({2, 3, 5}, quarter, drawn), 30U);
    }
  }
  EXPECT_NE(block_in_quarter({10, 6, 1}, 0, 1), block_in_quarter({10, 6, 1}, 0, 2));
}

}  // namespace
}  // namespace cupilot::emulate
