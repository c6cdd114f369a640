// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/recorder/library_copy.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

namespace cupilot::judge::recorder {

namespace {

constexpr std::uintptr_t kCodePage = 4096;

std::uintptr_t page_of(std::uintptr_t address) {
  return address / kCodePage * kCodePage;
}
std::uintptr_t page_after(std::uintptr_t address) {
  return page_of(address + kCodePage - 1);
}

struct CodeRange {
  std::uintptr_t from, bytes;
};
constexpr CodeRange kLowest{0x100'0000, 0x7000'0000}, kProgram{0x5500'0000'0000, 0x200'0000'0000};

void *reserve_code(const CodeRange &range, std::size_t bytes, Chance &chance) {
  constexpr int kAttempts = 16;
  if (bytes >= range.bytes) return nullptr;
  for (int i = 0; i < kAttempts; ++i) {
    const auto at = page_of(range.from + chance.next() % (range.bytes - bytes));
    void *const place = ::mmap(reinterpret_cast<void *>(at), bytes, PROT_NONE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (place != MAP_FAILED) return place;
  }
  return nullptr;
}

class Copy {
public:
  Copy(std::uintptr_t base, std::span<const Elf64_Phdr> headers) : base_(base), headers_(headers) {
    for (const auto &header : headers_)
      if (header.p_type == PT_LOAD) bytes_ = std::max(bytes_, page_after(header.p_vaddr + header.p_memsz));
  }
  std::size_t bytes() const { return bytes_; }

  bool fill(std::uintptr_t place, int file) const {
    return std::ranges::all_of(headers_, [&](const Elf64_Phdr &header) {
      if (header.p_type != PT_LOAD) return true;
      return header.p_flags & PF_X ? map_code(header, place, file) : copy_data(header, place);
    });
  }

private:
  static bool map(std::uintptr_t at, std::size_t bytes, int access, int flags, int file, off_t offset) {
    return ::mmap(reinterpret_cast<void *>(at), bytes, access, MAP_PRIVATE | MAP_FIXED | flags, file,
                  offset) != MAP_FAILED;
  }
  /// Code holds no addresses, so the file has what it needs.
  static bool map_code(const Elf64_Phdr &header, std::uintptr_t place, int file) {
    const auto from = page_of(header.p_vaddr);
    return map(place + from, page_after(header.p_vaddr + header.p_filesz) - from, PROT_READ | PROT_EXEC, 0,
               file, static_cast<off_t>(page_of(header.p_offset)));
  }
  bool copy_data(const Elf64_Phdr &header, std::uintptr_t place) const {
    const auto from = page_of(header.p_vaddr), bytes = page_after(header.p_vaddr + header.p_memsz) - from;
    if (!map(place + from, bytes, PROT_READ | PROT_WRITE, MAP_ANONYMOUS, -1, 0)) return false;
    auto *const to = reinterpret_cast<std::byte *>(place + from);
    std::memcpy(to, reinterpret_cast<const void *>(base_ + from), bytes);
    for (std::size_t at = 0; at < bytes; at += sizeof(std::uintptr_t)) {
      std::uintptr_t word;
      std::memcpy(&word, to + at, sizeof word);
      if (word < base_ || word - base_ >= bytes_) continue;
      word += place - base_;
      std::memcpy(to + at, &word, sizeof word);
    }
    return true;
  }

  std::uintptr_t base_;
  std::span<const Elf64_Phdr> headers_;
  std::size_t bytes_ = 0;
};

}  // namespace

std::uintptr_t copy_library(const std::string &path, std::uintptr_t base, CodePlace place, Chance &chance) {
  const auto &head = *reinterpret_cast<const Elf64_Ehdr *>(base);
  if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64) return 0;
  const Copy copy(base, {reinterpret_cast<const Elf64_Phdr *>(base + head.e_phoff), head.e_phnum});
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  void *const at = reserve_code(place == CodePlace::lowest ? kLowest : kProgram, copy.bytes(), chance);
  const bool filled = at && copy.fill(reinterpret_cast<std::uintptr_t>(at), file);
  ::close(file);
  return filled ? reinterpret_cast<std::uintptr_t>(at) - base : 0;
}

}  // namespace cupilot::judge::recorder
