// SPDX-License-Identifier: Apache-2.0
#include "evolution/device/input_family.h"

#include <algorithm>

namespace cupilot {

namespace {

struct Family {
  const char *name;
  InputShape shape;
  double mean, deviation;  ///< for InputShape::normal
  bool structured = false;
};
/// `user` stands first and is not changed; see input_rule.
constexpr Family kFamilies[] = {
    {"user", InputShape::normal, 0, 1},
    {"normal", InputShape::normal, 0, 1},
    {"scaled_down", InputShape::normal, 0, 1e-3},
    {"scaled_up", InputShape::normal, 0, 64},
    {"large_mean", InputShape::normal, 1e3, 1, true},
    {"ramp", InputShape::ramp, 0, 0, true},
    {"one_hot", InputShape::one_hot, 0, 0, true},
    {"special", InputShape::special, 0, 0},
};

bool is_unsigned(ElementType type) {
  return type == ElementType::u8 || type == ElementType::u16 || type == ElementType::u32 ||
         type == ElementType::u64;
}

double subnormal(ElementType type) {
  switch (type) {
    case ElementType::f16:
      return 0x1p-20;
    case ElementType::f64:
      return 0x1p-1060;
    default:
      return 0x1p-130;
  }
}

/// A class type is carried as bytes; its words are filled as floats, which is what such types mostly hold.
InputRule automatic_rule(ElementType type) {
  if (is_floating(type) || type == ElementType::opaque) return {InputShape::normal, 0, 1};
  if (type == ElementType::boolean) return {InputShape::randint, 0, 2};
  return {InputShape::randint, is_unsigned(type) ? 0.0 : -100.0, 100};
}

Result<InputRule> fill_rule(const Fill &fill, ElementType type) {
  switch (fill.kind) {
    case FillKind::automatic:
      return automatic_rule(type);
    case FillKind::normal:
      return InputRule{InputShape::normal, fill.a, fill.b};
    case FillKind::uniform:
      return InputRule{InputShape::uniform, fill.a, fill.b};
    case FillKind::randint:
      return InputRule{InputShape::randint, fill.a, fill.b};
    case FillKind::iota:
      return InputRule{InputShape::iota};
    case FillKind::zeros:
      return InputRule{InputShape::zeros};
    case FillKind::permutation:
      return InputRule{InputShape::permutation};
    case FillKind::file:
      break;
  }
  return user_error(
      "fill(" + std::string("file(\"") + fill.file +
      "\")) is not supported by this worker yet; use normal, uniform, randint, iota, zeros or permutation");
}

}  // namespace

const std::vector<std::string> &input_families() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Family &family : kFamilies) all.emplace_back(family.name);
    return all;
  }();
  return names;
}

Result<InputRule> input_rule(const std::string &family, const Fill &fill, ElementType type,
                             std::uint64_t count, std::uint64_t seed) {
  const auto known = std::find_if(std::begin(kFamilies), std::end(kFamilies),
                                  [&](const Family &f) { return family == f.name; });
  if (known == std::end(kFamilies)) return fail("unknown input family '" + family + "'");
  CUPILOT_TRY(rule, fill_rule(fill, type));
  const bool changeable = fill.kind == FillKind::automatic || fill.kind == FillKind::normal;
  if (known != std::begin(kFamilies) && is_floating(type) && changeable)
    rule = {known->shape, known->mean, known->deviation};
  rule.count = count;
  rule.seed = seed;
  rule.tiny = subnormal(type);
  return rule;
}

bool is_structured(const std::string &family) {
  return std::any_of(std::begin(kFamilies), std::end(kFamilies),
                     [&](const Family &f) { return family == f.name && f.structured; });
}

bool can_be_nudged(InputShape shape) {
  switch (shape) {
    case InputShape::normal:
    case InputShape::uniform:
    case InputShape::ramp:
    case InputShape::one_hot:
    case InputShape::special:
      return true;
    default:
      return false;
  }
}

std::uint64_t derived_seed(std::uint64_t seed, const std::string &name) {
  std::uint64_t mixed = input_bits(seed, name.size());
  for (const char c : name) mixed = input_bits(mixed, static_cast<unsigned char>(c));
  return mixed;
}

}  // namespace cupilot
