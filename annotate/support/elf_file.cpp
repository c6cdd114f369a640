// SPDX-License-Identifier: Apache-2.0
#include "annotate/support/elf_file.h"

namespace cupilot {

Result<ElfFile> ElfFile::read(Bytes file) {
  ElfFile read(file);
  const auto head = read.bytes(0, sizeof(Elf64_Ehdr));
  if (!head) return fail("it is not a 64-bit ELF file");
  std::memcpy(&read.head_, head->data(), sizeof(Elf64_Ehdr));
  const auto &identity = read.head_.e_ident;
  if (std::memcmp(identity, ELFMAG, SELFMAG) != 0 || identity[EI_CLASS] != ELFCLASS64 ||
      identity[EI_DATA] != ELFDATA2LSB)
    return fail("it is not a 64-bit ELF file");
  CUPILOT_CHECKED(read.read_sections());
  return read;
}

Result<> ElfFile::read_sections() {
  std::uint64_t count = head_.e_shnum;
  names_ = head_.e_shstrndx;
  if (head_.e_shoff == 0 && count == 0) return {};
  if (head_.e_shentsize != sizeof(Elf64_Shdr)) return fail("it is not a 64-bit ELF file");
  // Numbers that do not fit into the ELF header are stored in the first section header.
  const auto first_bytes = bytes(head_.e_shoff, sizeof(Elf64_Shdr));
  if (!first_bytes) return fail("its section headers are cut off");
  const Elf64_Shdr first = entries<Elf64_Shdr>(*first_bytes).value().front();
  if (count == 0) count = first.sh_size;
  if (names_ == SHN_XINDEX) names_ = first.sh_link;
  if (count > file_.size() / sizeof(Elf64_Shdr)) return fail("its section headers are cut off");
  const auto all = bytes(head_.e_shoff, count * sizeof(Elf64_Shdr));
  if (!all) return fail("its section headers are cut off");
  sections_ = entries<Elf64_Shdr>(*all).value();
  return {};
}

std::optional<ElfFile::Bytes> ElfFile::bytes(std::uint64_t offset, std::uint64_t size) const {
  if (offset > file_.size() || size > file_.size() - offset) return std::nullopt;
  return file_.subspan(offset, size);
}

std::optional<ElfFile::Bytes> ElfFile::content(const Elf64_Shdr &section) const {
  if (section.sh_type == SHT_NOBITS) return std::nullopt;
  return bytes(section.sh_offset, section.sh_size);
}

std::optional<std::string_view> ElfFile::text(std::uint64_t strings, std::uint64_t offset) const {
  if (strings >= sections_.size()) return std::nullopt;
  const auto found = content(sections_[strings]);
  if (!found || offset >= found->size()) return std::nullopt;
  const Bytes rest = found->subspan(offset);
  const std::string_view text(reinterpret_cast<const char *>(rest.data()), rest.size());
  const auto end = text.find('\0');
  if (end == std::string_view::npos) return std::nullopt;
  return text.substr(0, end);
}

std::optional<std::string_view> ElfFile::name(const Elf64_Shdr &section) const {
  return text(names_, section.sh_name);
}

std::optional<std::vector<Elf64_Phdr>> ElfFile::segments() const {
  if (head_.e_phnum == 0) return std::vector<Elf64_Phdr>();
  if (head_.e_phentsize != sizeof(Elf64_Phdr)) return std::nullopt;
  const auto all = bytes(head_.e_phoff, head_.e_phnum * sizeof(Elf64_Phdr));
  if (!all) return std::nullopt;
  return entries<Elf64_Phdr>(*all);
}

}  // namespace cupilot
