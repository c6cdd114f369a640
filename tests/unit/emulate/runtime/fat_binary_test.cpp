// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/runtime/fat_binary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/emulate/runtime/made_fat_binary.h"

namespace cupilot::emulate::test {
using namespace cupilot::emulate::runtime;
namespace {

using testing::HasSubstr;

std::string long_text() {
  std::string text = ".version 9.0\n.target sm_90\n";
  for (int i = 0; i < 500; ++i) text += "// line " + std::to_string(i) + "\n";
  return text;
}

TEST(FatBinary, ReadsEntriesOfEveryPacking) {
  for (const auto packing : {Packing::none, Packing::lz4, Packing::zstd}) {
    const auto container =
        make_container({{2, 90, "machine code", Packing::none}, {1, 80, long_text(), packing}});
    const auto entries = read_container(bytes_of(container));
    ASSERT_TRUE(entries) << entries.error().message;
    ASSERT_EQ(entries->size(), 2u);
    EXPECT_EQ((*entries)[0].kind, FatKind::machine_code);
    EXPECT_EQ((*entries)[1].kind, FatKind::ptx);
    EXPECT_EQ((*entries)[1].architecture, 80u);
    const auto text = ptx_text((*entries)[1]);
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_EQ(*text, long_text());
  }
}

TEST(FatBinary, ReadsNoFurtherThanItsOwnSize) {
  const auto container = make_container({{1, 90, "x", Packing::none}}) + "something behind it";
  EXPECT_EQ(read_container(bytes_of(container))->size(), 1u);
}

TEST(FatBinary, TakesTheNewestPtxNotAboveTheArchitecture) {
  const auto container =
      make_container({{1, 70, "seventy"}, {2, 90, "code"}, {1, 86, "eighty-six"}, {1, 100, "new"}});
  const auto entries = read_container(bytes_of(container));
  EXPECT_EQ(*ptx_text(*choose_ptx(*entries, 90)), "eighty-six");
  EXPECT_EQ(*ptx_text(*choose_ptx(*entries, 80)), "seventy");
  EXPECT_EQ(*ptx_text(*choose_ptx(*entries, 120)), "new");
}

TEST(FatBinary, NamesTheFlagThatIsMissing) {
  const auto only_code = make_container({{2, 80, "code"}, {2, 90, "code"}});
  const auto none = choose_ptx(*read_container(bytes_of(only_code)), 90);
  EXPECT_THAT(none.error().message, HasSubstr("machine code for sm_80, sm_90 only"));
  EXPECT_THAT(none.error().message, HasSubstr("-gencode arch=compute_90,code=compute_90"));
  const auto too_new = make_container({{1, 100, "new"}});
  EXPECT_THAT(choose_ptx(*read_container(bytes_of(too_new)), 90).error().message,
              HasSubstr("newer than the emulated sm_90"));
}

TEST(FatBinary, RefusesEveryShorteningOfAContainer) {
  const auto container = make_container({{1, 90, long_text(), Packing::lz4}, {2, 90, "code"}});
  for (std::size_t size = 0; size < container.size(); ++size) {
    const std::string part = container.substr(0, size);
    const auto entries = read_container(bytes_of(part));
    ASSERT_FALSE(entries) << size;
    EXPECT_THAT(entries.error().message, HasSubstr("fat binary is damaged"));
  }
}

TEST(FatBinary, SurvivesEveryChangedByte) {
  for (const auto packing : {Packing::none, Packing::lz4, Packing::zstd}) {
    const auto container = make_container({{1, 90, long_text(), packing}});
    for (std::size_t at = 0; at < std::min<std::size_t>(container.size(), 400); ++at)
      for (const int bits : {0x01, 0x80, 0xff}) {
        auto changed = container;
        changed[at] = static_cast<char>(changed[at] ^ bits);
        const auto entries = read_container(bytes_of(changed));
        if (!entries) continue;
        for (const auto &entry : *entries) (void)unpack(entry);
      }
  }
}

TEST(FatBinary, KnowsHowFarMemoryCanBeRead) {
  static const char here[100] = "x";
  EXPECT_GE(readable_bytes(here), sizeof here);
  EXPECT_EQ(readable_bytes(nullptr), 0u);
  EXPECT_EQ(readable_bytes(reinterpret_cast<const void *>(16)), 0u);
}

}  // namespace
}  // namespace cupilot::emulate::test
