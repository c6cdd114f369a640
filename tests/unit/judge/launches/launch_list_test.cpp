// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/launches/launch_list.h"

#include <gtest/gtest.h>

#include "evolution/judge/launches/host_trace_fields.h"
#include "evolution/judge/launches/recorder_protocol.h"

namespace cupilot {
using namespace judge::launches;
namespace {

LaunchList full_list() {
  LaunchList list;
  list.error = -7;
  list.complaint = "says something";
  list.scratch = {1000, 24};
  list.attributes = {{"_Z1kPf", 8, 100'000}};
  QueuedWork launch;
  launch.kernel = "_Z1kPf";
  launch.grid = {7, 2, 1};
  launch.block = {128, 1, 2};
  launch.shared_bytes = 4096;
  launch.arguments = {{std::byte{1}, std::byte{2}}, {}, {std::byte{3}}};
  launch.cluster = {2, 1, 1};
  launch.cooperative = true;
  QueuedWork fill;
  fill.kind = QueuedWork::Kind::memset;
  fill.address = 0x7f00'0000'1000, fill.bytes = 64, fill.value = 0xff;
  list.work = {launch, fill};
  return list;
}

TEST(LaunchList, GoesThere) {
  for (const LaunchList &list : {LaunchList{}, full_list()}) {
    const auto read = launch_list_from(to_bytes(list));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, list);
  }
}

TEST(LaunchList, EveryTruncationIsRefused) {
  const auto bytes = to_bytes(full_list());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(launch_list_from(std::span(bytes).first(size))) << size;
  auto longer = bytes;
  longer.push_back(std::byte{0});
  EXPECT_FALSE(launch_list_from(longer));
}

TEST(LaunchList, EveryFlippedBitIsRefused) {
  const auto bytes = to_bytes(full_list());
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      auto damaged = bytes;
      damaged[at] ^= static_cast<std::byte>(1 << bit);
      EXPECT_FALSE(launch_list_from(damaged)) << at << "/" << bit;
    }
}

/// As a forger would: damaged inside, with a checksum that is right.
TEST(LaunchList, AnswersAreReadStrictly) {
  const RecorderAnswer answer{RecorderAnswer::What::list, full_list(), {}};
  const auto bytes = to_bytes(answer);
  const auto read = answer_from(bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->list, answer.list);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(answer_from(std::span(bytes).first(size))) << size;
  EXPECT_FALSE(answer_from(std::vector<std::byte>(9, std::byte{0xff})));
}

TEST(RecorderQuestions, GoThere) {
  RecordQuestion asked;
  asked.grid = {9, 8, 7};
  asked.arguments = {{std::byte{1}}, {std::byte{2}, std::byte{3}}};
  asked.scratch = {{4096, 100}};
  asked.scratch_most = 1 << 30;
  const auto bytes = to_bytes(asked);
  const auto read = question_from(bytes);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->what, RecorderQuestion::What::record);
  EXPECT_EQ(read->record.grid, asked.grid);
  EXPECT_EQ(read->record.arguments, asked.arguments);
  EXPECT_EQ(read->record.scratch, asked.scratch);
  EXPECT_EQ(to_bytes(read->record), bytes);
  const LoadQuestion load{"/x/entry.so", {{"k", {8, 4}, 40, 16, 0, 0, 512}}, {{{16, 132}}}};
  const auto loaded = question_from(to_bytes(load));
  ASSERT_TRUE(loaded);
  EXPECT_EQ(to_bytes(loaded->load), to_bytes(load));
  EXPECT_FALSE(question_from({}));
}

TEST(LaunchList, OpenBytesOfArgumentsAreNoOtherShape) {
  LaunchList other = full_list();
  other.work[0].arguments[0][1] = std::byte{9};
  EXPECT_TRUE(same_shape(full_list(), other));
  other.work[0].grid[0] = 8;
  EXPECT_FALSE(same_shape(full_list(), other));
}

template <class... T>
LaunchList list_with(T... values) {
  LaunchList list;
  list.work.emplace_back();
  const auto add = [&](auto value) {
    const auto *bytes = reinterpret_cast<const std::byte *>(&value);
    list.work[0].arguments.emplace_back(bytes, bytes + sizeof value);
  };
  (add(values), ...);
  return list;
}

TEST(LaunchList, RoundingMovesFloatingArgumentsALittle) {
  const float third = 1.0f / 3, above = std::nextafter(third, 1.0f);
  const double seventh = 1.0 / 7, beyond = std::nextafter(seventh, 1.0);
  EXPECT_TRUE(same_but_for_rounding(list_with(4096, third, seventh), list_with(4096, above, beyond)));
  EXPECT_FALSE(same_but_for_rounding(list_with(4096, third), list_with(4096, third * 1.001f)));
  EXPECT_FALSE(same_but_for_rounding(list_with(4096, third), list_with(4095, third)));
  struct Pair {
    int n;
    float factor;
  };
  EXPECT_FALSE(same_but_for_rounding(list_with(Pair{4096, third}), list_with(Pair{4095, third})));
  EXPECT_TRUE(same_but_for_rounding(list_with(Pair{4096, third}), list_with(Pair{4096, above})));
  EXPECT_FALSE(same_but_for_rounding(list_with(std::uint64_t{0x7f00'1234'5600}),
                                     list_with(std::uint64_t{0x7f00'1234'5604})));
  LaunchList other = list_with(third);
  other.work[0].grid[0] = 2;
  EXPECT_FALSE(same_but_for_rounding(list_with(third), other));
}

TEST(RecorderAnswers, TracesGoThereAndDamagedOnesAreRefused) {
  RecorderAnswer answer{RecorderAnswer::What::trace, {}, {}, {}};
  answer.trace.steps = {{0, 0x3106}, {0x3106, 0x31c9}};
  HostComparison real{.site = 7, .bytes = 8, .real = true, .less = true, .right_fixed = false};
  real.real_left = -0.5;
  answer.trace.comparisons = {{.site = 5, .bytes = 4, .constant = true, .equal = true, .left = -160}, real};
  answer.trace.switches = {{9, {{1, true}, {-2, false}}}};
  answer.trace.unknown = "why";
  const std::vector<std::byte> bytes = to_bytes(answer);
  const auto back = answer_from(bytes);
  ASSERT_TRUE(back);
  EXPECT_TRUE(back->trace == answer.trace);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(answer_from(std::span(bytes).first(size))) << size;
  EXPECT_EQ(question_from(trace_question())->what, RecorderQuestion::What::trace);
}

}  // namespace
}  // namespace cupilot
