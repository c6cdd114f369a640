// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/mixed_shifts.h"

#include <algorithm>
#include <string>

#include "evolution/judge/data/element_type.h"
#include "evolution/judge/data/input_family.h"

namespace cupilot::judge::cases {

namespace {

constexpr std::size_t kMostPointers = 64 / kShiftBits;
constexpr std::uint64_t kVectorBytes = 16, kLeastAmounts = 4;

/// 16 bytes in elements, at least one.
std::uint64_t vector_of(const PlacedBuffer &buffer) {
  const auto bytes = data::element_size(buffer.element.type) * buffer.element.lanes;
  return std::max<std::uint64_t>(kVectorBytes / std::max<std::uint64_t>(bytes, 1), 1);
}

/// How many shifts a buffer has.
std::uint64_t amounts_of(const PlacedBuffer &buffer) {
  return std::max(vector_of(buffer), kLeastAmounts);
}

/// Each pointer is past by whole vectors: up to 48 bytes, or 15 elements.
Shifts whole_vectors(const CaseLayout &layout, std::size_t pointers, std::uint64_t drawn) {
  constexpr std::uint64_t kMostVectors = 3, kMostElements = (1u << kShiftBits) - 1;
  Shifts shifts = 0;
  for (std::size_t i = 0; i < pointers; ++i) {
    const std::uint64_t vector = vector_of(layout.buffers[i]);
    const std::uint64_t most = std::min(kMostVectors, kMostElements / vector);
    shifts |= data::input_bits(drawn, i) % (most + 1) * vector << (i * kShiftBits);
  }
  return shifts;
}

bool is_known(Shifts shifts, std::size_t pointers) {
  bool alike = true;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < pointers; ++i) {
    alike = alike && shift_of(shifts, i) == shift_of(shifts, 0);
    sum += shift_of(shifts, i);
  }
  return alike || sum <= 1;
}

}  // namespace

std::vector<Shifts> mixed_shifts(const CaseLayout &layout, std::size_t most, std::uint64_t seed) {
  std::vector<std::uint64_t> amounts;
  std::uint64_t ways = 1;
  for (std::size_t i = 0; i < std::min(layout.buffers.size(), kMostPointers); ++i) {
    amounts.push_back(amounts_of(layout.buffers[i]));
    ways = std::min<std::uint64_t>(ways * amounts.back(), 1u << 20);
  }
  std::vector<Shifts> found;
  const auto add = [&](Shifts shifts) {
    if (!is_known(shifts, amounts.size()) && std::ranges::find(found, shifts) == found.end())
      found.push_back(shifts);
  };
  for (std::size_t n = 0; most > kWholeVectors && n < kWholeVectors; ++n)
    add(whole_vectors(layout, amounts.size(), data::derived_seed(seed, "vectors " + std::to_string(n))));
  if (ways <= most + amounts.size() + kLeastAmounts) {
    for (std::uint64_t way = 0; way < ways; ++way) {
      Shifts shifts = 0;
      std::uint64_t rest = way;
      for (std::size_t i = 0; i < amounts.size(); rest /= amounts[i], ++i)
        shifts |= rest % amounts[i] << (i * kShiftBits);
      add(shifts);
    }
    return found;
  }
  auto draw = [&, number = 0]() mutable {
    return data::derived_seed(seed, "shift " + std::to_string(number++)) >> 8;
  };
  const std::size_t tries = 4 * most, all = found.size() + most;
  for (std::size_t n = 0; found.size() < all && n < tries; ++n) {
    Shifts shifts = 0;
    const std::size_t first = draw() % amounts.size();
    const std::size_t second = (first + 1 + draw() % (amounts.size() - 1)) % amounts.size();
    for (std::size_t i = 0; i < amounts.size(); ++i)
      if ((n + seed) % 2 || i == first || i == second) shifts |= draw() % amounts[i] << (i * kShiftBits);
    add(shifts);
  }
  return found;
}

}  // namespace cupilot::judge::cases
