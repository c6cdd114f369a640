// SPDX-License-Identifier: Apache-2.0
//
// Walks the entries of a container and picks the PTX to run. Unpacking is in unpack.cpp.

#include "evolution/emulate/runtime/fat_binary.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace cupilot::emulate {
namespace {

constexpr std::size_t kContainerHeader = 16, kEntryHeader = 64;
constexpr std::uint64_t kFlagLz4 = 0x2000, kFlagZstd = 0x8000;

template <class T>
T number(std::span<const std::byte> bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::unexpected<Error> damaged(const std::string &what) {
  return fail("damaged fat binary: " + what + "; build the program anew");
}

FatKind kind_of(std::uint16_t number) {
  return number == 1 ? FatKind::ptx : number == 2 ? FatKind::machine_code : FatKind::other;
}

/// `bytes`: from the entry's header to the end of the container.
Result<FatEntry> read_entry(std::span<const std::byte> bytes, std::uint64_t &entry_bytes) {
  if (bytes.size() < kEntryHeader) return damaged("an entry's header is cut off");
  const auto header = number<std::uint32_t>(bytes, 4);
  const auto payload = number<std::uint64_t>(bytes, 8);
  if (header < kEntryHeader || header > bytes.size() || payload > bytes.size() - header)
    return damaged("an entry of " + std::to_string(payload) + " bytes does not fit into the " +
                   std::to_string(bytes.size()) + " bytes that are left");
  FatEntry entry;
  entry.kind = kind_of(number<std::uint16_t>(bytes, 0));
  entry.architecture = number<std::uint32_t>(bytes, 28);
  const auto flags = number<std::uint64_t>(bytes, 40);
  std::uint64_t packed = payload;
  if (flags & (kFlagLz4 | kFlagZstd)) {
    entry.packing = flags & kFlagZstd ? Packing::zstd : Packing::lz4;
    packed = number<std::uint32_t>(bytes, 16);
    entry.unpacked_bytes = number<std::uint64_t>(bytes, 56);
    if (packed > payload) return damaged("an entry's packed part is longer than the entry");
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
  for (const auto one : numbers) text += (text.empty() ? "" : ", ") + prefix + std::to_string(one);
  return text;
}

std::unexpected<Error> no_ptx(std::span<const FatEntry> entries, unsigned architecture) {
  const auto number = std::to_string(architecture);
  const auto flag = "-gencode arch=compute_" + number + ",code=compute_" + number;
  if (const auto newer = architectures(entries, FatKind::ptx, "compute_"); !newer.empty())
    return user_error("the program has PTX for " + newer + " only, newer than the emulated sm_" + number +
                      "; emulate a newer architecture (--arch) or add " + flag +
                      " to the compiler's options");
  const auto code = architectures(entries, FatKind::machine_code, "sm_");
  return user_error("the program has " +
                    (code.empty() ? "no device code" : "machine code for " + code + " only") +
                    ", but PTX is what is executed here; add " + flag +
                    " to the compiler's options (clang: --cuda-include-ptx=all)");
}

}  // namespace

Result<std::vector<FatEntry>> read_container(std::span<const std::byte> bytes) {
  if (bytes.size() < kContainerHeader) return damaged("its header is cut off");
  if (number<std::uint32_t>(bytes, 0) != kContainerMagic) return damaged("it does not begin as one");
  const auto header = number<std::uint16_t>(bytes, 6);
  const auto size = number<std::uint64_t>(bytes, 8);
  if (header < kContainerHeader || header > bytes.size() || size > bytes.size() - header)
    return damaged("it says it has " + std::to_string(size) + " bytes, " + std::to_string(bytes.size()) +
                   " are there");
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

}  // namespace cupilot::emulate
