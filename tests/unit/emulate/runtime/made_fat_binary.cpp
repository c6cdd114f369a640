// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/emulate/runtime/made_fat_binary.h"

#include <lz4.h>
#include <zstd.h>

#include <cstring>

namespace cupilot::emulate::test {
using namespace cupilot::emulate::runtime;
namespace {

std::string pack(const MadeEntry &entry) {
  const auto &content = entry.content;
  std::string packed = content;
  if (entry.packing == Packing::lz4) {
    packed.resize(LZ4_compressBound(static_cast<int>(content.size())));
    packed.resize(LZ4_compress_default(content.data(), packed.data(), static_cast<int>(content.size()),
                                       static_cast<int>(packed.size())));
  }
  if (entry.packing == Packing::zstd) {
    packed.resize(ZSTD_compressBound(content.size()));
    packed.resize(ZSTD_compress(packed.data(), packed.size(), content.data(), content.size(), 3));
  }
  return packed;
}

template <class T>
void put(std::string &to, std::size_t at, T value) {
  std::memcpy(to.data() + at, &value, sizeof value);
}

std::string make_entry(const MadeEntry &entry) {
  const auto packed = pack(entry);
  const auto padded = (packed.size() + 7) / 8 * 8;
  std::string bytes(64, '\0');
  put<std::uint16_t>(bytes, 0, entry.kind);
  put<std::uint16_t>(bytes, 2, 0x101);
  put<std::uint32_t>(bytes, 4, 64);
  put<std::uint64_t>(bytes, 8, padded);
  put<std::uint32_t>(bytes, 28, entry.architecture);
  std::uint64_t flags = 0x11;
  if (entry.packing != Packing::none) {
    flags |= entry.packing == Packing::lz4 ? 0x2000 : 0x8000;
    put<std::uint32_t>(bytes, 16, static_cast<std::uint32_t>(packed.size()));
    put<std::uint64_t>(bytes, 56, entry.content.size());
  }
  put<std::uint64_t>(bytes, 40, flags);
  return bytes + packed + std::string(padded - packed.size(), '\0');
}

}  // namespace

std::string make_container(const std::vector<MadeEntry> &entries) {
  std::string body;
  for (const auto &entry : entries) body += make_entry(entry);
  std::string bytes(16, '\0');
  put<std::uint32_t>(bytes, 0, kContainerMagic);
  put<std::uint16_t>(bytes, 4, 1);
  put<std::uint16_t>(bytes, 6, 16);
  put<std::uint64_t>(bytes, 8, body.size());
  return bytes + body;
}

}  // namespace cupilot::emulate::test
