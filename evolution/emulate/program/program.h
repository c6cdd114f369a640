// SPDX-License-Identifier: Apache-2.0
//
// A module that is ready to run: every instruction has a handler or is listed as unsupported with its place
// in the user's source, every branch knows where its lanes reconverge, and frames and constants are laid out.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/emulate/program/binding.h"
#include "evolution/emulate/program/step.h"
#include "evolution/emulate/ptx/module.h"

namespace cupilot::emulate::program {

/// "norm.cu:12", the innermost place that is not in a header of the toolkit or compiler; `text` is the PTX
/// instruction.
struct SourcePlace {
  std::string file;
  std::uint32_t line = 0, column = 0;
  std::string text;
};

/// Information on each step for messages, the estimate and the checks; a plain run does not read it.
struct StepInfo {
  std::uint32_t location = 0;     ///< Module::locations
  std::uint32_t instruction = 0;  ///< index in the function's body; kNowhere for steps the decoder added
  std::uint32_t function = 0;
  std::uint32_t block = 0;  ///< basic block, unique in the program
  Pipe pipe = Pipe::none;
  float cost = 0;
  std::vector<std::uint32_t> defines, reads;  ///< registers (index in ptx::Function::registers)
  std::vector<OperandUse> uses;               ///< only for operations in which lanes wait for each other
};

/// Special registers a function reads; the machine fills these members of its frame.
struct SpecialUse {
  std::string_view name;  ///< "%tid.x"
  Offset offset = 0;
  std::uint8_t bits = 32;
};
/// A constant that is copied to all 32 lanes when a frame is made.
struct ConstantUse {
  Offset offset = 0;
  std::uint8_t bits = 32;
  std::uint64_t value = 0;
  /// A symbol's address instead of `value`: index into Program::module variables (space global or constant),
  /// +value.
  std::int32_t variable = -1;
  std::int32_t function = -1;  ///< the address of a function (indirect calls)
  bool local = false;          ///< value is an offset in the function's local memory
  /// Index into Program::shared: the address that the running entry gave the variable, +value.
  std::int32_t shared = -1;
  bool parameter = false;  ///< the address of the launch's parameter buffer, +value
};

struct ParameterPlace {
  std::string_view name;
  std::uint32_t offset = 0, bytes = 0, alignment = 0;
};

struct FunctionCode {
  const ptx::Function *source = nullptr;
  std::uint32_t begin = 0, end = 0;  ///< steps
  std::uint32_t frame_bytes = 0;     ///< a multiple of 64
  std::vector<SpecialUse> specials;
  std::vector<ConstantUse> constants;
  std::vector<std::pair<Offset, std::uint32_t>>
      unwritten;                  ///< offset, bytes: registers that may be read before they are written
  std::uint32_t local_bytes = 0;  ///< one thread's local variables in this frame
  std::uint32_t shared_bytes =
      0;  ///< static shared memory of its own variables (entries: of all it calls, too)
  std::vector<ParameterPlace> parameters;  ///< entry: in the parameter buffer, by cudaLaunchKernel's order;
                                           ///< function: offset in the frame, `bytes` one lane's stride
  std::vector<ParameterPlace> returns;     ///< function: like parameters
  std::uint32_t parameter_bytes = 0;
  std::vector<std::uint32_t>
      unsupported;  ///< indices into Program::unsupported reachable from here, calls included
  std::vector<std::uint32_t> reaches;  ///< functions it may call, however deep; itself when it recurses
  /// Entries: where each of Program::shared lies in this entry's shared memory; kNowhere: not used by it.
  /// Dynamic shared memory (extern []) lies at shared_bytes, rounded up to dynamic_alignment.
  std::vector<std::uint32_t> shared_offsets;
  std::uint32_t dynamic_alignment = 16;
};

/// Step::detail of Flow::branch and Flow::indirect_branch; a branch's one target is Step::data, too.
struct BranchSite {
  std::vector<std::uint32_t> targets;  ///< pcs
  std::uint32_t join = kNowhere;  ///< pc of the Flow::join step where both paths reconverge; none: at the end
  bool indirect = false;
};
/// Step::at of Flow::branch: the join (for Flow::indirect_branch: the index), and how much of the part's turn
/// a backward jump uses. Loops that may wait for other threads use much, so that the other threads run soon.
inline constexpr int kBranchJoin = 0, kBranchCost = 1;

/// What a call step passes: Step::detail of steps with Flow::call. Parameters are copied between the frames.
struct CallSite {
  struct Place {
    Offset offset = 0;         ///< in the caller's frame
    std::uint32_t stride = 0;  ///< bytes per lane; 0 for a register
    std::uint8_t bits = 0;     ///< of a register
    std::uint32_t bytes = 0;
  };
  std::int32_t function = -1;  ///< -1: indirect
  Offset target = kNowhere;    ///< register that has a function's address
  std::vector<Place> arguments, returns;
};

/// An instruction that cannot be executed. It is reported before a run; the verdict is `not_evaluated`.
struct Unsupported {
  SourcePlace place;
  std::string what;  ///< "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16"
};

struct Program {
  std::shared_ptr<const ptx::Module> module;
  std::vector<Step> steps;
  std::vector<StepInfo> info;                                   ///< indexed like `steps`
  std::vector<FunctionCode> functions;                          ///< indexed like module->functions
  std::unordered_map<std::string_view, std::uint32_t> entries;  ///< name -> function
  std::vector<Unsupported> unsupported;
  std::vector<const ptx::Variable *> shared;       ///< shared variables of the module and of all functions
  std::vector<std::shared_ptr<const void>> owned;  ///< details and long operand lists

  SourcePlace place(std::uint32_t pc) const;
};
SourcePlace place_of(const ptx::Module &module, const ptx::Instruction &instruction);

/// Special registers of the ISA that the machine fills; instructions that read others are unsupported.
bool is_special(std::string_view name);
/// Functions without a body that the machine provides: vprintf, __assertfail, malloc, free.
bool is_builtin(std::string_view function);
/// Bytes from one lane's copy of a function's or call's parameter to the next lane's; operands of ld.param
/// and st.param that name one are the offset of lane 0's copy in the frame.
std::uint32_t parameter_stride(const ptx::Variable &variable);

enum class Isa : std::uint8_t { baseline, avx2, avx512 };
/// The best vector extension of this processor; CUPILOT_EMULATE_ISA=baseline|avx2|avx512 selects a lower one.
Isa host_isa();
const char *to_string(Isa isa);

/// One bind function of a family, for the vector extension asked for; see lanes/families.h.
using BindFor = std::optional<Binding> (*)(const BindRequest &request, Isa isa, std::string &why);

/// Unknown instructions are not errors (see Program::unsupported). Returns an error with the PTX line for an
/// inconsistent module (a branch to an unknown label, an operand of the wrong size).
Result<std::shared_ptr<const Program>> decode(std::shared_ptr<const ptx::Module> module,
                                              std::span<const BindFor> families, Isa isa = host_isa());

}  // namespace cupilot::emulate::program
