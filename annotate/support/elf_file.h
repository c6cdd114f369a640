// SPDX-License-Identifier: Apache-2.0
//
// The one reader of ELF files: 64-bit, little-endian, strict. Nothing of a file is believed: every offset,
// size and index is checked against the bytes there are, and what is not whole is not given. What sections
// and symbols mean is left to the callers. Layout: elf(5).

#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot {

class ElfFile {
public:
  using Bytes = std::span<const std::byte>;

  /// Head and section headers; `file` must outlive the answer.
  static Result<ElfFile> read(Bytes file);

  const Elf64_Ehdr &head() const { return head_; }
  std::span<const Elf64_Shdr> sections() const { return sections_; }

  /// The section's bytes; nothing when the file has not all of them.
  std::optional<Bytes> content(const Elf64_Shdr &section) const;
  /// Nothing when the file has no such name.
  std::optional<std::string_view> name(const Elf64_Shdr &section) const;
  /// The zero-ended text at `offset` of the section with the number `strings`.
  std::optional<std::string_view> text(std::uint64_t strings, std::uint64_t offset) const;
  /// The section as a table; nothing when it is cut off or has a part of an entry.
  template <class Entry>
  std::optional<std::vector<Entry>> table(const Elf64_Shdr &section) const {
    const auto bytes = content(section);
    if (!bytes) return std::nullopt;
    return entries<Entry>(*bytes);
  }
  /// Nothing when the file has not all of them.
  std::optional<std::vector<Elf64_Phdr>> segments() const;

private:
  explicit ElfFile(Bytes file) : file_(file) {}

  Result<> read_sections();
  std::optional<Bytes> bytes(std::uint64_t offset, std::uint64_t size) const;
  template <class Entry>
  static std::optional<std::vector<Entry>> entries(Bytes bytes) {
    if (bytes.size() % sizeof(Entry) != 0) return std::nullopt;
    std::vector<Entry> all(bytes.size() / sizeof(Entry));
    if (!all.empty()) std::memcpy(all.data(), bytes.data(), bytes.size());
    return all;
  }

  Bytes file_;
  Elf64_Ehdr head_{};
  std::vector<Elf64_Shdr> sections_;
  std::uint64_t names_ = 0;  ///< number of the section with the sections' names
};

}  // namespace cupilot
