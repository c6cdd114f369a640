// SPDX-License-Identifier: Apache-2.0
//
// LZ4 blocks and zstd frames of fat binaries, and how far this process's memory can be read.

#include <lz4.h>
#include <zstd.h>

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <memory>

#include "evolution/emulate/runtime/fat_binary.h"

namespace cupilot::emulate::runtime {
namespace {

/// More than any compiler makes; a damaged length must not exhaust the machine.
constexpr std::uint64_t kMostUnpacked = std::uint64_t{1} << 30;
/// LZ4 cannot do better: a byte of length stands for 255.
constexpr std::uint64_t kMostLz4Ratio = 256;

Result<std::string> unpack_lz4(const FatEntry &entry) {
  if (entry.unpacked_bytes > INT_MAX || entry.payload.size() > INT_MAX ||
      entry.unpacked_bytes > entry.payload.size() * kMostLz4Ratio)
    return damaged_fat_binary("the length given for its LZ4 data is impossible");
  std::string out(entry.unpacked_bytes, '\0');
  const int got = LZ4_decompress_safe(reinterpret_cast<const char *>(entry.payload.data()), out.data(),
                                      static_cast<int>(entry.payload.size()), static_cast<int>(out.size()));
  if (got < 0 || static_cast<std::size_t>(got) != out.size())
    return damaged_fat_binary("its LZ4 data cannot be decompressed");
  return out;
}

Result<std::string> unpack_zstd(const FatEntry &entry) {
  const auto bytes = ZSTD_getFrameContentSize(entry.payload.data(), entry.payload.size());
  if (bytes == ZSTD_CONTENTSIZE_ERROR || bytes == ZSTD_CONTENTSIZE_UNKNOWN || bytes != entry.unpacked_bytes)
    return damaged_fat_binary("the length given for its zstd data is impossible");
  std::string out(bytes, '\0');
  const auto got = ZSTD_decompress(out.data(), out.size(), entry.payload.data(), entry.payload.size());
  if (ZSTD_isError(got) || got != out.size())
    return damaged_fat_binary(
        fmt::format("its zstd data cannot be decompressed ({})", ZSTD_getErrorName(got)));
  return out;
}

struct Mapping {
  std::uintptr_t begin = 0, end = 0;
  bool readable = false;
};

}  // namespace

Result<std::string> unpack(const FatEntry &entry) {
  if (entry.unpacked_bytes > kMostUnpacked)
    return damaged_fat_binary(fmt::format("an entry claims to decompress to {} bytes", entry.unpacked_bytes));
  switch (entry.packing) {
    case Packing::lz4:
      return unpack_lz4(entry);
    case Packing::zstd:
      return unpack_zstd(entry);
    case Packing::none:
      break;
  }
  return std::string(reinterpret_cast<const char *>(entry.payload.data()), entry.payload.size());
}

std::size_t readable_bytes(const void *address) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  const std::unique_ptr<FILE, int (*)(FILE *)> maps(std::fopen("/proc/self/maps", "re"), std::fclose);
  if (!maps) return 0;
  std::uintptr_t reached = begin;
  char line[4352];
  while (std::fgets(line, sizeof line, maps.get())) {
    Mapping mapping;
    char right = 0;
    if (std::sscanf(line, "%lx-%lx %c", &mapping.begin, &mapping.end, &right) != 3) continue;
    if (right == 'r' && mapping.begin <= reached && reached < mapping.end) reached = mapping.end;
  }
  return reached - begin;
}

}  // namespace cupilot::emulate::runtime
