// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/launches/moved_addresses.h"

#include <gtest/gtest.h>

#include <cstring>

namespace cupilot {
using namespace judge::launches;
namespace {

std::vector<std::byte> bytes_of(auto value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

std::uint64_t address(const std::vector<std::byte> &bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

constexpr std::uint64_t kX = 0x7f00'0020'1004, kY = 0x7f00'0040'0100, kScratch = 0x7f00'1000'0000;

RecordQuestion question() {
  RecordQuestion question;
  question.arguments = {bytes_of(7),
                        bytes_of(kX),
                        bytes_of(kY),
                        bytes_of(kX),
                        bytes_of(std::uint64_t{0}),
                        bytes_of(std::uint64_t{kX})};
  question.pointers = {1, 2, 3, 4};
  question.scratch = {{kScratch, 100}};
  return question;
}

TEST(MovedAddresses, WhatOverlapsDoesSoElsewhere) {
  RecordQuestion asked;
  asked.arguments = {bytes_of(kX), bytes_of(kX + 4), bytes_of(kY)};
  asked.pointers = {0, 1, 2};
  asked.pointer_bytes = {400, 400, 400};
  for (const Move move : {Move::together, Move::apart, Move::apart_backwards, Move::side_by_side}) {
    const MovedAddresses moved(asked, move, 5);
    const auto &there = moved.question().arguments;
    EXPECT_NE(address(there[0]), kX);
    EXPECT_EQ(address(there[1]) - address(there[0]), 4u);
  }
}

/// What a host side would queue: the addresses, some way on, and a number that only looks like one.
LaunchList answer_to(const RecordQuestion &question) {
  LaunchList list;
  QueuedWork launch;
  launch.arguments = {bytes_of(address(question.arguments[1]) + 64), bytes_of(address(question.arguments[2])),
                      question.arguments[5], bytes_of(std::int32_t{5})};
  QueuedWork fill;
  fill.kind = QueuedWork::Kind::memset;
  fill.address = question.scratch[0].address + 4;
  list.work = {launch, fill};
  return list;
}

TEST(MovedAddresses, KeepAlignmentOverlapAndNull) {
  for (const auto move : {Move::together, Move::apart, Move::apart_backwards})
    for (std::uint64_t chance = 1; chance < 200; ++chance) {
      const MovedAddresses moved(question(), move, chance);
      const auto &there = moved.question();
      const auto x = address(there.arguments[1]), y = address(there.arguments[2]);
      EXPECT_NE(x, kX);
      EXPECT_EQ(x, address(there.arguments[3])) << "one buffer";
      EXPECT_EQ(x % (2 << 20), kX % (2 << 20));
      EXPECT_EQ(y % (2 << 20), kY % (2 << 20));
      EXPECT_EQ(there.scratch[0].address % (2 << 20), kScratch % (2 << 20));
      EXPECT_EQ(address(there.arguments[4]), 0u);
      EXPECT_EQ(address(there.arguments[5]), kX) << "no pointer";
      EXPECT_EQ(there.arguments[0], bytes_of(7));
      if (move == Move::together) {
        EXPECT_EQ(y - x, kY - kX);
      } else {
        EXPECT_GT(std::max(x, y) - std::min(x, y), std::uint64_t{1} << 36);
        EXPECT_EQ(x < y, move == Move::apart);
      }
    }
}

TEST(MovedAddresses, StandSideBySide) {
  auto asked = question();
  asked.pointer_bytes = {1000, 4000, 1000, 0};
  bool below = false, above = false, at_once = false;
  for (std::uint64_t chance = 1; chance < 200; ++chance) {
    const MovedAddresses moved(asked, Move::side_by_side, chance);
    const auto &there = moved.question();
    const auto x = address(there.arguments[1]), y = address(there.arguments[2]);
    EXPECT_EQ(x, address(there.arguments[3])) << "one buffer";
    EXPECT_EQ(x % 256, kX % 256);
    EXPECT_EQ(y % 256, kY % 256);
    EXPECT_EQ(address(there.arguments[4]), 0u);
    EXPECT_TRUE(x + 1000 <= y || y + 4000 <= x) << "they do not overlap";
    EXPECT_LT(std::max(x, y) - std::min(x, y), 20000u);
    below = below || y < x, above = above || x < y;
    at_once = at_once || (x < y && y - x < 1000 + 2 * 256);
  }
  EXPECT_TRUE(below && above && at_once);
  asked.arguments[2] = bytes_of(kX + 400);
  const MovedAddresses moved(asked, Move::side_by_side, 7);
  EXPECT_EQ(address(moved.question().arguments[2]) - address(moved.question().arguments[1]), 400u)
      << "overlap";
}

TEST(MovedAddresses, ArePutBack) {
  for (const auto move : {Move::none, Move::together, Move::apart, Move::apart_backwards, Move::side_by_side})
    for (std::uint64_t chance = 1; chance < 200; ++chance) {
      const MovedAddresses moved(question(), move, chance);
      EXPECT_TRUE(moved.put_back(answer_to(moved.question()), answer_to(question())) ==
                  answer_to(question()));
    }
}

TEST(MovedAddresses, WhatIsMadeOfAnAddressShows) {
  const auto distance = [](const RecordQuestion &asked) {
    LaunchList list = answer_to(asked);
    list.work[0].arguments[3] = bytes_of(address(asked.arguments[2]) - address(asked.arguments[1]));
    return list;
  };
  const MovedAddresses together(question(), Move::together, 3), apart(question(), Move::apart, 3);
  EXPECT_TRUE(together.put_back(distance(together.question()), distance(question())) == distance(question()));
  EXPECT_FALSE(apart.put_back(distance(apart.question()), distance(question())) == distance(question()));
  const auto grid = [](const RecordQuestion &asked) {
    LaunchList list = answer_to(asked);
    list.work[0].grid[0] = static_cast<std::uint32_t>(address(asked.arguments[1]) >> 21);
    return list;
  };
  EXPECT_FALSE(together.put_back(grid(together.question()), grid(question())) == grid(question()));
}

}  // namespace
}  // namespace cupilot
