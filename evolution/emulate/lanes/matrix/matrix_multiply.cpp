// SPDX-License-Identifier: Apache-2.0
//
// mma and wmma.mma. Precision: operands are exact; float accumulators start from c and add a[k] * b[k] with k
// ascending, each sum rounded to float (hardware adds groups of products with truncated alignment, so results
// agree within a few units of the last place of the largest term, not bit by bit); f16 accumulators are kept
// in float and rounded once at the end; f64 is a chain of fused multiply-adds, k ascending; integers are
// exact. A float NaN is the canonical one.

#include <bit>
#include <cmath>

#include "evolution/emulate/lanes/lane_access.h"
#include "evolution/emulate/lanes/matrix/matrix.h"
#include "evolution/emulate/lanes/small_floats.h"

namespace cupilot::emulate::lanes::matrix {
namespace {

constexpr int kMostElements = 16 * 64, kMostResults = 16 * 16;

/// Registers of an operand to words, outer fastest.
template <class Word>
void gather_words(machine::Warp &warp, const program::Step &step, std::size_t first, int outer, int registers,
                  Word *to) {
  const int blocks = outer / 8;
  for (int r = 0; r < registers; ++r) {
    const Word *from = lanes_of<Word>(warp, step, first + static_cast<std::size_t>(r));
    Word *block = to + 4 * (r / blocks) * outer + 8 * (r % blocks);
    for (int lane = 0; lane < program::kLanes; ++lane) block[(lane & 3) * outer + (lane >> 2)] = from[lane];
  }
}

/// Where element `i` of an accumulator stands in lane 0, row-major; lanes add lane_place().
int element_place(Shape shape, int i) {
  const int blocks = shape.m / 8, block = i >> 1;
  return 8 * (block % blocks) * shape.n + 8 * (block / blocks) + (i & 1);
}
int lane_place(Shape shape, int lane) {
  return (lane >> 2) * shape.n + 2 * (lane & 3);
}

/// One register of accumulators holds `kEach` elements of type T.
struct InF32 {
  using Word = std::uint32_t;
  static constexpr int kEach = 1;
  static float read(Word word, int) { return std::bit_cast<float>(word); }
  static Word write(const float *value) {
    return std::isnan(*value) ? 0x7fffffffu : std::bit_cast<Word>(*value);
  }
};
struct InF16 {
  using Word = std::uint32_t;
  static constexpr int kEach = 2;
  static float read(Word word, int part) {
    return float_of_f16(static_cast<std::uint16_t>(word >> (16 * part)));
  }
  static Word write(const float *value) {
    return f16_of_float(value[0]) | Word{f16_of_float(value[1])} << 16;
  }
};
struct InF64 {
  using Word = std::uint64_t;
  static constexpr int kEach = 1;
  static double read(Word word, int) { return std::bit_cast<double>(word); }
  static Word write(const double *value) {
    return std::isnan(*value) ? 0x7fff'ffff'ffff'ffffu : std::bit_cast<Word>(*value);
  }
};
struct InS32 {
  using Word = std::uint32_t;
  static constexpr int kEach = 1;
  static std::int32_t read(Word word, int) { return std::bit_cast<std::int32_t>(word); }
  static Word write(const std::int32_t *value) { return std::bit_cast<Word>(*value); }
};

template <class In, class T>
void read_accumulator(machine::Warp &warp, const program::Step &step, std::size_t first, Shape shape, T *to) {
  const int registers = shape.m * shape.n / program::kLanes / In::kEach;
  for (int r = 0; r < registers; ++r) {
    const auto *from = lanes_of<typename In::Word>(warp, step, first + static_cast<std::size_t>(r));
    T *block = to + element_place(shape, r * In::kEach);  // elements of one register are neighbours in a row
    for (int lane = 0; lane < program::kLanes; ++lane)
      for (int part = 0; part < In::kEach; ++part)
        block[lane_place(shape, lane) + part] = In::read(from[lane], part);
  }
}

template <class In, class T>
void write_accumulator(machine::Warp &warp, const program::Step &step, program::Mask mask, Shape shape,
                       const T *from) {
  const int registers = shape.m * shape.n / program::kLanes / In::kEach;
  for (int r = 0; r < registers; ++r) {
    auto *to = lanes_of<typename In::Word>(warp, step, static_cast<std::size_t>(r));
    const T *block = from + element_place(shape, r * In::kEach);
    if (mask == kAllLanes)
      for (int lane = 0; lane < program::kLanes; ++lane)
        to[lane] = In::write(block + lane_place(shape, lane));
    else
      for_lanes(mask, [&](int lane) { to[lane] = In::write(block + lane_place(shape, lane)); });
  }
}

const MultiplyForm &form_of(const program::Step &step) {
  return *static_cast<const MultiplyForm *>(step.detail);
}

/// Both operands as words; returns how many words deep they are.
template <class Word>
int gather_operands(machine::Warp &warp, const program::Step &step, const MultiplyForm &form, Word *a,
                    Word *b) {
  const auto [m, n, k] = form.shape;
  gather_words(warp, step, form.at_a, m, operand_registers(form.a, m, k), a);
  gather_words(warp, step, form.at_b, n, operand_registers(form.b, n, k), b);
  return k * bits_of(form.a) / static_cast<int>(8 * sizeof(Word));
}

void multiply_floats(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  if (!machine::gather(warp, step, mask, kAllLanes)) return;
  const MultiplyForm &form = form_of(step);
  const auto [m, n, k] = form.shape;
  std::uint32_t a_words[kMostElements], b_words[kMostElements];
  alignas(64) float a[kMostElements], b[kMostElements], c[kMostResults];
  const int deep = gather_operands(warp, step, form, a_words, b_words);
  form.kernels->widen_float(form.a, a_words, deep, m, a);
  form.kernels->widen_float(form.b, b_words, deep, n, b);
  if (form.c == Accumulator::f16)
    read_accumulator<InF16>(warp, step, form.at_c, form.shape, c);
  else
    read_accumulator<InF32>(warp, step, form.at_c, form.shape, c);
  form.kernels->multiply_float(a, b, c, m, n, k);
  if (form.d == Accumulator::f16)
    write_accumulator<InF16>(warp, step, mask, form.shape, c);
  else
    write_accumulator<InF32>(warp, step, mask, form.shape, c);
}

void multiply_doubles(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  if (!machine::gather(warp, step, mask, kAllLanes)) return;
  const MultiplyForm &form = form_of(step);
  alignas(64) double a[kMostResults], b[kMostResults], c[kMostResults];
  gather_operands(warp, step, form, a, b);
  read_accumulator<InF64>(warp, step, form.at_c, form.shape, c);
  form.kernels->multiply_double(a, b, c, form.shape.m, form.shape.n, form.shape.k);
  write_accumulator<InF64>(warp, step, mask, form.shape, c);
}

/// c + product: wrapped, or clamped to what 32 bits hold. A product alone never overflows.
std::int32_t added(std::int32_t c, std::int32_t product, bool saturates) {
  const std::int64_t sum = std::int64_t{c} + product;
  if (saturates && sum > INT32_MAX) return INT32_MAX;
  if (saturates && sum < INT32_MIN) return INT32_MIN;
  return static_cast<std::int32_t>(sum);
}

void multiply_integers(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  if (!machine::gather(warp, step, mask, kAllLanes)) return;
  const MultiplyForm &form = form_of(step);
  const auto [m, n, k] = form.shape;
  std::uint32_t a_words[kMostElements], b_words[kMostElements];
  alignas(64) std::int32_t a[kMostElements], b[kMostElements], c[kMostResults], product[kMostResults] = {};
  const int deep = gather_operands(warp, step, form, a_words, b_words);
  if (form.a == lanes::Element::b1) {
    form.kernels->count_bits(form.exclusive, a_words, b_words, product, m, n, deep);
  } else {
    form.kernels->widen_integer(form.a, a_words, deep, m, a);
    form.kernels->widen_integer(form.b, b_words, deep, n, b);
    form.kernels->multiply_integer(a, b, product, m, n, k);
  }
  read_accumulator<InS32>(warp, step, form.at_c, form.shape, c);
  for (int i = 0; i < m * n; ++i) c[i] = added(c[i], product[i], form.saturates);
  write_accumulator<InS32>(warp, step, mask, form.shape, c);
}

// m8n8k4.f16: quads q and q + 4 of lanes multiply together; `upper` is 1 in the second of them.
struct Quads {
  float a[8][4], b[4][8], c[8][8];
};

/// f32: two by two; f16: a row of eight.
void accumulator_place(bool f32, int lane, int i, int &row, int &column) {
  const int upper = lane >> 4;
  row = f32 ? (lane & 1) + (i & 2) + 4 * upper : (lane & 3) + 4 * upper;
  column = f32 ? (i & 4) + (lane & 2) + (i & 1) : i;
}

float half_at(machine::Warp &warp, const program::Step &step, std::size_t first, int lane, int i) {
  const std::uint32_t word =
      lanes_of<std::uint32_t>(warp, step, first + static_cast<std::size_t>(i / 2))[lane];
  return float_of_f16(static_cast<std::uint16_t>(word >> (16 * (i & 1))));
}

void read_quads(machine::Warp &warp, const program::Step &step, const MultiplyForm &form, int lane,
                Quads &quads) {
  const int near = lane & 3, upper = 4 * (lane >> 4);
  for (int i = 0; i < 4; ++i) {
    const float a = half_at(warp, step, form.at_a, lane, i), b = half_at(warp, step, form.at_b, lane, i);
    (form.a_by_column ? quads.a[i + upper][near] : quads.a[near + upper][i]) = a;
    (form.b_by_row ? quads.b[near][i + upper] : quads.b[i][near + upper]) = b;
  }
  const bool f32 = form.c == Accumulator::f32;
  for (int i = 0; i < 8; ++i) {
    int row = 0, column = 0;
    accumulator_place(f32, lane, i, row, column);
    quads.c[row][column] = f32 ? lanes_of<float>(warp, step, form.at_c + static_cast<std::size_t>(i))[lane]
                               : half_at(warp, step, form.at_c, lane, i);
  }
}

void write_quads(machine::Warp &warp, const program::Step &step, const MultiplyForm &form, int lane,
                 const Quads &quads) {
  const bool f32 = form.d == Accumulator::f32;
  for (int i = 0; i < 8; i += f32 ? 1 : 2) {
    int row = 0, column = 0;
    accumulator_place(f32, lane, i, row, column);
    auto &to = lanes_of<std::uint32_t>(warp, step, static_cast<std::size_t>(f32 ? i : i / 2))[lane];
    to = f32 ? InF32::write(&quads.c[row][column]) : InF16::write(&quads.c[row][column]);
  }
}

}  // namespace

void multiply_quads(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  if (!machine::gather(warp, step, mask, kAllLanes)) return;
  const MultiplyForm &form = form_of(step);
  Quads quads[4];
  for (int lane = 0; lane < program::kLanes; ++lane) read_quads(warp, step, form, lane, quads[lane >> 2 & 3]);
  for (Quads &q : quads)
    for (int row = 0; row < 8; ++row)
      for (int k = 0; k < 4; ++k)
        for (int column = 0; column < 8; ++column) q.c[row][column] += q.a[row][k] * q.b[k][column];
  for_lanes(mask, [&](int lane) { write_quads(warp, step, form, lane, quads[lane >> 2 & 3]); });
}

program::Handler multiply(const MultiplyForm &form) {
  if (form.a == lanes::Element::f64) return multiply_doubles;
  return form.d == Accumulator::s32 ? multiply_integers : multiply_floats;
}

}  // namespace cupilot::emulate::lanes::matrix
