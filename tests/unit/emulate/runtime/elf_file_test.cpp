// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/runtime/preload/elf_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

extern "C" __attribute__((noinline, used)) int elf_file_test_marker() {
  return 1;
}

namespace cupilot::emulate {
using namespace cupilot::emulate::runtime::preload;
namespace {

constexpr std::string_view kPrefix[] = {"elf_file_test_"};

std::string own_file() {
  std::ifstream in("/proc/self/exe", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::span<const std::byte> bytes_of(const std::string &text) {
  return {reinterpret_cast<const std::byte *>(text.data()), text.size()};
}

TEST(ElfFile, FindsFunctionsByPrefix) {
  const auto content = read_elf_file("/proc/self/exe", kPrefix);
  ASSERT_TRUE(content);
  EXPECT_TRUE(content->has_symbols);
  EXPECT_FALSE(content->has_device_code);
  ASSERT_EQ(content->functions.size(), 1u);
  EXPECT_EQ(content->functions[0].name, "elf_file_test_marker");
  EXPECT_GT(content->functions[0].bytes, 0u);
}

TEST(ElfFile, RefusesWhatIsNoElfFile) {
  EXPECT_FALSE(read_elf({}, kPrefix));
  EXPECT_FALSE(read_elf(
      bytes_of("#!/bin/sh\necho hello, this is a script and long enough for a header ......."), kPrefix));
  EXPECT_FALSE(read_elf_file("/nowhere/at/all", kPrefix));
}

TEST(ElfFile, SurvivesDamage) {
  const auto file = own_file();
  for (std::size_t size = 0; size < file.size(); size += 1 + file.size() / 50)
    (void)read_elf(bytes_of(file).first(size), kPrefix);
  auto changed = file;
  for (std::size_t at = 16; at < 64; ++at) {  // the header's numbers
    const char before = changed[at];
    changed[at] = static_cast<char>(before ^ 0xff);
    (void)read_elf(bytes_of(changed), kPrefix);
    changed[at] = before;
  }
}

}  // namespace
}  // namespace cupilot::emulate
