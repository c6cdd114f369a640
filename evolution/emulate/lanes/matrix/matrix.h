// SPDX-License-Identifier: Apache-2.0
//
// Fragments of matrices in the registers of a warp, and the handlers of mma, wmma and matrix moves.
//
// Operand fragments (a: outer = m, b: outer = n): lane 4g + t holds in register r the 32 bits (f64: 64) of
// outer element g + 8 * (r mod outer/8), words 4 * (r div outer/8) + t along k. This one rule is the ISA's
// layout of every mma shape but m8n8k4.f16, and our choice for wmma, whose fragments may have more registers
// than the matrix needs: the rest are copies.
// Accumulators: element i of lane 4g + t is row g + 8 * (i/2 mod m/8), column 8 * (i/2 div m/8) + 2t + i
// mod 2.

#pragma once

#include <string_view>

#include "evolution/emulate/lanes/instruction_words.h"
#include "evolution/emulate/lanes/matrix/matrix_kernels.h"
#include "evolution/emulate/machine/warp.h"
#include "evolution/emulate/program/program.h"

namespace cupilot::emulate::lanes::matrix {

struct Shape {
  int m = 0, n = 0, k = 0;
};
/// "m16n8k16"; m 0: not a shape.
Shape shape_of(std::string_view word);

/// Bits of an element in a register.
int bits_of(lanes::Element element);
/// "f16", "s8", ...
std::optional<lanes::Element> element_of(std::string_view word);

enum class Accumulator : std::uint8_t { f16, f32, f64, s32 };
std::optional<Accumulator> accumulator_of(std::string_view word);

/// How many registers hold an operand (without copies) and an accumulator.
int operand_registers(lanes::Element element, int outer, int k);
int accumulator_registers(Accumulator kind, Shape shape);

/// Step::detail of multiplications. The flattened operands: d, a, b, c.
struct MultiplyForm {
  Shape shape;
  lanes::Element a = lanes::Element::f16, b = lanes::Element::f16;
  Accumulator c = Accumulator::f32, d = Accumulator::f32;
  bool saturates = false;                      ///< integers: clamped instead of wrapped
  bool exclusive = false;                      ///< b1: xor, else and
  bool a_by_column = false, b_by_row = false;  ///< m8n8k4.f16 only
  std::uint8_t at_a = 0, at_b = 0, at_c = 0;   ///< flattened places; d is at 0
  const MatrixKernels *kernels = nullptr;
};
program::Handler multiply(const MultiplyForm &form);
/// Four products of 8x8x4, one for each pair of quads of lanes.
void multiply_quads(machine::Warp &warp, const program::Step &step, program::Mask mask);

/// ldmatrix and stmatrix: 8x8 matrices of 16-bit elements.
struct MoveForm {
  int matrices = 1;
  bool transposed = false;
  AddressOperand address;
  ptx::Space space = ptx::Space::shared;
  std::uint8_t first = 0;  ///< flattened place of the first register
};
void load_matrices(machine::Warp &warp, const program::Step &step, program::Mask mask);
void store_matrices(machine::Warp &warp, const program::Step &step, program::Mask mask);
/// Flattened operands: d, a.
void transpose_matrix(machine::Warp &warp, const program::Step &step, program::Mask mask);

/// wmma.load and wmma.store.
struct TileForm {
  enum class Part : std::uint8_t { a, b, accumulator } part = Part::a;
  bool by_column = false;
  Shape shape;
  lanes::Element element = lanes::Element::f16;  ///< a and b
  Accumulator kind = Accumulator::f32;           ///< accumulator
  int registers = 0;                             ///< of the fragment, copies included
  AddressOperand address;
  ptx::Space space = ptx::Space::generic;
  std::uint8_t first = 0;   ///< flattened place of the first register
  std::uint8_t stride = 0;  ///< flattened place of the stride, in elements; kPacked: none given
  static constexpr std::uint8_t kPacked = 0xff;
};
void load_tile(machine::Warp &warp, const program::Step &step, program::Mask mask);
void store_tile(machine::Warp &warp, const program::Step &step, program::Mask mask);

// The bind functions of the opcodes; bind_matrix() asks them.
std::optional<program::Binding> bind_multiply(const program::BindRequest &request, InstructionWords &words,
                                              program::Isa isa, bool tile, std::string &why);
std::optional<program::Binding> bind_tile_move(const program::BindRequest &request, InstructionWords &words,
                                               bool load, std::string &why);
std::optional<program::Binding> bind_move(const program::BindRequest &request, InstructionWords &words,
                                          bool load, std::string &why);
std::optional<program::Binding> bind_transpose(const program::BindRequest &request, InstructionWords &words,
                                               std::string &why);

}  // namespace cupilot::emulate::lanes::matrix
