// SPDX-License-Identifier: Apache-2.0
//
// One bit for each byte of an allocation: whether it was ever written. Host threads may set bits of the same
// word concurrently; they never clear one.

#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace cupilot::emulate::memory {

class WrittenBits {
public:
  WrittenBits() = default;  ///< not tracked: everything counts as written
  explicit WrittenBits(std::uint64_t bytes);

  explicit operator bool() const { return words_ != nullptr; }
  void set(std::uint64_t at, std::uint64_t bytes) {
    if (!within_written_word(at, bytes)) set_words(at, bytes);
  }
  bool all(std::uint64_t at, std::uint64_t bytes) const { return first_clear(at, bytes) == bytes; }
  /// The number of written bytes from `at` on before the first unwritten one; `bytes` when all are written.
  std::uint64_t first_clear(std::uint64_t at, std::uint64_t bytes) const {
    return within_written_word(at, bytes) ? bytes : search(at, bytes);
  }
  void clear();

private:
  /// The frequent case: one lane's bytes, all written before.
  bool within_written_word(std::uint64_t at, std::uint64_t bytes) const {
    if (at % 64 + bytes > 64 || bytes == 64) return false;
    const std::uint64_t bits = ((std::uint64_t{1} << bytes) - 1) << at % 64;
    return (__atomic_load_n(&words_[at / 64], __ATOMIC_RELAXED) & bits) == bits;
  }
  void set_words(std::uint64_t at, std::uint64_t bytes);
  std::uint64_t search(std::uint64_t at, std::uint64_t bytes) const;

  struct Free {
    void operator()(std::uint64_t *words) const { std::free(words); }
  };
  std::unique_ptr<std::uint64_t[], Free> words_;  ///< from calloc: untouched parts cost no memory
  std::uint64_t count_ = 0;
};

}  // namespace cupilot::emulate::memory
