// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/screen/shared_library.h"

#include <algorithm>
#include <string>

#include "annotate/support/elf_file.h"

namespace cupilot::judge::screen {
namespace {

class LibraryReader {
public:
  explicit LibraryReader(const ElfFile &file) : file_(file) {}

  Result<SharedLibrary> read() {
    if (!segments()) return fail("the built library is not a 64-bit ELF file");
    for (const Elf64_Shdr &section : file_.sections()) {
      const bool table = section.sh_type == SHT_SYMTAB || section.sh_type == SHT_DYNSYM;
      if (table && !symbols(section)) return fail("the built library has a damaged symbol table");
      if (section.sh_type == SHT_DYNAMIC && !dynamic(section))
        return fail("the built library has a damaged dynamic section");
      if (section.sh_type == SHT_INIT_ARRAY || section.sh_type == SHT_PREINIT_ARRAY)
        library_.constructors += section.sh_size / sizeof(Elf64_Addr);
      if (file_.name(section) != ".nv_fatbin") continue;
      const auto code = file_.content(section);
      if (!code) return fail("the built library has damaged device code");
      library_.device_code = *code;
    }
    return std::move(library_);
  }

private:
  bool segments() {
    const auto segments = file_.segments();
    if (!segments) return false;
    for (const Elf64_Phdr &segment : *segments) {
      const bool both = (segment.p_flags & PF_W) && (segment.p_flags & PF_X);
      library_.changes_code = library_.changes_code || (both && segment.p_type == PT_LOAD);
    }
    return true;
  }

  bool symbols(const Elf64_Shdr &table) {
    const auto symbols = file_.table<Elf64_Sym>(table);
    if (!symbols) return false;
    for (const Elf64_Sym &symbol : *symbols) {
      const auto versioned = file_.text(table.sh_link, symbol.st_name);
      if (!versioned) return false;
      const std::string name(versioned->substr(0, versioned->find('@')));
      if (!name.empty()) sort_in(symbol, name);
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
    if (type != STT_OBJECT || symbol.st_shndx >= file_.sections().size()) return;
    const Elf64_Shdr &home = file_.sections()[symbol.st_shndx];
    // Constants that contain addresses are writable only until the loader has relocated them.
    const bool sealed = file_.name(home).value_or("").starts_with(".data.rel.ro");
    if ((home.sh_flags & SHF_WRITE) && !sealed) library_.writable.insert(name);
  }

  bool dynamic(const Elf64_Shdr &section) {
    const auto entries = file_.table<Elf64_Dyn>(section);
    if (!entries) return false;
    for (const Elf64_Dyn &entry : *entries) {
      if (entry.d_tag == DT_TEXTREL) library_.changes_code = true;
      if (entry.d_tag != DT_NEEDED) continue;
      const auto name = file_.text(section.sh_link, entry.d_un.d_val);
      if (!name) return false;
      library_.needed.emplace(*name);
    }
    return true;
  }

  const ElfFile &file_;
  SharedLibrary library_;
};

}  // namespace

Result<SharedLibrary> read_shared_library(std::span<const std::byte> file) {
  const auto elf = ElfFile::read(file);
  if (!elf || elf->head().e_type != ET_DYN || elf->head().e_shnum == 0 ||
      elf->head().e_shstrndx >= elf->sections().size())
    return fail("the built library is not a 64-bit ELF file");
  return LibraryReader(*elf).read();
}

}  // namespace cupilot::judge::screen
