// SPDX-License-Identifier: Apache-2.0
//
// Numbers of the corpus' types as double, and random ones that are the same everywhere.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/emulate/corpus/case.h"

namespace cupilot::corpus {

void store(Scalar type, std::byte *to, double value);
double load(Scalar type, const std::byte *from);
double half_to_double(std::uint16_t bits);
std::uint16_t double_to_half(double value);  ///< rounded to nearest even
std::uint16_t double_to_bf16(double value);

/// The i-th element of an argument.
inline double at(const Argument &a, std::uint64_t i) {
  return load(a.type, a.bytes.data() + i * size_of(a.type));
}
inline void set(Argument &a, std::uint64_t i, double value) {
  store(a.type, a.bytes.data() + i * size_of(a.type), value);
}

class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u) {}
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::vector<std::uint64_t> order(std::uint64_t count) {
    std::vector<std::uint64_t> result(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t j = next() % (i + 1);
      result[i] = result[j];
      result[j] = i;
    }
    return result;
  }

private:
  std::uint64_t state_;
};

}  // namespace cupilot::corpus
