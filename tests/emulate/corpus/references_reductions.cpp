// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "tests/emulate/corpus/number.h"
#include "tests/emulate/corpus/references.h"

namespace cupilot::corpus {
namespace {

using Arguments = std::vector<Argument>;

double sum(const Argument &a, std::uint64_t from, std::uint64_t to) {
  double result = 0;
  for (std::uint64_t i = from; i < to; ++i) result += at(a, i);
  return result;
}

/// Equal stretches of the input, one an output.
void stretch_sums(const Case &, Arguments &a) {
  const std::uint64_t each = a[0].count / a[1].count;
  for (std::uint64_t b = 0; b < a[1].count; ++b) set(a[1], b, sum(a[0], b * each, (b + 1) * each));
}

void total(const Case &, Arguments &a) {
  set(a[1], 0, at(a[1], 0) + sum(a[0], 0, a[0].count));
}

void last_block(const Case &, Arguments &a) {
  const std::uint64_t each = a[0].count / a[1].count;
  for (std::uint64_t b = 0; b < a[1].count; ++b) set(a[1], b, sum(a[0], b * each, (b + 1) * each));
  set(a[2], 0, sum(a[0], 0, a[0].count));
}

void maximum(const Case &, Arguments &a) {
  for (std::uint64_t i = 0; i < a[0].count; ++i) set(a[1], 0, std::max(at(a[1], 0), at(a[0], i)));
}

void argmax(const Case &, Arguments &a) {
  std::uint32_t best = 0;
  for (std::uint32_t i = 0; i < a[0].count; ++i)
    if (at(a[0], i) > at(a[0], best)) best = i;
  std::uint32_t bits = *reinterpret_cast<std::uint32_t *>(a[0].as<float>() + best);
  bits = (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
  *a[1].as<std::uint64_t>() = std::uint64_t{bits} << 32 | (0xffffffffu - best);
  set(a[2], 0, best);
}

void dot(const Case &, Arguments &a) {
  double result = 0;
  for (std::uint64_t i = 0; i < a[0].count; ++i) result += at(a[0], i) * at(a[1], i);
  set(a[2], 0, result);
}

void count_large(const Case &, Arguments &a) {
  for (std::uint64_t i = 0; i < a[0].count; ++i)
    if (at(a[0], i) > 50) set(a[1], 0, at(a[1], 0) + 1);
}

void any_all(const Case &, Arguments &a) {
  const int *x = a[0].as<int>();
  set(a[1], 0, std::any_of(x, x + a[0].count, [](int v) { return v > 95; }));
  set(a[1], 1, std::all_of(x, x + a[0].count, [](int v) { return v >= 0; }));
}

void mean_variance(const Case &, Arguments &a) {
  const std::uint64_t columns = a[0].count / (a[1].count / 2);
  for (std::uint64_t row = 0; row < a[1].count / 2; ++row) {
    const double mean = sum(a[0], row * columns, (row + 1) * columns) / static_cast<double>(columns);
    double squares = 0;
    for (std::uint64_t c = 0; c < columns; ++c) {
      const double d = at(a[0], row * columns + c) - mean;
      squares += d * d;
    }
    set(a[1], 2 * row, mean);
    set(a[1], 2 * row + 1, squares / static_cast<double>(columns));
  }
}

void scan(Arguments &a, std::uint64_t each, bool exclusive) {
  double before = 0;
  for (std::uint64_t i = 0; i < a[0].count; ++i) {
    if (i % each == 0) before = 0;
    const double after = before + at(a[0], i);
    set(a[1], i, exclusive ? before : after);
    before = after;
  }
}
void block_scan(const Case &c, Arguments &a) {
  scan(a, a[0].count / blocks_of(c), false);
}
void block_scan_exclusive(const Case &c, Arguments &a) {
  scan(a, a[0].count / blocks_of(c), true);
}

void lookback(const Case &c, Arguments &a) {
  scan(a, a[0].count, false);
  for (std::uint64_t b = 0; b < blocks_of(c); ++b)
    a[2].as<std::uint64_t>()[b] = 2ull << 32 | static_cast<std::uint32_t>(a[1].as<int>()[(b + 1) * 64 - 1]);
  set(a[3], 0, static_cast<double>(blocks_of(c)));
}

void count_compacted(const Case &, Arguments &a) {
  const int *x = a[0].as<int>();
  set(a[2], 0, static_cast<double>(std::count_if(x, x + a[0].count, [](int v) { return v > 50; })));
}

void segmented(const Case &, Arguments &a) {
  double running = 0;
  for (std::uint64_t i = 0; i < a[0].count; ++i) {
    if (at(a[1], i) == 0) running = 0;
    running += at(a[0], i);
    set(a[2], i, running);
  }
}

void reverse_blocks(const Case &c, Arguments &a) {
  const std::uint64_t each = a[0].count / blocks_of(c);
  for (std::uint64_t i = 0; i < a[0].count; ++i)
    set(a[1], i, at(a[0], i / each * each + each - 1 - i % each));
}

void quad_votes(const Case &, Arguments &a) {
  for (std::uint64_t q = 0; q < a[1].count; ++q) {
    int votes = 0;
    for (std::uint64_t i = 0; i < 4; ++i) votes |= (at(a[0], 4 * q + i) > 50 ? 1 : 0) << i;
    set(a[1], q, votes | (votes != 0 ? 1 : 0) << 8 | (votes == 15 ? 1 : 0) << 9);
  }
}

void broadcast16(const Case &, Arguments &a) {
  for (std::uint64_t i = 0; i < a[0].count; ++i) set(a[1], i, at(a[0], i / 16 * 16 + 5));
}

}  // namespace

const std::vector<NamedReference> kReductions = {
    {"block_sums", stretch_sums},
    {"row_sums", stretch_sums},
    {"total", total},
    {"total_int", total},
    {"last_block", last_block},
    {"maximum", maximum},
    {"argmax", argmax},
    {"dot", dot},
    {"count_large", count_large},
    {"any_all", any_all},
    {"mean_variance", mean_variance},
    {"block_scan", block_scan},
    {"block_scan_exclusive", block_scan_exclusive},
    {"lookback", lookback},
    {"count_compacted", count_compacted},
    {"segmented", segmented},
    {"reverse_blocks", reverse_blocks},
    {"quad_votes", quad_votes},
    {"broadcast16", broadcast16},
};

}  // namespace cupilot::corpus
