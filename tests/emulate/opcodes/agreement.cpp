// SPDX-License-Identifier: Apache-2.0
//
// When two results agree, and the tables of how many did.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>

#include "tests/emulate/opcodes/emulated.h"
#include "tests/emulate/opcodes/reference.h"

namespace cupilot::opcodes {
namespace {

using u64 = std::uint64_t;
using Format = Tolerance::Format;

const Real &real_of(Format format) {
  switch (format) {
    case Format::f16:
    case Format::f16x2:
      return kF16;
    case Format::bf16:
    case Format::bf16x2:
      return kBf16;
    case Format::f64:
      return kF64;
    default:
      return kF32;
  }
}
bool packed(Format format) {
  return format == Format::f16x2 || format == Format::bf16x2 || format == Format::f32x2;
}

/// Places on the number line: adjacent numbers differ by one.
double place(const Real &real, u64 bits) {
  const u64 sign = u64{1} << (real.bits - 1);
  const double magnitude = static_cast<double>(bits & (sign - 1));
  return bits & sign ? -magnitude : magnitude;
}

Agreement compare_scalar(const Tolerance &tolerance, const Real &real, u64 expected, u64 got) {
  if (expected == got) return Agreement::equal;
  const long double a = decode(expected, real), b = decode(got, real);
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b) && tolerance.any_nan ? Agreement::equal : Agreement::different;
  if (tolerance.any_zero && a == 0 && b == 0) return Agreement::equal;
  if (tolerance.ulps > 0 && std::abs(place(real, expected) - place(real, got)) <= tolerance.ulps)
    return Agreement::near;
  if (tolerance.absolute > 0 && std::abs(a - b) <= static_cast<long double>(tolerance.absolute))
    return Agreement::near;
  return Agreement::different;
}

std::string hex(u64 value) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "%llx", static_cast<unsigned long long>(value));
  return text.data();
}

std::string described(const Form &form, const Row &operands, std::size_t result, u64 expected, u64 got) {
  std::string text = form.name + " (";
  for (std::size_t i = 0; i < form.operands.size(); ++i) text += (i == 0 ? "" : ", ") + hex(operands[i]);
  return text + ") result " + std::to_string(result) + ": expected " + hex(expected) + ", got " + hex(got);
}

}  // namespace

Agreement compare(const Tolerance &tolerance, u64 expected, u64 got) {
  if (expected == got) return Agreement::equal;
  if (tolerance.format == Format::bits) return Agreement::different;
  const Real &real = real_of(tolerance.format);
  if (!packed(tolerance.format)) return compare_scalar(tolerance, real, expected, got);
  const u64 low = (u64{1} << real.bits) - 1;
  return std::max(compare_scalar(tolerance, real, expected & low, got & low),
                  compare_scalar(tolerance, real, expected >> real.bits & low, got >> real.bits & low));
}

Counts compare_rows(const Form &form, const std::vector<WarpRows> &operands,
                    const std::vector<WarpRows> &expected, const std::vector<WarpRows> &got,
                    const std::string &title, std::string &said) {
  Counts counts;
  counts.forms = 1;
  for (std::size_t thread = 0; thread < operands.size() * kWarp; ++thread) {
    const std::size_t warp = thread / kWarp, lane = thread % kWarp;
    for (std::size_t i = 0; i < form.results.size(); ++i) {
      const u64 a = expected[warp][lane][i], b = got[warp][lane][i];
      ++counts.values;
      switch (compare(form.tolerances[i], a, b)) {
        case Agreement::equal:
          ++counts.equal;
          continue;
        case Agreement::near:
          ++counts.near;
          continue;
        case Agreement::different:
          break;
      }
      if (counts.different++ < 5)
        said += title + ": " + described(form, operands[warp][lane], i, a, b) + "\n";
    }
  }
  counts.failed_forms = counts.different != 0;
  return counts;
}

std::string to_string(const Table &table) {
  std::array<char, 160> line{};
  std::string text;
  const auto add = [&](const char *name, const Counts &c) {
    std::snprintf(line.data(), line.size(), "%-14s %6u %8u %8u %10llu %10llu %10llu %10llu %10llu\n", name,
                  c.forms, c.failed_forms, c.refused, static_cast<unsigned long long>(c.values),
                  static_cast<unsigned long long>(c.equal), static_cast<unsigned long long>(c.near),
                  static_cast<unsigned long long>(c.different), static_cast<unsigned long long>(c.known));
    text += line.data();
  };
  std::snprintf(line.data(), line.size(), "%-14s %6s %8s %8s %10s %10s %10s %10s %10s\n", "family", "forms",
                "differ", "refused", "values", "bit-equal", "within ulp", "different", "known");
  text += line.data();
  Counts all;
  for (const auto &[family, c] : table) {
    add(family.c_str(), c);
    all.forms += c.forms;
    all.failed_forms += c.failed_forms;
    all.refused += c.refused;
    all.values += c.values;
    all.equal += c.equal;
    all.near += c.near;
    all.different += c.different;
    all.known += c.known;
  }
  add("all", all);
  return text;
}

}  // namespace cupilot::opcodes
