// SPDX-License-Identifier: Apache-2.0
//
// Contents of the reference programs' buffers, word by word, the same on the GPU and on the CPU.

#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define CUPILOT_BOTH __host__ __device__
#else
#define CUPILOT_BOTH
#endif

namespace cupilot::reference {

enum class Fill : int {
  none,      ///< an output: whatever is there
  uniform,   ///< floats of both signs, 1/2 to 1
  positive,  ///< floats from 1 to 2
  half,      ///< two fp16 from 1 to 2
  bf16,      ///< two bf16 from 1 to 2
  bits,      ///< random words
  index,     ///< random, below `limit`
  rows       ///< row starts: word i lies between i * limit and (i + 1) * limit, ascending
};

CUPILOT_BOTH inline std::uint32_t hashed(std::uint32_t x) {
  x += 0x9e3779b9u;
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

CUPILOT_BOTH inline std::uint32_t fill_word(Fill fill, std::uint32_t i, std::uint32_t limit) {
  const std::uint32_t random = hashed(i);
  switch (fill) {
    case Fill::none:
      return 0;
    case Fill::uniform:
      return (random & 0x80000000u) | 0x3f000000u | (random & 0x7fffffu);
    case Fill::positive:
      return 0x3f800000u | (random & 0x7fffffu);
    case Fill::half:
      return 0x3c003c00u | (random & 0x03ff03ffu);
    case Fill::bf16:
      return 0x3f803f80u | (random & 0x007f007fu);
    case Fill::bits:
      return random;
    case Fill::index:
      return limit ? random % limit : 0;
    case Fill::rows:
      return i * limit + (limit ? random % limit : 0);
  }
  return 0;
}

}  // namespace cupilot::reference
