// SPDX-License-Identifier: Apache-2.0
//
// The result of a bind function: the handler of an instruction and its operands. Each family of instructions
// (integers, floating point, control flow, ...) has one bind function. The decoder asks the families in turn
// and lays out the operands as the first result says.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "evolution/emulate/program/step.h"
#include "evolution/emulate/ptx/module.h"

namespace cupilot::emulate::program {

/// How one flattened operand is used. Flattening lists the members of vectors and pairs one by one, and of an
/// address only its base. The decoder adds the constant offset of an address into Binding::data if
/// `address_operand` says so.
struct OperandUse {
  std::uint8_t bits = 32;  ///< what the handler reads or writes: 1 (predicate), 8, 16, 32, 64, 128
  bool defined = false;    ///< written; else read
  bool real = false;  ///< a literal is converted to a floating-point number of that width, else to an integer
};

/// For the estimate: which unit an instruction occupies.
enum class Pipe : std::uint8_t {
  none,
  alu,
  fma,
  fma_heavy,
  fp64,
  half,
  transcendental,
  convert,
  uniform,
  branch,
  barrier,
  load_global,
  store_global,
  load_shared,
  store_shared,
  load_local,
  store_local,
  load_constant,
  atomic,
  tensor,
  async,
  shuffle
};

struct Binding {
  Handler run = nullptr;
  std::vector<OperandUse> uses;  ///< one per flattened operand, PTX order; sinks included
  bool always = false;
  std::uint64_t data = 0;
  std::shared_ptr<const void> detail;
  Pipe pipe = Pipe::alu;
  float cost = 1;            ///< number of machine instructions (integer division: about 20)
  int address_operand = -1;  ///< this flattened operand is an address: the decoder puts its constant offset
                             ///< into `data` (as int64)
  Flow flow = Flow::next;    ///< only machine/control sets another value
};

struct BindRequest {
  const ptx::Instruction &instruction;
  const ptx::Function &function;
  const ptx::Module &module;
};

}  // namespace cupilot::emulate::program
