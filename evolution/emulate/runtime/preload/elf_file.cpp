// SPDX-License-Identifier: Apache-2.0
//
// Symbol tables and the names of sections.

#include "evolution/emulate/runtime/preload/elf_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "annotate/support/elf_file.h"

namespace cupilot::emulate::runtime::preload {
namespace {

constexpr std::string_view kRegister = "__cudaRegisterFatBinary";

void read_symbols(const ElfFile &file, const Elf64_Shdr &table, std::span<const std::string_view> prefixes,
                  ElfContent &content) {
  const auto symbols = file.table<Elf64_Sym>(table);
  if (!symbols) return;
  for (const Elf64_Sym &symbol : *symbols) {
    const std::string_view name = file.text(table.sh_link, symbol.st_name).value_or("");
    const bool defined = symbol.st_shndx != SHN_UNDEF;
    if (!defined && name == kRegister) content.imports_runtime = true;
    const bool wanted = std::ranges::any_of(prefixes, [&](auto prefix) { return name.starts_with(prefix); });
    if (defined && wanted && table.sh_type == SHT_SYMTAB && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC)
      content.functions.push_back({std::string(name), symbol.st_value, symbol.st_size});
  }
}

}  // namespace

Result<ElfContent> read_elf(std::span<const std::byte> file, std::span<const std::string_view> prefixes) {
  CUPILOT_TRY(elf, ElfFile::read(file));
  ElfContent content;
  for (const Elf64_Shdr &section : elf.sections()) {
    content.has_symbols |= section.sh_type == SHT_SYMTAB;
    content.has_device_code |= elf.name(section) == ".nv_fatbin";
    if (section.sh_type == SHT_SYMTAB || section.sh_type == SHT_DYNSYM)
      read_symbols(elf, section, prefixes, content);
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
  if (mapped == MAP_FAILED) return fail("it cannot be mapped into memory");
  auto content = read_elf({static_cast<const std::byte *>(mapped), bytes}, prefixes);
  munmap(mapped, bytes);
  return content;
}

}  // namespace cupilot::emulate::runtime::preload
