// SPDX-License-Identifier: Apache-2.0
//
// Walks the entries of a container and picks the PTX to run. Unpacking is in unpack.cpp.

#include "evolution/emulate/runtime/fat_binary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

namespace cupilot::emulate::runtime {
namespace {

constexpr std::size_t kContainerHeader = 16, kEntryHeader = 64;
constexpr std::uint64_t kFlagLz4 = 0x2000, kFlagZstd = 0x8000;

template <class T>
T number(std::span<const std::byte> bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

FatKind kind_of(std::uint16_t number) {
  return number == 1 ? FatKind::ptx : number == 2 ? FatKind::machine_code : FatKind::other;
}

/// `bytes`: from the entry's header to the end of the container.
Result<FatEntry> read_entry(std::span<const std::byte> bytes, std::uint64_t &entry_bytes) {
  if (bytes.size() < kEntryHeader) return damaged_fat_binary("the header of an entry is truncated");
  const auto header = number<std::uint32_t>(bytes, 4);
  const auto payload = number<std::uint64_t>(bytes, 8);
  if (header < kEntryHeader || header > bytes.size() || payload > bytes.size() - header)
    return damaged_fat_binary(fmt::format("an entry of {} bytes does not fit into the {} bytes that are left",
                                          payload, bytes.size()));
  FatEntry entry;
  entry.kind = kind_of(number<std::uint16_t>(bytes, 0));
  entry.architecture = number<std::uint32_t>(bytes, 28);
  const auto flags = number<std::uint64_t>(bytes, 40);
  std::uint64_t packed = payload;
  if (flags & (kFlagLz4 | kFlagZstd)) {
    entry.packing = flags & kFlagZstd ? Packing::zstd : Packing::lz4;
    packed = number<std::uint32_t>(bytes, 16);
    entry.unpacked_bytes = number<std::uint64_t>(bytes, 56);
    if (packed > payload)
      return damaged_fat_binary("the compressed part of an entry is longer than the entry");
  }
  entry.payload = bytes.subspan(header, packed);
  entry_bytes = header + payload;
  return entry;
}

std::string architectures(std::span<const FatEntry> entries, FatKind kind, const std::string &prefix) {
  std::set<unsigned> numbers;
  for (const auto &entry : entries)
    if (entry.kind == kind) numbers.insert(entry.architecture);
  std::string text;
  for (const auto one : numbers) text += fmt::format("{}{}{}", text.empty() ? "" : ", ", prefix, one);
  return text;
}

std::unexpected<Error> no_ptx(std::span<const FatEntry> entries, unsigned architecture) {
  const auto flag = fmt::format("-gencode arch=compute_{0},code=compute_{0}", architecture);
  if (const auto newer = architectures(entries, FatKind::ptx, "compute_"); !newer.empty())
    return user_error(fmt::format(
        "the program has PTX for {} only, which is newer than the emulated sm_{}; emulate a newer "
        "architecture (--arch) or add {} to the compiler's options",
        newer, architecture, flag));
  const auto code = architectures(entries, FatKind::machine_code, "sm_");
  return user_error(fmt::format(
      "the program has {}, but the emulated device executes PTX; add {} to the compiler's options "
      "(clang: --cuda-include-ptx=all)",
      code.empty() ? "no device code" : fmt::format("machine code for {} only", code), flag));
}

}  // namespace

std::unexpected<Error> damaged_fat_binary(std::string_view what) {
  return fail(fmt::format("the program's fat binary is damaged: {}; build the program again", what));
}

Result<std::vector<FatEntry>> read_container(std::span<const std::byte> bytes) {
  if (bytes.size() < kContainerHeader) return damaged_fat_binary("its header is truncated");
  if (number<std::uint32_t>(bytes, 0) != kContainerMagic)
    return damaged_fat_binary("it does not begin with the magic number of a fat binary");
  const auto header = number<std::uint16_t>(bytes, 6);
  const auto size = number<std::uint64_t>(bytes, 8);
  if (header < kContainerHeader || header > bytes.size() || size > bytes.size() - header)
    return damaged_fat_binary(
        fmt::format("its header gives a size of {} bytes, but only {} bytes are there", size, bytes.size()));
  auto rest = bytes.subspan(header, size);
  std::vector<FatEntry> entries;
  while (!rest.empty()) {
    std::uint64_t entry_bytes = 0;
    CUPILOT_TRY(entry, read_entry(rest, entry_bytes));
    entries.push_back(entry);
    rest = rest.subspan(entry_bytes);
  }
  return entries;
}

Result<FatEntry> choose_ptx(std::span<const FatEntry> entries, unsigned architecture) {
  const FatEntry *best = nullptr;
  for (const auto &entry : entries) {
    if (entry.kind != FatKind::ptx || entry.architecture > architecture) continue;
    // Of compute_90 and compute_90a, which carry the same number, the first stands for the plain one.
    if (!best || entry.architecture > best->architecture) best = &entry;
  }
  if (!best) return no_ptx(entries, architecture);
  return *best;
}

Result<std::string> ptx_text(const FatEntry &entry) {
  CUPILOT_TRY(text, unpack(entry));
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

}  // namespace cupilot::emulate::runtime
