// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "tests/emulate/corpus/number.h"
#include "tests/emulate/corpus/references.h"

namespace cupilot::corpus {
namespace {

using Arguments = std::vector<Argument>;

void histogram(const Case &, Arguments &a) {
  for (std::uint64_t i = 0; i < a[0].count; ++i) ++a[1].as<int>()[a[0].as<int>()[i]];
}

void minimum(const Case &, Arguments &a) {
  *a[1].as<float>() =
      std::min(*a[1].as<float>(), *std::min_element(a[0].as<float>(), a[0].as<float>() + a[0].count));
}

void every_operation(const Case &, Arguments &a) {
  int y[8] = {0, 0, 0, 0, 0, -1, 0, 0};
  for (std::uint64_t i = 0; i < a[0].count; ++i) {
    const int v = a[0].as<int>()[i];
    y[0] += v;
    y[1] -= v;
    y[2] = std::max(y[2], v);
    y[3] = std::min(y[3], -v);
    y[4] = static_cast<int>(static_cast<unsigned>(y[4]) | 1u << (v & 31));
    y[5] = static_cast<int>(static_cast<unsigned>(y[5]) & ~(1u << (v & 31)));
    y[6] ^= v;
    y[7] = y[7] >= 9 ? 0 : y[7] + 1;
  }
  std::copy_n(y, 8, a[1].as<int>());
}

void pass_on(const Case &, Arguments &a) {
  for (int i = 0; i < 32; ++i) a[0].as<int>()[i] = 7 * a[3].as<int>()[i];
  for (int i = 0; i < 32; ++i) a[2].as<int>()[i] = a[0].as<int>()[31 - i];
  *a[1].as<int>() = 1;
}

void seven_times(const Case &, Arguments &a) {
  for (std::uint64_t i = 0; i < a[0].count; ++i) a[1].as<int>()[i] = 7 * a[0].as<int>()[i];
}

void reversed_seven(const Case &, Arguments &a) {
  for (std::uint64_t i = 0; i < 128; ++i) a[1].as<int>()[i] = 7 * a[0].as<int>()[i];
  for (std::uint64_t i = 0; i < 128; ++i) a[2].as<int>()[i] = a[1].as<int>()[127 - i];
  *a[3].as<std::uint32_t>() = 4;
}

void copy(const Case &, Arguments &a) {
  a[1].bytes = a[0].bytes;
}

void copy_and_zero(const Case &, Arguments &a) {
  std::fill(a[1].bytes.begin(), a[1].bytes.end(), std::byte{0});
  std::copy(a[0].bytes.begin(), a[0].bytes.end(), a[1].bytes.begin());
}

void reverse_stretches(Arguments &a, std::uint64_t each) {
  for (std::uint64_t i = 0; i < a[0].count; ++i)
    a[1].as<int>()[i] = a[0].as<int>()[i / each * each + each - 1 - i % each];
}
void reverse(const Case &, Arguments &a) {
  reverse_stretches(a, a[0].count);
}
void reverse_halves(const Case &, Arguments &a) {
  reverse_stretches(a, a[0].count / 2);
}

void count_slots(const Case &, Arguments &a) {
  const int *x = a[0].as<int>();
  *a[2].as<std::uint32_t>() =
      static_cast<std::uint32_t>(std::count_if(x, x + a[0].count, [](int v) { return v > 50; }));
}

/// Linear probing takes the same slots whatever the order, but not by the same keys; all keys fit side by
/// side here.
void hash_table_size(const Case &, Arguments &a) {
  for (std::uint64_t i = 0; i < a[0].count; ++i) {
    const int key = a[0].as<int>()[i];
    std::uint32_t slot = static_cast<std::uint32_t>(key) * 2654435761u >> 25;
    while (a[1].as<int>()[slot] != -1) slot = (slot + 1) & 127;
    a[1].as<int>()[slot] = key;
  }
}

}  // namespace

const std::vector<NamedReference> kAtomics = {
    {"histogram", histogram},
    {"minimum", minimum},
    {"every_operation", every_operation},
    {"pass_on", pass_on},
    {"seven_times", seven_times},
    {"reversed_seven", reversed_seven},
    {"copy", copy},
    {"copy_and_zero", copy_and_zero},
    {"reverse", reverse},
    {"reverse_halves", reverse_halves},
    {"count_slots", count_slots},
    {"hash_table_size", hash_table_size},
};

}  // namespace cupilot::corpus
