// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/object_check.h"

#include <elf.h>

#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace cupilot::launcher {
namespace {

/// A copy of the structure at `offset`; nothing when the file ends before.
template <class Structure>
std::optional<Structure> at(std::string_view file, std::uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(Structure)) return {};
  Structure value;
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

class ObjectFile {
public:
  explicit ObjectFile(std::string_view file) : file_(file) {}

  bool read() {
    const auto head = at<Elf64_Ehdr>(file_, 0);
    if (!head || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64 ||
        head->e_ident[EI_DATA] != ELFDATA2LSB || head->e_type != ET_REL)
      return false;
    std::uint64_t count = head->e_shnum;
    if (count == 0)  // more than 65279 sections: the number stands in the first one
      if (const auto first = at<Elf64_Shdr>(file_, head->e_shoff)) count = first->sh_size;
    if (count > file_.size() / sizeof(Elf64_Shdr)) return false;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto section = at<Elf64_Shdr>(file_, head->e_shoff + i * sizeof(Elf64_Shdr));
      if (!section) return false;
      sections_.push_back(*section);
    }
    return read_symbols() && count_references();
  }

  std::set<std::string, std::less<>> defined, undefined;
  std::map<std::string, int, std::less<>> references;  ///< from code, by symbol

private:
  bool read_symbols() {
    for (const auto &table : sections_) {
      if (table.sh_type != SHT_SYMTAB || table.sh_link >= sections_.size()) continue;
      for (std::uint64_t offset = 0; offset < table.sh_size; offset += sizeof(Elf64_Sym)) {
        const auto symbol = at<Elf64_Sym>(file_, table.sh_offset + offset);
        if (!symbol) return false;
        names_.push_back(name(sections_[table.sh_link], symbol->st_name));
        if (!names_.back().empty())
          (symbol->st_shndx == SHN_UNDEF ? undefined : defined).insert(names_.back());
      }
      return true;
    }
    return false;
  }

  bool count_references() {
    for (const auto &section : sections_) {
      if (section.sh_type != SHT_RELA || section.sh_info >= sections_.size()) continue;
      if (!(sections_[section.sh_info].sh_flags & SHF_EXECINSTR)) continue;
      for (std::uint64_t offset = 0; offset < section.sh_size; offset += sizeof(Elf64_Rela)) {
        const auto relocation = at<Elf64_Rela>(file_, section.sh_offset + offset);
        if (!relocation || ELF64_R_SYM(relocation->r_info) >= names_.size()) return false;
        ++references[names_[ELF64_R_SYM(relocation->r_info)]];
      }
    }
    return true;
  }

  std::string name(const Elf64_Shdr &strings, std::uint64_t offset) const {
    if (strings.sh_offset > file_.size() || offset >= strings.sh_size) return {};
    const auto text = file_.substr(strings.sh_offset, strings.sh_size).substr(offset);
    return std::string(text.substr(0, text.find('\0')));
  }

  std::string_view file_;
  std::vector<Elf64_Shdr> sections_;
  std::vector<std::string> names_;  ///< by symbol number
};

struct EntryPoint {
  const char *runtime;  ///< without the _ptsz of a default stream per thread
  const char *label;
};
constexpr EntryPoint kEntryPoints[] = {{"cudaLaunchKernel", "cupilot_launch_function"},
                                       {"cudaLaunchKernelExC", "cupilot_launch_extended"},
                                       {"__cudaLaunchKernel", "cupilot_launch_kernel"},
                                       {"__cudaGetKernel", "cupilot_get_kernel"}};

}  // namespace

Result<void> check_object(std::string_view text) {
  ObjectFile object(text);
  if (!object.read()) return fail("the object is not a 64-bit ELF file");
  for (const auto &symbol : object.undefined)
    if (symbol.starts_with("cupilot_")) return fail("'" + symbol + "' is not defined");
  for (const auto &[runtime, label] : kEntryPoints) {
    const std::string per_thread = std::string(runtime) + "_ptsz";
    const int references = object.references[runtime] + object.references[per_thread];
    if (references > 1) return fail("a launch through '" + std::string(runtime) + "' escapes the dispatcher");
    if (references == 1 && !object.defined.contains(label))
      return fail("'" + std::string(label) + "' is missing");
  }
  // with __NV_LEGACY_LAUNCH there are the first two only
  for (const auto &entry : {kEntryPoints[0], kEntryPoints[1]})
    if (!object.defined.contains(entry.label)) return fail("'" + std::string(entry.label) + "' is missing");
  return {};
}

}  // namespace cupilot::launcher
