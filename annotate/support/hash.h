// SPDX-License-Identifier: Apache-2.0
//
// SHA-256 (FIPS 180-4), which identifies kernels, files and records. A reviewer can recompute any hash with
// `sha256sum`. It is implemented here because the launcher links nothing but the C++ library.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace cupilot {

class Sha256 {
public:
  Sha256 &update(std::string_view bytes);
  /// Hashes the length before the bytes, so that ("ab","c") and ("a","bc") differ.
  Sha256 &field(std::string_view bytes);
  /// Returns 64 lower-case hexadecimal digits. The object must not be used afterwards.
  std::string hex();

private:
  void block(const unsigned char *data);
  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> pending_{};
  std::uint64_t length_ = 0;
};

/// Equal to `printf %s "$bytes" | sha256sum`.
std::string sha256(std::string_view bytes);

}  // namespace cupilot
