// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/object_check.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "annotate/support/elf_file.h"

namespace cupilot::launcher {
namespace {

class ObjectFile {
public:
  explicit ObjectFile(const ElfFile &file) : file_(file) {}

  bool read() { return read_symbols() && count_references(); }

  std::set<std::string, std::less<>> defined, undefined;
  std::map<std::string, int, std::less<>> references;  ///< from code, by symbol

private:
  bool read_symbols() {
    const auto sections = file_.sections();
    const auto table = std::ranges::find(sections, Elf64_Word{SHT_SYMTAB}, &Elf64_Shdr::sh_type);
    if (table == sections.end()) return false;
    const auto symbols = file_.table<Elf64_Sym>(*table);
    if (!symbols) return false;
    for (const Elf64_Sym &symbol : *symbols) {
      const auto name = file_.text(table->sh_link, symbol.st_name);
      if (!name) return false;
      names_.emplace_back(*name);
      if (!name->empty()) (symbol.st_shndx == SHN_UNDEF ? undefined : defined).insert(names_.back());
    }
    return true;
  }

  bool count_references() {
    const auto sections = file_.sections();
    for (const Elf64_Shdr &section : sections) {
      if (section.sh_type != SHT_RELA || section.sh_info >= sections.size()) continue;
      if (!(sections[section.sh_info].sh_flags & SHF_EXECINSTR)) continue;
      const auto relocations = file_.table<Elf64_Rela>(section);
      if (!relocations) return false;
      for (const Elf64_Rela &relocation : *relocations) {
        if (ELF64_R_SYM(relocation.r_info) >= names_.size()) return false;
        ++references[names_[ELF64_R_SYM(relocation.r_info)]];
      }
    }
    return true;
  }

  const ElfFile &file_;
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
  const auto file = ElfFile::read(std::as_bytes(std::span(text.data(), text.size())));
  if (!file || file->head().e_type != ET_REL) return fail("the object is not a 64-bit ELF file");
  ObjectFile object(*file);
  if (!object.read()) return fail("the object is not a 64-bit ELF file");
  for (const auto &symbol : object.undefined)
    if (symbol.starts_with("cupilot_")) return fail("'" + symbol + "' is not defined");
  for (const auto &[runtime, label] : kEntryPoints) {
    const std::string per_thread = std::string(runtime) + "_ptsz";
    const int references = object.references[runtime] + object.references[per_thread];
    if (references > 1)
      return fail("a launch through '" + std::string(runtime) + "' bypasses the dispatcher");
    if (references == 1 && !object.defined.contains(label))
      return fail("'" + std::string(label) + "' is missing");
  }
  // with __NV_LEGACY_LAUNCH there are the first two only
  for (const auto &entry : {kEntryPoints[0], kEntryPoints[1]})
    if (!object.defined.contains(entry.label)) return fail("'" + std::string(entry.label) + "' is missing");
  return {};
}

}  // namespace cupilot::launcher
