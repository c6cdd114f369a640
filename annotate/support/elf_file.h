// SPDX-License-Identifier: Apache-2.0
//
// The only reader of ELF files (64-bit, little-endian). It does not trust the file: every offset, size and
// index is checked against the actual length, and truncated parts are not returned. Callers interpret the
// sections and symbols. The layout is described in elf(5).

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

  /// Reads the header and the section headers. `file` must outlive the result.
  static Result<ElfFile> read(Bytes file);

  const Elf64_Ehdr &head() const { return head_; }
  std::span<const Elf64_Shdr> sections() const { return sections_; }

  /// The bytes of the section; nullopt when the file is too short to contain them.
  std::optional<Bytes> content(const Elf64_Shdr &section) const;
  /// The name of the section; nullopt when the file has no valid name for it.
  std::optional<std::string_view> name(const Elf64_Shdr &section) const;
  /// The null-terminated string at `offset` in the section with index `strings`.
  std::optional<std::string_view> text(std::uint64_t strings, std::uint64_t offset) const;
  /// The section as an array of entries; nullopt when it is truncated or its size is not a multiple of an
  /// entry.
  template <class Entry>
  std::optional<std::vector<Entry>> table(const Elf64_Shdr &section) const {
    const auto bytes = content(section);
    if (!bytes) return std::nullopt;
    return entries<Entry>(*bytes);
  }
  /// The program headers; nullopt when the file is too short to contain them.
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
  std::uint64_t names_ = 0;  ///< index of the section that holds the section names
};

}  // namespace cupilot
