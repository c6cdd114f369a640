// SPDX-License-Identifier: Apache-2.0
#include "evolution/role/characters.h"

#include <cstddef>

namespace cupilot::role {
namespace {

constexpr char32_t kLast = 0x10ffff, kFirstSurrogate = 0xd800, kLastSurrogate = 0xdfff;

/// Length in bytes of the character with this first byte; 0: no character starts with it.
std::size_t length_of(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

}  // namespace

std::optional<std::u32string> code_points(std::string_view text) {
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  constexpr unsigned char kFirstBits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  std::u32string points;
  points.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    const std::size_t length = length_of(byte(0));
    if (length == 0 || at + length > text.size()) return {};
    char32_t point = byte(0) & kFirstBits[length];
    for (std::size_t i = 1; i < length; ++i) {
      if ((byte(i) & 0xc0) != 0x80) return {};
      point = point << 6 | (byte(i) & 0x3f);
    }
    const bool surrogate = point >= kFirstSurrogate && point <= kLastSurrogate;
    if (point < kLeast[length] || point > kLast || surrogate) return {};
    points += point;
    at += length;
  }
  return points;
}

bool is_control(char32_t point) {
  if (point == '\n' || point == '\t') return false;
  return point < 0x20 || (point >= 0x7f && point < 0xa0) || (point >= 0x202a && point <= 0x202e) ||
         (point >= 0x2066 && point <= 0x2069);
}

}  // namespace cupilot::role
