// SPDX-License-Identifier: Apache-2.0
//
// Data of many structures in one buffer, as a pure function of seed and index; C++17 for GPU and host. The
// buffer is cut into patches: several rows, a row, or pieces of a row. Each draws what it is from a small
// grammar: a structure (one number, whole numbers, a ramp, a wave, a walk, a period, runs of zeros, zeros at
// every k-th place, a single number, the row before moved, permuted, reversed or the same), a scale, an
// offset, a sign, and whether it is rounded to whole numbers or to two decimals. A variant that is right for
// random numbers only meets all of them, and it cannot know where.

#pragma once

#include <cmath>
#include <cstdint>

#include "evolution/judge/data/random_bits.h"

/// In device code one copy of these serves the kernels of all types: inlined, they take minutes to compile.
#ifdef __CUDACC__
#define CUPILOT_ONE_COPY __noinline__
#else
#define CUPILOT_ONE_COPY
#endif

namespace cupilot::judge::data {

/// Buffers shorter than this are taken for one row, such as the weights of a layer.
inline constexpr std::uint64_t kOneRow = 1009;

struct Patchwork {
  std::uint64_t seed = 0, count = 0;
  std::uint64_t row = 0;     ///< length of a row in elements; 0: unknown
  std::uint64_t turn = 0;    ///< picks the structure of a buffer of one row, so that runs cover all
  double low = 0, high = 0;  ///< powers of two that scales are between
  double level_low = 0, level_high = 0;  ///< the same for a buffer of one number: gains, units
};

enum class PatchKind : int {
  random,
  constant,
  whole,
  ramp,
  wave,
  walk,
  period,
  runs_of_equal,
  nearly_level,
  zero_runs,
  zero_places,
  only_one,
  moved,
  permuted,
  reversed,
  same,
};
inline constexpr std::uint64_t kPatchKinds = 16;

/// Some consecutive elements of one structure.
struct Patch {
  std::uint64_t begin = 0, length = 1;
  std::uint64_t bits = 0;  ///< its own random numbers
  PatchKind kind = PatchKind::random;
};

CUPILOT_ANYWHERE inline std::uint64_t row_of(const Patchwork &all) {
  if (all.count < kOneRow) return all.count ? all.count : 1;
  if (all.row > 0) return all.row;
  return 8ull << input_bits(all.seed, 0x726f77ull) % 8;
}

/// A buffer of one row takes what its turn says: one number, a single number among zeros, or pieces.
CUPILOT_ANYWHERE inline Patch only_patch(const Patchwork &all, std::uint64_t index) {
  constexpr std::uint64_t kForms = 3, kShortPieces = 4;
  const std::uint64_t bits = input_bits(all.seed, 0x6f6e65ull);
  if (all.turn % kForms == 0) return {0, all.count, bits, PatchKind::constant};
  if (all.turn % kForms == 1) return {0, all.count, bits, PatchKind::only_one};
  const std::uint64_t length = 8ull << bits % kShortPieces, begin = index / length * length;
  const std::uint64_t own = input_bits(all.seed ^ 0x7069656365ull, begin);
  return {begin, length, own, static_cast<PatchKind>(own % kPatchKinds)};
}

/// Rows take the structures in turn, from a place that the seed picks, so that all are there.
CUPILOT_ANYWHERE inline Patch patch_at(const Patchwork &all, std::uint64_t index) {
  if (all.count < kOneRow) return only_patch(all, index);
  constexpr std::uint64_t kRowsTogether = 4, kPieces = 5;
  const std::uint64_t row = row_of(all), line = index / row, group = line / kRowsTogether;
  const std::uint64_t cut = input_bits(all.seed ^ 0x637574ull, group);
  std::uint64_t number = line, length = row;
  if (cut % 8 == 0) number = group, length = row * kRowsTogether;
  const std::uint64_t turn = number / kPatchKinds;
  std::uint64_t kind = permuted(number % kPatchKinds, kPatchKinds, all.seed + turn);
  const std::uint64_t piece = 8ull << (cut >> 8) % kPieces;
  if (cut % 8 >= 6 && piece < row) {
    length = piece;
    kind = input_bits(all.seed ^ 0x7069656365ull, index / piece) >> 32;
  }
  const std::uint64_t begin = index / length * length;
  return {begin, length, input_bits(all.seed ^ length, begin), static_cast<PatchKind>(kind % kPatchKinds)};
}

/// The place in the stretch before that this place repeats.
CUPILOT_ANYWHERE inline std::uint64_t place_before(const Patch &patch, std::uint64_t place) {
  switch (patch.kind) {
    case PatchKind::moved:
      return (place + 1 + (patch.bits >> 8) % patch.length) % patch.length;
    case PatchKind::permuted:
      return permuted(place, patch.length, patch.bits);
    case PatchKind::reversed:
      return patch.length - 1 - place;
    default:
      return place;
  }
}

/// Piecewise straight between random numbers: smooth, as sampled signals are.
CUPILOT_ANYWHERE inline double walk_value(std::uint64_t seed, std::uint64_t place) {
  constexpr std::uint64_t kStep = 24;
  const double from = normal_value(input_bits(seed, place / kStep));
  const double to = normal_value(input_bits(seed, place / kStep + 1));
  return from + (to - from) * static_cast<double>(place % kStep) / static_cast<double>(kStep);
}

/// Parabolas that go up and down by turns.
CUPILOT_ANYWHERE inline double wave_value(std::uint64_t bits, std::uint64_t place) {
  const std::uint64_t half = 4 + (bits >> 8) % 61, at = place + (bits >> 16) % 64;
  const double t = static_cast<double>(at % half) / static_cast<double>(half), height = 4 * t * (1 - t);
  return at / half % 2 ? -height : height;
}

/// Whether zeros stand here: in runs of 4 to 512, or at, or everywhere but at, every k-th place.
CUPILOT_ANYWHERE inline bool is_zero_place(const Patch &patch, std::uint64_t place) {
  if (patch.kind == PatchKind::only_one) return place != (patch.bits >> 8) % patch.length;
  if (patch.kind == PatchKind::zero_runs) {
    const std::uint64_t width = 4ull << (patch.bits >> 8) % 8;
    return ((place / width) ^ (patch.bits >> 16)) % 2 == 0;
  }
  const std::uint64_t step = (patch.bits >> 8) % 2 ? 2 : 2 + (patch.bits >> 16) % 7;
  const bool here = (place + (patch.bits >> 24)) % step == 0;
  return here == ((patch.bits >> 32) % 2 == 0);
}

/// Of the order of one.
CUPILOT_ANYWHERE CUPILOT_ONE_COPY inline double unit_value(const Patch &patch, std::uint64_t place) {
  const double one = 1 + unit_interval(static_cast<std::uint32_t>(patch.bits >> 32));
  const double normal = normal_value(input_bits(patch.bits, place));
  const double share = (static_cast<double>(place) + 1) / static_cast<double>(patch.length);
  constexpr std::uint64_t kOdd = 61;
  switch (patch.kind) {
    case PatchKind::constant:
      return one;
    case PatchKind::ramp:
      return patch.bits % 2 ? share : 1 - share;
    case PatchKind::wave:
      return wave_value(patch.bits, place);
    case PatchKind::walk:
      return walk_value(patch.bits, place);
    case PatchKind::period:
      return normal_value(input_bits(patch.bits, place % (2 + (patch.bits >> 8) % 40)));
    case PatchKind::runs_of_equal:
      return normal_value(input_bits(patch.bits, place >> (1 + (patch.bits >> 8) % 5)));
    case PatchKind::nearly_level:
      return input_bits(~patch.bits, place) % kOdd == 0 ? normal : one;
    case PatchKind::only_one:
      return is_zero_place(patch, place) ? 0 : one;
    case PatchKind::zero_runs:
    case PatchKind::zero_places:
      return is_zero_place(patch, place) ? 0 : normal;
    default:
      return normal;
  }
}

/// The patch that decides an element, and the place in it: references to the row before are followed.
struct PatchPlace {
  Patch patch;
  std::uint64_t place = 0;
};
CUPILOT_ANYWHERE CUPILOT_ONE_COPY inline PatchPlace resolved_place(const Patchwork &all,
                                                                   std::uint64_t index) {
  constexpr int kMostSteps = 4;
  for (int step = 0;; ++step) {
    Patch patch = patch_at(all, index);
    const std::uint64_t place = index - patch.begin;
    if (patch.kind < PatchKind::moved) return {patch, place};
    if (patch.begin < patch.length || step == kMostSteps) {
      patch.kind = PatchKind::random;
      return {patch, place};
    }
    index = patch.begin - patch.length + place_before(patch, place);
  }
}

CUPILOT_ANYWHERE CUPILOT_ONE_COPY inline double patchwork_value(const Patchwork &all, std::uint64_t index) {
  const PatchPlace at = resolved_place(all, index);
  const std::uint64_t bits = input_bits(at.patch.bits, 0x7363616c65ull);
  constexpr std::uint64_t kRareSign = 4, kRareOffset = 8;
  const bool level = at.patch.kind == PatchKind::constant && at.patch.length >= all.count;
  const double low = level ? all.level_low : all.low, high = level ? all.level_high : all.high;
  const auto powers = static_cast<std::uint64_t>(high - low) + 1;
  const double scale = ldexp(1.0, static_cast<int>(low) + static_cast<int>((bits >> 8) % powers));
  double value = unit_value(at.patch, at.place);
  if ((bits >> 16) % kRareOffset == 0 && at.patch.kind < PatchKind::zero_runs) value += 16;
  if ((bits >> 24) % kRareSign == 0) value = -value;
  value *= scale;
  const bool whole = at.patch.kind == PatchKind::whole || (bits >> 32) % 2 == 0;
  if (whole && scale >= 2) return floor(value + 0.5);
  const bool decimals = (bits >> 33) % 4 == 0 && scale >= 0x1p-4 && scale <= 0x1p12;
  return decimals ? floor(value * 100 + 0.5) / 100 : value;
}

/// From 0 to below 1, for data that must keep its range; its ends are there, too.
CUPILOT_ANYWHERE CUPILOT_ONE_COPY inline double patchwork_share(const Patchwork &all, std::uint64_t index) {
  constexpr double kMost = 1 - 0x1p-20;
  const PatchPlace at = resolved_place(all, index);
  const std::uint64_t end = (at.patch.bits >> 44) % 3;
  if (at.patch.kind == PatchKind::constant && end < 2) return end == 0 ? 0 : kMost;
  const double value = unit_value(at.patch, at.place), size = value < 0 ? -value : value;
  const double share = size - floor(size);
  return share < kMost ? share : kMost;
}

/// Whole numbers from 0 to `range` - 1: in turn, from the first or another one, upwards or downwards; in
/// runs; in a period; one only; and random ones. In every other turn most of a buffer has one form.
CUPILOT_ANYWHERE CUPILOT_ONE_COPY inline double patchwork_integer(const Patchwork &all, double range,
                                                                  std::uint64_t index) {
  const auto span = static_cast<std::uint64_t>(range);
  constexpr std::uint64_t kForms = 8;
  PatchPlace at = resolved_place(all, index);
  std::uint64_t form = (at.patch.bits >> 40) % kForms;
  const std::uint64_t own = input_bits(all.seed, 0x6f6e65ull), turned = all.turn / 2 % kForms;
  // Numbers in turn end before the buffer does: who looks at its start only is wrong.
  const std::uint64_t eighths = 1 + own % (turned == 0 ? 7 : 8);
  if (all.turn % 2 == 0 && index < all.count / 8 * eighths + all.count % 8) {
    at = {{0, all.count, own, PatchKind::random}, index};
    form = turned;
  }
  const std::uint64_t bits = at.patch.bits, place = at.place, random = input_bits(bits, place) % span;
  switch (form) {
    case 0:
      return static_cast<double>(place % span);
    case 1:
      return static_cast<double>(span - 1 - place % span);
    case 2:
      return static_cast<double>((place >> (bits >> 8) % 9) % span);
    case 3:
      return static_cast<double>((bits % span + place) % span);
    case 4:
      return static_cast<double>((place % span * (1 + (bits >> 8) % 7)) % span);
    case 5:
      return static_cast<double>(input_bits(bits, place % (2 + (bits >> 8) % 60)) % span);
    case 6:
      return static_cast<double>(place % 2 ? bits % span : random);
    default:
      return static_cast<double>(random);
  }
}

}  // namespace cupilot::judge::data

#undef CUPILOT_ONE_COPY
