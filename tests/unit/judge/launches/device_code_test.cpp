// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/launches/device_code.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace cupilot {
using namespace judge::launches;
namespace {

using testing::HasSubstr;

void put(std::vector<std::byte> &file, std::size_t at, const void *from, std::size_t bytes) {
  if (file.size() < at + bytes) file.resize(at + bytes);
  std::memcpy(file.data() + at, from, bytes);
}

constexpr char kNames[] = "\0.nv_fatbin\0.shstrtab";
constexpr std::size_t kSectionsAt = 64, kNamesAt = 512, kCodeAt = 1024;

/// Head, three sections, names, a container of 8 bytes behind its head, padding.
std::vector<std::byte> library(std::uint64_t code_bytes = 24 + 8) {
  Elf64_Ehdr head{};
  std::memcpy(head.e_ident, ELFMAG, SELFMAG);
  head.e_ident[EI_CLASS] = ELFCLASS64, head.e_ident[EI_DATA] = ELFDATA2LSB;
  head.e_shoff = kSectionsAt, head.e_shnum = 3, head.e_shentsize = sizeof(Elf64_Shdr), head.e_shstrndx = 2;
  Elf64_Shdr code{}, names{};
  code.sh_name = 1, code.sh_type = SHT_PROGBITS, code.sh_offset = kCodeAt, code.sh_size = code_bytes;
  names.sh_name = 12, names.sh_type = SHT_STRTAB, names.sh_offset = kNamesAt, names.sh_size = sizeof kNames;
  std::vector<std::byte> file(kCodeAt + code_bytes);
  put(file, 0, &head, sizeof head);
  put(file, kSectionsAt + sizeof code, &code, sizeof code);
  put(file, kSectionsAt + 2 * sizeof code, &names, sizeof names);
  put(file, kNamesAt, kNames, sizeof kNames);
  const std::uint32_t magic = 0xba55ed50;
  const std::uint16_t version = 1, head_bytes = 16;
  const std::uint64_t size = 8;
  put(file, kCodeAt, &magic, 4);
  put(file, kCodeAt + 4, &version, 2);
  put(file, kCodeAt + 6, &head_bytes, 2);
  put(file, kCodeAt + 8, &size, 8);
  return file;
}

TEST(DeviceCode, IsFound) {
  const auto code = device_code_in(library());
  ASSERT_TRUE(code) << code.error().message;
  EXPECT_EQ(code->size(), 24u) << "without the padding";
}

TEST(DeviceCode, IsOneContainer) {
  auto file = library();
  file.back() = std::byte{1};
  EXPECT_THAT(device_code_in(file).error().message, HasSubstr("several compilations"));
}

/// Machine code with the symbols `table` (initialised), `zero` (not) and `k` (a function).
std::vector<std::byte> machine_code() {
  constexpr char kSections[] = "\0.nv.global.init\0.nv.global\0.symtab\0.strtab",
                 kSymbols[] = "\0table\0zero\0k";
  constexpr std::size_t kHeadersAt = 64, kStringsAt = 512, kTextAt = 600, kTableAt = 640;
  Elf64_Ehdr head{};
  std::memcpy(head.e_ident, ELFMAG, SELFMAG);
  head.e_ident[EI_CLASS] = ELFCLASS64, head.e_ident[EI_DATA] = ELFDATA2LSB;
  head.e_shoff = kHeadersAt, head.e_shnum = 6, head.e_shentsize = sizeof(Elf64_Shdr), head.e_shstrndx = 5;
  Elf64_Shdr sections[6]{};
  sections[1].sh_name = 1, sections[1].sh_type = SHT_PROGBITS;
  sections[2].sh_name = 17, sections[2].sh_type = SHT_NOBITS;
  sections[3].sh_name = 28, sections[3].sh_type = SHT_SYMTAB, sections[3].sh_offset = kTableAt;
  sections[3].sh_size = 3 * sizeof(Elf64_Sym), sections[3].sh_entsize = sizeof(Elf64_Sym),
  sections[3].sh_link = 4;
  sections[4].sh_type = sections[5].sh_type = SHT_STRTAB;
  sections[4].sh_offset = kTextAt, sections[4].sh_size = sizeof kSymbols;
  sections[5].sh_offset = kStringsAt, sections[5].sh_size = sizeof kSections;
  Elf64_Sym symbols[3]{};
  symbols[0].st_name = 1, symbols[0].st_info = ELF64_ST_INFO(STB_LOCAL, STT_OBJECT), symbols[0].st_shndx = 1;
  symbols[1].st_name = 7, symbols[1].st_info = ELF64_ST_INFO(STB_LOCAL, STT_OBJECT), symbols[1].st_shndx = 2;
  symbols[2].st_name = 12, symbols[2].st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), symbols[2].st_shndx = 1;
  std::vector<std::byte> file;
  put(file, 0, &head, sizeof head);
  put(file, kHeadersAt, sections, sizeof sections);
  put(file, kStringsAt, kSections, sizeof kSections);
  put(file, kTextAt, kSymbols, sizeof kSymbols);
  put(file, kTableAt, symbols, sizeof symbols);
  return file;
}

