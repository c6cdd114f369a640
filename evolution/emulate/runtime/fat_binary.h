// SPDX-License-Identifier: Apache-2.0
//
// Reads the containers in which nvcc and clang embed device code. The program is untrusted, so every length
// is checked against the bytes available. The layout, all little-endian, was found by comparing compiler
// outputs:
//   container  u32 magic 0xba55ed50, u16 version, u16 header bytes (16), u64 bytes of all entries
//   entry      u16 kind (1 PTX, 2 machine code), u16 version, u32 header bytes, u64 payload bytes,
//              u32 packed bytes, u32, u16 minor, u16 major, u32 architecture (90), ..., u64 flags at 40,
//              ..., u64 unpacked bytes at 56; flags 0x2000: LZ4 block, 0x8000: zstd frame

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot::emulate::runtime {

enum class FatKind : std::uint8_t { ptx, machine_code, other };
enum class Packing : std::uint8_t { none, lz4, zstd };

struct FatEntry {
  FatKind kind = FatKind::other;
  Packing packing = Packing::none;
  unsigned architecture = 0;           ///< 90 for compute_90 and sm_90
  std::span<const std::byte> payload;  ///< compressed as `packing` says; PTX may be padded with zeros
  std::uint64_t unpacked_bytes = 0;    ///< 0 when not packed
};

inline constexpr std::uint32_t kContainerMagic = 0xba55ed50, kWrapperMagic = 0x466243b1;

/// The error of a fat binary that cannot be read: `what` is wrong with it.
std::unexpected<Error> damaged_fat_binary(std::string_view what);

/// `bytes` begins with the container and may be longer than it.
Result<std::vector<FatEntry>> read_container(std::span<const std::byte> bytes);

/// The text of a PTX entry, unpacked.
Result<std::string> ptx_text(const FatEntry &entry);
/// The bytes of any entry, unpacked.
Result<std::string> unpack(const FatEntry &entry);

/// The newest PTX not above the architecture; an error names the compiler flag that is missing.
Result<FatEntry> choose_ptx(std::span<const FatEntry> entries, unsigned architecture);

/// How many bytes of this process can be read from `address` on without a fault; 0: none.
std::size_t readable_bytes(const void *address);

}  // namespace cupilot::emulate::runtime
