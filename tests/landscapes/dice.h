// SPDX-License-Identifier: Apache-2.0
//
// Chance that is the same on every machine and does not depend on the order of questions: a number is a
// function of a seed and of what it is about. The standard library's distributions differ between libraries.

#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <string_view>

namespace cupilot::landscapes {

inline std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15u;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

class Dice {
public:
  explicit Dice(std::uint64_t seed) : seed_(mixed(seed)) {}

  std::uint64_t number(std::string_view about) const {
    std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
    for (const char c : about) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return mixed(hash ^ seed_);
  }
  /// 0 <= x < 1
  double uniform(std::string_view about) const {
    return static_cast<double>(number(about) >> 11) * 0x1.0p-53;
  }
  std::size_t below(std::size_t count, std::string_view about) const { return number(about) % count; }
  bool chance(double probability, std::string_view about) const { return uniform(about) < probability; }
  double normal(std::string_view about) const {
    const double one = uniform(std::string(about) + "/1"), two = uniform(std::string(about) + "/2");
    return std::sqrt(-2 * std::log1p(-one)) * std::cos(2 * std::numbers::pi * two);
  }
  double exponential(std::string_view about) const { return -std::log1p(-uniform(about)); }

private:
  std::uint64_t seed_;
};

}  // namespace cupilot::landscapes
