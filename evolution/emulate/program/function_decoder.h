// SPDX-License-Identifier: Apache-2.0
//
// Decodes the body of one function into steps. Private to program/.

#pragma once

#include <span>
#include <string>

#include "evolution/emulate/program/flatten.h"
#include "evolution/emulate/program/flow_graph.h"
#include "evolution/emulate/program/frame_layout.h"
#include "evolution/emulate/program/liveness.h"
#include "evolution/emulate/program/symbols.h"

namespace cupilot::emulate::program {

class FunctionDecoder {
public:
  struct Families {
    std::span<const BindFor> all;
    Isa isa = Isa::baseline;
  };
  FunctionDecoder(Program &program, const SymbolTable &symbols, std::uint32_t function, Families families);

  Result<> run();
  const std::vector<std::uint32_t> &called() const { return called_; }  ///< functions it calls directly
  const std::vector<std::uint32_t> &named() const { return named_; }    ///< functions whose address it takes
  const std::vector<std::uint32_t> &shared() const { return shared_; }  ///< indices into Program::shared
  bool calls_indirectly() const { return calls_indirectly_; }

private:
  struct Area {
    Offset offset = 0;
    std::uint32_t stride = 0, bytes = 0;
  };

  void place_variables();
  Area add_area(const ptx::Variable &variable);
  Symbol find(std::string_view name) const;

  void bind_all();
  std::optional<Binding> bind(const ptx::Instruction &instruction, std::string &why) const;
  bool fits(const ptx::Instruction &instruction, const Binding &binding, std::string &why) const;
  bool leaf_fits(const ptx::Instruction &instruction, const Leaf &leaf, const OperandUse &use,
                 std::string &why) const;
  bool call_fits(const ptx::Instruction &instruction, std::string &why) const;
  void list_unsupported(const ptx::Instruction &instruction, const std::string &why);

  Result<> check_variables() const;
  Result<> check_registers() const;
  RegisterUse register_use(const Unit &unit) const;
  void place_registers(const Liveness &liveness);

  void emit(const FlowGraph &graph);
  void emit_unit(const FlowGraph &graph, std::uint32_t block, std::uint32_t unit);
  Step &add_step(const Unit &unit, std::uint32_t block);
  void fill_branch(Step &step, const FlowGraph &graph, std::uint32_t block, const Unit &unit);
  std::uint32_t cost_of_round(std::uint32_t first, std::uint32_t end) const;
  bool leaves_by_others(std::uint32_t first, std::uint32_t end) const;
  void fill_instruction(Step &step, const Unit &unit);
  void fill_call(Step &step, const ptx::Instruction &instruction);
  void fill_refresh(Step &step, const Unit &unit);
  CallSite::Place call_place(const ptx::Operand &operand);
  Offset offset_of(const Leaf &leaf, const OperandUse &use);
  Offset symbol_offset(const ptx::Operand &operand, unsigned bits);
  void patch_branches(const std::vector<std::uint32_t> &block_pc);

  Program &program_;
  const SymbolTable &symbols_;
  const std::uint32_t index_;
  const Families families_;
  const ptx::Function &function_;
  FunctionCode &code_;
  FrameLayout layout_;
  SymbolTable local_symbols_;
  std::vector<Area> areas_;
  Bindings bindings_;
  std::vector<Unit> units_;
  std::vector<RegisterUse> uses_;
  std::vector<Offset> registers_;
  struct Patch {
    std::uint32_t pc = 0;
    std::shared_ptr<BranchSite> site;  ///< contains block indices until they are replaced by pcs
  };
  std::vector<Patch> patches_;
  std::vector<std::uint32_t> called_, named_, shared_;
  bool calls_indirectly_ = false;
};

}  // namespace cupilot::emulate::program
