// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/estimate/requests.h"

#include <gtest/gtest.h>

#include <array>

namespace cupilot::emulate::estimation {
using namespace cupilot::emulate::estimate;
using namespace cupilot::emulate::machine;
using namespace cupilot::emulate::program;
namespace {

struct Seen {
  std::array<std::uint64_t, kLanes> address{};
  AccessSeen access;
};

/// Lane l at first + l * stride.
Seen seen(std::uint64_t first, std::uint64_t stride, std::uint8_t bytes = 4, Mask mask = ~0u) {
  Seen made;
  for (unsigned lane = 0; lane < kLanes; ++lane) made.address[lane] = first + lane * stride;
  made.access.bytes = bytes;
  made.access.mask = mask;
  return made;
}
AccessSeen &bound(Seen &made) {
  made.access.address = made.address.data();
  return made.access;
}

struct Place {
  std::uint64_t first, stride;
  std::uint8_t bytes;
  unsigned sectors, lines;
};
class Sectors : public testing::TestWithParam<Place> {};

TEST_P(Sectors, AndLines) {
  const Place place = GetParam();
  Seen made = seen(place.first, place.stride, place.bytes);
  std::vector<std::uint64_t> sectors{7};
  const unsigned count = append_sectors(bound(made), sectors);
  EXPECT_EQ(count, place.sectors);
  EXPECT_EQ(sectors.size(), place.sectors + 1u);
  EXPECT_EQ(count_lines(sectors.data() + 1, count), place.lines);
}
INSTANTIATE_TEST_SUITE_P(Shapes, Sectors,
                         testing::Values(Place{4096, 4, 4, 4, 1}, Place{4096, 16, 16, 16, 4},
                                         Place{4096, 0, 4, 1, 1}, Place{4096, 128, 4, 32, 32},
                                         Place{4100, 4, 4, 5, 2}, Place{4096, 1, 1, 1, 1},
                                         Place{4096, 8, 4, 8, 2}, Place{4096, 32, 16, 32, 8}));

TEST(Requests, LanesThatAreOffAskForNothing) {
  Seen made = seen(4096, 128, 4, 0x3);
  std::vector<std::uint64_t> sectors;
  EXPECT_EQ(append_sectors(bound(made), sectors), 2u);
}

TEST(SharedCost, CountsBankConflicts) {
  for (const auto &[stride, passes] :
       {std::pair{0u, 1u}, {4u, 1u}, {8u, 2u}, {16u, 4u}, {128u, 32u}, {132u, 1u}}) {
    Seen made = seen(0, stride);
    EXPECT_EQ(shared_cost(bound(made)).wavefronts, passes) << stride;
  }
}

TEST(SharedCost, WideAccessesGoInParts) {
  Seen pairs = seen(0, 8, 8), fours = seen(0, 16, 16), same = seen(0, 0, 16);
  EXPECT_EQ(shared_cost(bound(pairs)).wavefronts, 2u);
  EXPECT_EQ(shared_cost(bound(fours)).wavefronts, 4u);
  EXPECT_EQ(shared_cost(bound(same)).wavefronts, 1u);
}

TEST(L1, BanksAndLookUpsLimit) {
  Seen one_bank = seen(0, 128), all_banks = seen(0, 132);
  EXPECT_EQ(l1_wavefronts(bound(one_bank), 32), 32u);
  EXPECT_EQ(l1_wavefronts(bound(all_banks), 33), 9u);  // as measured
}

TEST(Contention, FindsTheBusiestAddress) {
  Seen made = seen(4096, 4);
  for (unsigned lane = 0; lane < 10; ++lane) made.address[lane] = 8192;
  const Contention found = contention(bound(made));
  EXPECT_EQ(found.address, 8192u);
  EXPECT_EQ(found.lanes, 10u);
  EXPECT_EQ(found.distinct, 23u);
}

}  // namespace
}  // namespace cupilot::emulate::estimation
