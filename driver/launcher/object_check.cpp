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
  std::set<std::string, std::less<>> needed;           ///< undefined and not weak: without them nothing links
  std::map<std::string, int, std::less<>> references;  ///< from code, by symbol
  std::map<std::string, std::set<std::string>, std::less<>> referrers;  ///< functions and objects, by symbol

private:
  struct Extent {
    std::uint64_t begin = 0, end = 0;
    std::size_t symbol = 0;
  };

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
      if (symbol.st_shndx == SHN_UNDEF && ELF64_ST_BIND(symbol.st_info) == STB_GLOBAL && !name->empty())
        needed.insert(names_.back());
      const auto type = ELF64_ST_TYPE(symbol.st_info);
      if (type == STT_FUNC || type == STT_OBJECT)
        extents_[symbol.st_shndx].push_back(
            {symbol.st_value, symbol.st_value + symbol.st_size, names_.size() - 1});
      if (!name->empty()) (symbol.st_shndx == SHN_UNDEF ? undefined : defined).insert(names_.back());
    }
    for (auto &[section, extents] : extents_) std::ranges::sort(extents, {}, &Extent::begin);
    return true;
  }

  /// The function or object that has the place; empty when none has it.
  std::string_view holder(std::size_t section, std::uint64_t place) const {
    const auto found = extents_.find(section);
    if (found == extents_.end()) return {};
    auto after = std::ranges::upper_bound(found->second, place, {}, &Extent::begin);
    if (after == found->second.begin() || place >= (--after)->end) return {};
    return names_[after->symbol];
  }

  bool count_references() {
    const auto sections = file_.sections();
    for (const Elf64_Shdr &section : sections) {
      if (section.sh_type != SHT_RELA || section.sh_info >= sections.size()) continue;
      const auto flags = sections[section.sh_info].sh_flags;
      if (!(flags & SHF_ALLOC)) continue;
      const auto relocations = file_.table<Elf64_Rela>(section);
      if (!relocations) return false;
      for (const Elf64_Rela &relocation : *relocations) {
        if (ELF64_R_SYM(relocation.r_info) >= names_.size()) return false;
        const auto &name = names_[ELF64_R_SYM(relocation.r_info)];
        if (flags & SHF_EXECINSTR) ++references[name];
        if (!name.empty()) referrers[name].emplace(holder(section.sh_info, relocation.r_offset));
      }
    }
    return true;
  }

  const ElfFile &file_;
  std::vector<std::string> names_;                      ///< by symbol number
  std::map<std::size_t, std::vector<Extent>> extents_;  ///< by section, sorted
};

/// Functions and objects that the wrapper adds to what the source has.
bool is_ours(std::string_view name) {
  return name.contains("cupilot_variant_") || name.contains("7cupilot6detail") ||
         name.contains("cupilot_pass_") || name.starts_with("cupilot_launch_") ||
         name.starts_with("cupilot_get_kernel");
}

/// What the C and C++ libraries, the compiler's own and the CUDA runtime have: every link of an nvcc object
/// has them.
bool is_everywhere(std::string_view name) {
  constexpr std::string_view kPrefixes[] = {
      "cuda",   "__",     "_GLOBAL_OFFSET_TABLE_", "_Unwind_",          "_ZSt", "_ZNSt", "_ZNKSt",
      "_ZTISt", "_ZTVSt", "_ZTIN10__cxxabiv1",     "_ZTVN10__cxxabiv1", "_Zn",  "_Zd"};
  constexpr std::string_view kNames[] = {
      "abort",  "atexit", "calloc", "ceil",   "ceilf",   "exit",   "exp2",   "fclose",  "fflush",  "floor",
      "floorf", "fmax",   "fmin",   "fopen",  "fprintf", "fputc",  "fputs",  "free",    "fwrite",  "getenv",
      "log2",   "malloc", "memcmp", "memcpy", "memmove", "memset", "mcount", "pow",     "printf",  "putchar",
      "puts",   "sqrt",   "sqrtf",  "stderr", "stdout",  "strcmp", "strlen", "strncmp", "snprintf"};
  return std::ranges::any_of(kPrefixes, [&](auto prefix) { return name.starts_with(prefix); }) ||
         std::ranges::find(kNames, name) != std::end(kNames);
}

/// A symbol that only the variants need may be nowhere, and the user's link would fail. Functions of headers
/// that only variants call count as theirs.
Result<void> check_link(const ObjectFile &object) {
  std::set<std::string_view> added;  // not the source's: referred to by ours only
  const auto of_ours = [&](const std::set<std::string> &from) {
    return !from.empty() && std::ranges::all_of(from, [&](std::string_view name) {
      return is_ours(name) || added.contains(name);
    });
  };
  for (bool grows = true; grows;) {
    grows = false;
    for (const auto &[name, from] : object.referrers)
      if (!is_ours(name) && !added.contains(name) && of_ours(from)) grows = added.insert(name).second;
  }
  for (const auto &name : object.needed) {
    if (name.contains("cupilot_variant_")) return fail("the variant does not define '" + name + "'");
    if (added.contains(name) && !is_everywhere(name))
      return fail("the variant needs '" + name + "', which the source does not need");
  }
  return {};
}

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
  CUPILOT_CHECKED(check_link(object));
  // with __NV_LEGACY_LAUNCH there are the first two only
  for (const auto &entry : {kEntryPoints[0], kEntryPoints[1]})
    if (!object.defined.contains(entry.label)) return fail("'" + std::string(entry.label) + "' is missing");
  return {};
}

}  // namespace cupilot::launcher