TEST(DeviceCode, NamesWhatHasAnInitialValue) {
  std::vector<std::byte> container(40, std::byte{7});
  const auto code = machine_code();
  container.insert(container.end(), code.begin(), code.end());
  EXPECT_THAT(initialised_variables(container), testing::ElementsAre("table"));
  container.insert(container.end(), code.begin(), code.end());
  EXPECT_THAT(initialised_variables(container), testing::ElementsAre("table")) << "for two architectures";
  for (std::size_t bytes = 0; bytes < container.size(); bytes += 7)
    (void)initialised_variables(std::span(container).first(bytes));
  EXPECT_TRUE(initialised_variables({}).empty());
}

TEST(DeviceCode, TruncationsAreRefused) {
  const auto file = library(24);
  for (std::size_t size = 0; size < file.size(); ++size)
    EXPECT_FALSE(device_code_in(std::span(file).first(size))) << size;
}

TEST(DeviceCode, FlippedBytesAreRefusedOrHarmless) {
  const auto file = library();
  for (std::size_t at = 0; at < file.size(); ++at) {
    auto damaged = file;
    damaged[at] ^= std::byte{0xff};
    const auto code = device_code_in(damaged);
    EXPECT_TRUE(!code || code->size() <= damaged.size()) << at;
  }
}

TEST(DeviceCode, OtherFilesHaveNone) {
  EXPECT_FALSE(device_code_in({}));
  auto file = library();
  file[kNamesAt + 2] = std::byte{'x'};
  EXPECT_THAT(device_code_in(file).error().message, HasSubstr("no device code"));
  EXPECT_FALSE(device_code_of("/nowhere/entry.so"));
}

TEST(DeviceCode, SymbolsWithoutTheirFile) {
  EXPECT_EQ(symbol_of_any_file("_Z2k2Pf"), "_Z2k2Pf");
  const std::string one = "_ZN36_GLOBAL__N__47d5ad35_4_a_cu_68149f6f2k1EPf";
  const std::string other = "_ZN40_GLOBAL__N__12345678_8_entry_cu_9abcdef02k1EPf";
  EXPECT_EQ(symbol_of_any_file(one), symbol_of_any_file(other));
  EXPECT_NE(symbol_of_any_file(one), symbol_of_any_file("_ZN36_GLOBAL__N__47d5ad35_4_a_cu_68149f6f2k2EPf"));
  EXPECT_EQ(symbol_of_any_file("_ZN3fo136_GLOBAL__N__47d5ad35_4_a_cu_68149f6f2k1EPf"),
            symbol_of_any_file("_ZN3fo140_GLOBAL__N__12345678_8_entry_cu_9abcdef02k1EPf"));
  EXPECT_EQ(symbol_of_any_file("_ZN9_GLOBAL__N__"), "_ZN9_GLOBAL__N__");
}

}  // namespace
}  // namespace cupilot
