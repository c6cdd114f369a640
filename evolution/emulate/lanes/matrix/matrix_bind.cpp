// SPDX-License-Identifier: Apache-2.0
// Binds the matrix multiplications mma.sync and wmma.mma.

#include "evolution/emulate/lanes/families.h"
#include "evolution/emulate/lanes/matrix/matrix.h"

namespace cupilot::emulate::lanes::matrix {
namespace {

using enum lanes::Element;

enum class Numbers : std::uint8_t { halves, brains, tensors, bytes_float, bytes, nibbles, bits, doubles };
Numbers numbers_of(lanes::Element element) {
  switch (element) {
    case f16:
      return Numbers::halves;
    case bf16:
      return Numbers::brains;
    case tf32:
      return Numbers::tensors;
    case e4m3:
    case e5m2:
      return Numbers::bytes_float;
    case s8:
    case u8:
      return Numbers::bytes;
    case s4:
    case u4:
      return Numbers::nibbles;
    case b1:
      return Numbers::bits;
    default:
      return Numbers::doubles;
  }
}

struct Known {
  Numbers numbers;
  Shape shape;
};
constexpr Known kPlain[] = {
    {Numbers::halves, {8, 8, 4}},   {Numbers::halves, {16, 8, 8}},       {Numbers::halves, {16, 8, 16}},
    {Numbers::brains, {16, 8, 8}},  {Numbers::brains, {16, 8, 16}},      {Numbers::tensors, {16, 8, 4}},
    {Numbers::tensors, {16, 8, 8}}, {Numbers::bytes_float, {16, 8, 16}}, {Numbers::bytes_float, {16, 8, 32}},
    {Numbers::bytes, {8, 8, 16}},   {Numbers::bytes, {16, 8, 16}},       {Numbers::bytes, {16, 8, 32}},
    {Numbers::nibbles, {8, 8, 32}}, {Numbers::nibbles, {16, 8, 32}},     {Numbers::nibbles, {16, 8, 64}},
    {Numbers::bits, {8, 8, 128}},   {Numbers::bits, {16, 8, 128}},       {Numbers::bits, {16, 8, 256}},
    {Numbers::doubles, {8, 8, 4}},  {Numbers::doubles, {16, 8, 4}},      {Numbers::doubles, {16, 8, 8}},
    {Numbers::doubles, {16, 8, 16}}};
constexpr Known kTiles[] = {
    {Numbers::halves, {16, 16, 16}}, {Numbers::halves, {32, 8, 16}}, {Numbers::halves, {8, 32, 16}},
    {Numbers::brains, {16, 16, 16}}, {Numbers::brains, {32, 8, 16}}, {Numbers::brains, {8, 32, 16}},
    {Numbers::bytes, {16, 16, 16}},  {Numbers::bytes, {32, 8, 16}},  {Numbers::bytes, {8, 32, 16}},
    {Numbers::tensors, {16, 16, 8}}, {Numbers::doubles, {8, 8, 4}},  {Numbers::nibbles, {8, 8, 32}},
    {Numbers::bits, {8, 8, 128}}};

bool exists(bool tile, const MultiplyForm &form) {
  const Numbers numbers = numbers_of(form.a);
  if (numbers != numbers_of(form.b)) return false;
  const auto same = [&](const Known &known) {
    return known.numbers == numbers && known.shape.m == form.shape.m && known.shape.n == form.shape.n &&
           known.shape.k == form.shape.k;
  };
  bool found = false;
  for (const Known &known : tile ? std::span<const Known>(kTiles) : std::span<const Known>(kPlain))
    found = found || same(known);
  return found;
}

/// Whether an element type may have this accumulator type.
bool sums(lanes::Element element, Accumulator kind) {
  switch (numbers_of(element)) {
    case Numbers::halves:
    case Numbers::bytes_float:
      return kind == Accumulator::f16 || kind == Accumulator::f32;
    case Numbers::brains:
    case Numbers::tensors:
      return kind == Accumulator::f32;
    case Numbers::doubles:
      return kind == Accumulator::f64;
    default:
      return kind == Accumulator::s32;
  }
}

/// `.d.a.b.c`, or `.d.c` for wmma of f16.
bool read_types(InstructionWords &words, bool tile, MultiplyForm &form) {
  std::string_view names[4];
  std::size_t count = 0;
  while (count < 4 && (element_of(words.next()) || accumulator_of(words.next())))
    words.take(names[count++] = words.next());
  if (count != 4 && !(tile && count == 2)) return false;
  const auto d = accumulator_of(names[0]), c = accumulator_of(names[count - 1]);
  const auto a = count == 4 ? element_of(names[1]) : f16, b = count == 4 ? element_of(names[2]) : f16;
  if (!a || !b || !c || !d) return false;
  form.a = *a, form.b = *b, form.c = *c, form.d = *d;
  return sums(form.a, form.c) && sums(form.a, form.d);
}

/// Flattened operands; false when a vector has not as many members as its fragment registers.
bool read_operands(const program::BindRequest &request, bool tile, UseList &uses, MultiplyForm &form) {
  const auto &operands = request.instruction.operands;
  if (operands.size() != 4) return false;
  const bool quads = form.a == f16 && form.shape.k == 4;
  const auto [m, n, k] = form.shape;
  const std::size_t a = quads ? 2 : operand_registers(form.a, m, k),
                    b = quads ? 2 : operand_registers(form.b, n, k);
  const std::size_t f16_c = quads ? 4 : 0, f32_c = quads ? 8 : 0;
  const auto results = [&](Accumulator kind) -> std::size_t {
    if (quads) return kind == Accumulator::f16 ? f16_c : f32_c;
    return static_cast<std::size_t>(accumulator_registers(kind, form.shape));
  };
  // wmma fragments of f16 always have eight registers; those too many are copies.
  const auto fits = [&](std::size_t have, std::size_t need) {
    return have == need || (tile && have > need && have % need == 0);
  };
  if (members_of(operands[0]) != results(form.d) || !fits(members_of(operands[1]), a) ||
      !fits(members_of(operands[2]), b) || members_of(operands[3]) != results(form.c))
    return false;
  const std::uint8_t bits = form.a == f64 ? 64 : 32;
  uses.writes_all(operands[0], bits);
  form.at_a = uses.reads_all(operands[1], bits);
  form.at_b = uses.reads_all(operands[2], bits);
  form.at_c = uses.reads_all(operands[3], bits);
  return true;
}

const MatrixKernels *kernels_for(program::Isa isa) {
#if defined(__x86_64__)
  if (isa == program::Isa::avx512) return &avx512::matrix_kernels;
  if (isa == program::Isa::avx2) return &avx2::matrix_kernels;
#endif
  (void)isa;
  return &baseline::matrix_kernels;
}

bool read_form(InstructionWords &words, bool tile, MultiplyForm &form, std::string &why) {
  const int bit_operation = words.take_one({"xor", "and"});
  if (bit_operation >= 0 && !words.take("popc")) return false;
  form.exclusive = bit_operation == 0;
  if (!words.take("sync") || !words.take("aligned")) return false;
  form.shape = shape_of(words.take_prefixed("m"));
  const int a_layout = words.take_leftmost({"row", "col"}), b_layout = words.take_leftmost({"row", "col"});
  if (form.shape.m == 0 || a_layout < 0 || b_layout < 0) return false;
  form.a_by_column = a_layout == 1, form.b_by_row = b_layout == 0;
  form.saturates = words.take("satfinite");
  words.take("rn");
  if (!read_types(words, tile, form) || !words.complete(why)) return false;
  // A tile's fragments do not depend on the layout it was loaded from.
  const bool any_layout = tile || form.shape.k == 4;
  if (!any_layout && (form.a_by_column || form.b_by_row)) return false;
  return (bit_operation >= 0) == (form.a == b1) && exists(tile, form);
}

}  // namespace

std::optional<program::Binding> bind_multiply(const program::BindRequest &request, InstructionWords &words,
                                              program::Isa isa, bool tile, std::string &why) {
  auto form = std::make_shared<MultiplyForm>();
  if (!read_form(words, tile, *form, why)) return std::nullopt;
  const bool quads = !tile && form->a == f16 && form->shape.k == 4;
  UseList uses(request);
  if (!read_operands(request, tile, uses, *form)) return std::nullopt;
  form->kernels = kernels_for(isa);
  program::Binding binding{
      .run = quads ? multiply_quads : multiply(*form), .uses = uses.done(), .pipe = program::Pipe::tensor};
  const Shape &shape = form->shape;
  // The cost in units of one m16n8k16 of f16: the time of the tensor core, not the number of instructions.
  binding.cost =
      static_cast<float>(shape.m * shape.n * shape.k) * static_cast<float>(bits_of(form->a)) / (2048 * 16);
  binding.detail = std::move(form);
  return binding;
}

}  // namespace cupilot::emulate::lanes::matrix
