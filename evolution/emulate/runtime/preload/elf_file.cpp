// SPDX-License-Identifier: Apache-2.0
//
// Section headers, symbol tables and their strings.

#include "evolution/emulate/runtime/preload/elf_file.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

namespace cupilot::emulate {
namespace {

constexpr std::string_view kRegister = "__cudaRegisterFatBinary";

class Reader {
public:
  explicit Reader(std::span<const std::byte> file) : file_(file) {}

  template <class T>
  std::optional<T> at(std::uint64_t offset) const {
    T value;
    if (offset > file_.size() || sizeof value > file_.size() - offset) return std::nullopt;
    std::memcpy(&value, file_.data() + offset, sizeof value);
    return value;
  }

  /// The zero-ended text at `index` of a string section; empty when there is none.
  std::string_view text(const Elf64_Shdr &strings, std::uint64_t index) const {
    if (strings.sh_offset > file_.size() || strings.sh_size > file_.size() - strings.sh_offset) return {};
    if (index >= strings.sh_size) return {};
    const std::string_view all(reinterpret_cast<const char *>(file_.data()) + strings.sh_offset,
                               strings.sh_size);
    const auto end = all.find('\0', index);
    return end == std::string_view::npos ? std::string_view{} : all.substr(index, end - index);
  }

private:
  std::span<const std::byte> file_;
};

bool is_ours(const Elf64_Ehdr &header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
         header.e_ident[EI_DATA] == ELFDATA2LSB;
}

Result<std::vector<Elf64_Shdr>> read_sections(const Reader &reader, const Elf64_Ehdr &header) {
  std::vector<Elf64_Shdr> sections;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const auto section = reader.at<Elf64_Shdr>(header.e_shoff + std::uint64_t{i} * sizeof(Elf64_Shdr));
    if (!section) return fail("its section headers are cut off");
    sections.push_back(*section);
  }
  return sections;
}

void read_symbols(const Reader &reader, const std::vector<Elf64_Shdr> &sections, const Elf64_Shdr &table,
                  std::span<const std::string_view> prefixes, ElfContent &content) {
  if (table.sh_link >= sections.size()) return;
  const auto &strings = sections[table.sh_link];
  for (std::uint64_t i = 0; i < table.sh_size / sizeof(Elf64_Sym); ++i) {
    const auto symbol = reader.at<Elf64_Sym>(table.sh_offset + i * sizeof(Elf64_Sym));
    if (!symbol) return;
    const auto name = reader.text(strings, symbol->st_name);
    const bool defined = symbol->st_shndx != SHN_UNDEF;
    if (!defined && name == kRegister) content.imports_runtime = true;
    const bool wanted = std::ranges::any_of(prefixes, [&](auto prefix) { return name.starts_with(prefix); });
    if (defined && wanted && table.sh_type == SHT_SYMTAB && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC)
      content.functions.push_back({std::string(name), symbol->st_value, symbol->st_size});
  }
}

}  // namespace

Result<ElfContent> read_elf(std::span<const std::byte> file, std::span<const std::string_view> prefixes) {
  const Reader reader(file);
  const auto header = reader.at<Elf64_Ehdr>(0);
  if (!header || !is_ours(*header)) return fail("it is not an ELF file of this kind of machine");
  CUPILOT_TRY(sections, read_sections(reader, *header));
  ElfContent content;
  for (const auto &section : sections) {
    content.has_symbols |= section.sh_type == SHT_SYMTAB;
    if (header->e_shstrndx < sections.size())
      content.has_device_code |= reader.text(sections[header->e_shstrndx], section.sh_name) == ".nv_fatbin";
    if (section.sh_type == SHT_SYMTAB || section.sh_type == SHT_DYNSYM)
      read_symbols(reader, sections, section, prefixes, content);
  }
  return content;
}

Result<ElfContent> read_elf_file(const std::string &path, std::span<const std::string_view> prefixes) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status{};
  if (file < 0 || fstat(file, &status) != 0 || status.st_size <= 0) {
    if (file >= 0) close(file);
    return fail("it cannot be read");
  }
  const auto bytes = static_cast<std::size_t>(status.st_size);
  void *const mapped = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (mapped == MAP_FAILED) return fail("it cannot be mapped");
  auto content = read_elf({static_cast<const std::byte *>(mapped), bytes}, prefixes);
  munmap(mapped, bytes);
  return content;
}

}  // namespace cupilot::emulate
