// SPDX-License-Identifier: Apache-2.0
// Bits of written bytes, word by word.

#include "evolution/emulate/memory/written_bits.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace cupilot::emulate::memory {
namespace {

/// The bits of word `at / 64` that [at, at + bytes) covers, and how many bytes these are.
struct Part {
  std::uint64_t bits;
  std::uint64_t bytes;
};

Part part_of(std::uint64_t at, std::uint64_t bytes) {
  const std::uint64_t shift = at % 64, count = std::min(bytes, 64 - shift);
  return {(count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1) << shift, count};
}

}  // namespace

WrittenBits::WrittenBits(std::uint64_t bytes) : count_(bytes / 64 + 1) {
  words_.reset(static_cast<std::uint64_t *>(std::calloc(count_, sizeof(std::uint64_t))));
}

void WrittenBits::set_words(std::uint64_t at, std::uint64_t bytes) {
  while (bytes > 0) {
    const Part part = part_of(at, bytes);
    std::uint64_t &word = words_[at / 64];
    if ((__atomic_load_n(&word, __ATOMIC_RELAXED) & part.bits) != part.bits)
      __atomic_fetch_or(&word, part.bits, __ATOMIC_RELAXED);
    at += part.bytes;
    bytes -= part.bytes;
  }
}

std::uint64_t WrittenBits::search(std::uint64_t at, std::uint64_t bytes) const {
  std::uint64_t done = 0;
  while (done < bytes) {
    const Part part = part_of(at + done, bytes - done);
    const std::uint64_t missing = ~__atomic_load_n(&words_[(at + done) / 64], __ATOMIC_RELAXED) & part.bits;
    if (missing) return done + static_cast<std::uint64_t>(std::countr_zero(missing)) - (at + done) % 64;
    done += part.bytes;
  }
  return bytes;
}

void WrittenBits::clear() {
  if (words_) std::memset(words_.get(), 0, count_ * sizeof(std::uint64_t));
}

}  // namespace cupilot::emulate::memory
