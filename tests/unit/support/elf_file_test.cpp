// SPDX-License-Identifier: Apache-2.0
#include "annotate/support/elf_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "annotate/support/files.h"

namespace cupilot {
namespace {

std::string own_file() {
  return read_file("/proc/self/exe").value();
}

ElfFile::Bytes bytes_of(const std::string &text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

/// Everything the reader can be asked for.
void look_at_all(ElfFile::Bytes bytes) {
  const auto file = ElfFile::read(bytes);
  if (!file) return;
  (void)file->segments();
  for (const Elf64_Shdr &section : file->sections()) {
    (void)file->name(section);
    const auto symbols = file->table<Elf64_Sym>(section);
    if (!symbols) continue;
    for (const Elf64_Sym &symbol : *symbols) (void)file->text(section.sh_link, symbol.st_name);
  }
}

TEST(ElfReader, KnowsTheSectionsAndSymbolsOfAProgram) {
  const std::string own = own_file();
  const auto file = ElfFile::read(bytes_of(own));
  ASSERT_TRUE(file);
  EXPECT_FALSE(file->segments()->empty());
  const auto named = [&](std::string_view name) {
    return std::ranges::find_if(file->sections(), [&](const auto &one) { return file->name(one) == name; });
  };
  const auto table = named(".symtab");
  ASSERT_NE(table, file->sections().end());
  const auto symbols = file->table<Elf64_Sym>(*table);
  ASSERT_TRUE(symbols);
  EXPECT_TRUE(std::ranges::any_of(
      *symbols, [&](const auto &one) { return file->text(table->sh_link, one.st_name) == "main"; }));
  ASSERT_NE(named(".bss"), file->sections().end());
  EXPECT_FALSE(file->content(*named(".bss"))) << "it has no bytes in the file";
}

TEST(ElfReader, RefusesOtherFiles) {
  EXPECT_FALSE(ElfFile::read({}));
  std::string own = own_file();
  own[EI_CLASS] = ELFCLASS32;
  EXPECT_FALSE(ElfFile::read(bytes_of(own)));
  EXPECT_FALSE(ElfFile::read(bytes_of(std::string(100, 'x'))));
}

TEST(ElfReader, TakesTheNumberOfSectionsFromTheFirstWhenTheHeadHasNone) {
  std::string own = own_file();
  Elf64_Ehdr head;
  std::memcpy(&head, own.data(), sizeof head);
  const std::uint64_t count = head.e_shnum;
  const std::uint32_t names = head.e_shstrndx;
  head.e_shnum = 0, head.e_shstrndx = SHN_XINDEX;
  std::memcpy(own.data(), &head, sizeof head);
  std::memcpy(own.data() + head.e_shoff + offsetof(Elf64_Shdr, sh_size), &count, sizeof count);
  std::memcpy(own.data() + head.e_shoff + offsetof(Elf64_Shdr, sh_link), &names, sizeof names);
  const auto file = ElfFile::read(bytes_of(own));
  ASSERT_TRUE(file);
  ASSERT_EQ(file->sections().size(), count);
  EXPECT_EQ(file->name(file->sections()[names]), ".shstrtab");
}

TEST(ElfReader, GivesNoTextWithoutAnEndAndNoPartOfATable) {
  const std::string own = own_file();
  const auto file = ElfFile::read(bytes_of(own));
  ASSERT_TRUE(file);
  EXPECT_FALSE(file->text(file->sections().size(), 0));
  EXPECT_FALSE(file->text(file->head().e_shstrndx, ~0ull));
  Elf64_Shdr section = file->sections()[file->head().e_shstrndx];
  section.sh_size = sizeof(Elf64_Sym) + 1;
  EXPECT_FALSE(file->table<Elf64_Sym>(section));
  section.sh_offset = ~0ull - 7, section.sh_size = 48;
  EXPECT_FALSE(file->content(section));
}

TEST(ElfReader, SurvivesDamage) {
  const std::string own = own_file();
  for (std::size_t size = 0; size < own.size(); size += 1 + own.size() / 50)
    look_at_all(bytes_of(own).first(size));
  std::string changed = own;
  for (std::size_t at = 0; at < sizeof(Elf64_Ehdr); ++at) {
    const char before = changed[at];
    changed[at] = static_cast<char>(before ^ 0xff);
    look_at_all(bytes_of(changed));
    changed[at] = before;
  }
}

}  // namespace
}  // namespace cupilot
