// SPDX-License-Identifier: Apache-2.0
//
// The header of the container that nvcc embeds: u32 magic, u16 version, u16 size of the header, u64 bytes
// after the header.
#include "evolution/judge/launches/device_code.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>

#include "annotate/support/elf_file.h"
#include "annotate/support/files.h"

namespace cupilot::judge::launches {

namespace {

constexpr std::string_view kSection = ".nv_fatbin";
constexpr std::uint32_t kContainer = 0xba55ed50;
constexpr std::size_t kContainerHead = 16;

using Bytes = std::span<const std::byte>;

template <class T>
std::optional<T> at(Bytes file, std::uint64_t offset) {
  T value;
  if (offset > file.size() || sizeof value > file.size() - offset) return std::nullopt;
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

/// Only padding may follow the container: a second container would hold code that was never checked.
Result<std::vector<std::byte>> one_container(Bytes section) {
  const auto magic = at<std::uint32_t>(section, 0);
  const auto head = at<std::uint16_t>(section, 6);
  const auto size = at<std::uint64_t>(section, 8);
  if (!magic || !head || !size || *magic != kContainer || *head < kContainerHead || *head > section.size() ||
      *size > section.size() - *head)
    return fail("its device code is damaged");
  const Bytes rest = section.subspan(*head + *size);
  if (!std::ranges::all_of(rest, [](std::byte byte) { return byte == std::byte{0}; }))
    return fail("it has device code of several compilations");
  const Bytes all = section.first(*head + *size);
  return std::vector<std::byte>(all.begin(), all.end());
}

}  // namespace

Result<std::vector<std::byte>> device_code_in(std::span<const std::byte> file) {
  CUPILOT_TRY(elf, ElfFile::read(file));
  const auto sections = elf.sections();
  if (elf.head().e_shnum == 0 || elf.head().e_shstrndx >= sections.size() ||
      !elf.content(sections[elf.head().e_shstrndx]))
    return fail("its sections have no names");
  const Elf64_Shdr *found = nullptr;
  for (const Elf64_Shdr &section : sections) {
    if (elf.name(section) != kSection) continue;
    if (found) return fail("it has several sections of device code");
    found = &section;
  }
  if (!found) return fail("it has no device code");
  const auto code = elf.content(*found);
  if (!code) return fail("its device code is cut off");
  return one_container(*code);
}

Result<std::vector<std::byte>> device_code_of(const std::filesystem::path &library) {
  CUPILOT_TRY(text, read_file(library));
  auto code = device_code_in(std::as_bytes(std::span(text.data(), text.size())));
  if (!code) return within(library.string(), code.error());
  return code;
}

std::vector<std::string> initialised_variables(std::span<const std::byte> container) {
  std::vector<std::string> names;
  const std::string_view text(reinterpret_cast<const char *>(container.data()), container.size());
  for (auto at = text.find(ELFMAG); at != text.npos; at = text.find(ELFMAG, at + 1)) {
    const auto elf = ElfFile::read(container.subspan(at));
    if (!elf) continue;
    const auto sections = elf->sections();
    const auto holds_values = [&](std::uint16_t index) {
      const auto name = index < sections.size() ? elf->name(sections[index]) : std::nullopt;
      return name && (name->starts_with(".nv.global.init") || name->starts_with(".nv.constant3"));
    };
    for (const Elf64_Shdr &section : sections) {
      if (section.sh_type != SHT_SYMTAB) continue;
      for (const Elf64_Sym &symbol : elf->table<Elf64_Sym>(section).value_or(std::vector<Elf64_Sym>())) {
        if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || !holds_values(symbol.st_shndx)) continue;
        if (const auto name = elf->text(section.sh_link, symbol.st_name)) names.emplace_back(*name);
      }
    }
  }
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  return names;
}

std::string symbol_of_any_file(const std::string &symbol) {
  static constexpr std::string_view kMarks[] = {"_GLOBAL__N__", "_INTERNAL_"};
  for (const std::string_view mark : kMarks) {
    // `<length>_GLOBAL__N__<file's own>`: the length counts from the underscore.
    for (auto found = symbol.find(mark); found != std::string::npos; found = symbol.find(mark, found + 1)) {
      auto digits = found;
      while (digits > 0 && symbol[digits - 1] >= '0' && symbol[digits - 1] <= '9') --digits;
      const auto length_from = [&](std::size_t begin) {
        return std::strtoull(symbol.substr(begin, found - begin).c_str(), nullptr, 10);
      };
      // Leading digits may belong to the preceding name.
      while (digits < found && length_from(digits) > symbol.size() - found) ++digits;
      const auto length = length_from(digits);
      if (length < mark.size()) continue;
      return symbol.substr(0, digits) + std::string(mark) + symbol_of_any_file(symbol.substr(found + length));
    }
  }
  return symbol;
}

}  // namespace cupilot::judge::launches
