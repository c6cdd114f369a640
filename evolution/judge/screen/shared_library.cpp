// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/screen/shared_library.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace cupilot {
namespace {

class ElfReader {
public:
  explicit ElfReader(std::span<const std::byte> file) : file_(file) {}

  Result<SharedLibrary> read() {
    if (!sections() || !segments()) return fail("the built library is not a 64-bit ELF file");
    for (const Elf64_Shdr &section : sections_) {
      const bool table = section.sh_type == SHT_SYMTAB || section.sh_type == SHT_DYNSYM;
      if (table && !symbols(section)) return fail("the built library has a damaged symbol table");
      if (section.sh_type == SHT_DYNAMIC && !dynamic(section))
        return fail("the built library has a damaged dynamic section");
      if (section.sh_type == SHT_INIT_ARRAY || section.sh_type == SHT_PREINIT_ARRAY)
        library_.constructors += section.sh_size / sizeof(Elf64_Addr);
      if (name_of(section) == ".nv_fatbin" && fits(section.sh_offset, section.sh_size))
        library_.device_code = file_.subspan(section.sh_offset, section.sh_size);
    }
    return std::move(library_);
  }

private:
  bool fits(std::uint64_t offset, std::uint64_t size) const {
    return offset <= file_.size() && size <= file_.size() - offset;
  }
  template <class Structure>
  std::optional<Structure> at(std::uint64_t offset) const {
    if (!fits(offset, sizeof(Structure))) return std::nullopt;
    Structure value;
    std::memcpy(&value, file_.data() + offset, sizeof value);
    return value;
  }

  bool sections() {
    const auto head = at<Elf64_Ehdr>(0);
    if (!head || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64 ||
        head->e_ident[EI_DATA] != ELFDATA2LSB || head->e_type != ET_DYN || head->e_shnum == 0)
      return false;
    head_ = *head;
    for (unsigned i = 0; i < head->e_shnum; ++i) {
      const auto section = at<Elf64_Shdr>(head->e_shoff + i * sizeof(Elf64_Shdr));
      if (!section) return false;
      sections_.push_back(*section);
    }
    return head->e_shstrndx < sections_.size();
  }

  bool segments() {
    for (unsigned i = 0; i < head_.e_phnum; ++i) {
      const auto segment = at<Elf64_Phdr>(head_.e_phoff + i * sizeof(Elf64_Phdr));
      if (!segment) return false;
      const bool both = (segment->p_flags & PF_W) && (segment->p_flags & PF_X);
      library_.changes_code = library_.changes_code || (both && segment->p_type == PT_LOAD);
    }
    return true;
  }

  std::string text(const Elf64_Shdr &strings, std::uint64_t offset) const {
    if (!fits(strings.sh_offset, strings.sh_size) || offset >= strings.sh_size) return {};
    const auto *from = reinterpret_cast<const char *>(file_.data()) + strings.sh_offset + offset;
    return std::string(from, ::strnlen(from, strings.sh_size - offset));
  }
  std::string name_of(const Elf64_Shdr &section) const {
    return text(sections_[head_.e_shstrndx], section.sh_name);
  }

  bool symbols(const Elf64_Shdr &table) {
    if (table.sh_link >= sections_.size() || !fits(table.sh_offset, table.sh_size)) return false;
    for (std::uint64_t offset = 0; offset + sizeof(Elf64_Sym) <= table.sh_size; offset += sizeof(Elf64_Sym)) {
      const auto symbol = at<Elf64_Sym>(table.sh_offset + offset);
      std::string name = text(sections_[table.sh_link], symbol->st_name);
      name.resize(std::min(name.size(), name.find('@')));
      if (!name.empty()) sort_in(*symbol, name);
    }
    return true;
  }

  void sort_in(const Elf64_Sym &symbol, const std::string &name) {
    const auto type = ELF64_ST_TYPE(symbol.st_info);
    if (symbol.st_shndx == SHN_UNDEF) {
      library_.undefined.insert(name);
      return;
    }
    if (type != STT_FUNC && type != STT_OBJECT && type != STT_GNU_IFUNC && type != STT_TLS) return;
    library_.defined.insert(name);
    if (type == STT_GNU_IFUNC) library_.chosen_at_load.insert(name);
    if (type == STT_TLS) library_.writable.insert(name);
    if (type != STT_OBJECT || symbol.st_shndx >= sections_.size()) return;
    const Elf64_Shdr &home = sections_[symbol.st_shndx];
    // Constants that hold addresses are writable only until the loader has put them in.
    const bool sealed = name_of(home).starts_with(".data.rel.ro");
    if ((home.sh_flags & SHF_WRITE) && !sealed) library_.writable.insert(name);
  }

  bool dynamic(const Elf64_Shdr &section) {
    if (section.sh_link >= sections_.size()) return false;
    for (std::uint64_t offset = 0; offset + sizeof(Elf64_Dyn) <= section.sh_size;
         offset += sizeof(Elf64_Dyn)) {
      const auto entry = at<Elf64_Dyn>(section.sh_offset + offset);
      if (!entry) return false;
      if (entry->d_tag == DT_NEEDED)
        library_.needed.insert(text(sections_[section.sh_link], entry->d_un.d_val));
      if (entry->d_tag == DT_TEXTREL) library_.changes_code = true;
    }
    return true;
  }

  std::span<const std::byte> file_;
  Elf64_Ehdr head_{};
  std::vector<Elf64_Shdr> sections_;
  SharedLibrary library_;
};

}  // namespace

Result<SharedLibrary> read_shared_library(std::span<const std::byte> file) {
  return ElfReader(file).read();
}

}  // namespace cupilot
