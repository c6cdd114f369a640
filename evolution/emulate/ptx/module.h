// SPDX-License-Identifier: Apache-2.0
//
// One PTX module as plain data: what the text says, with registers and labels resolved. Nothing is decided
// about how it runs: unknown instructions are kept like any other, and program/ decides.
// Source: "Parallel Thread Execution ISA", version 9.0 (NVIDIA).

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cupilot::emulate::ptx {

enum class Space : std::uint8_t { none, reg, param, local, shared, global, constant, generic };

/// A scalar type: ".s32" is {'s', 32}, ".bf16x2" {'x', 32, "bf16x2"}; kind is one of b u s f p (predicate)
/// x (named: bf16, bf16x2, f16x2, tf32, e4m3, ...).
struct Type {
  char kind = 0;
  std::uint16_t bits = 0;  ///< 1 for predicates
  std::string_view name;   ///< without the dot; text of the module
};

/// Where the user's source says a statement comes from (.loc); line 0: unknown. `file` indexes Module::files.
/// For inlined code `line` is the innermost line and `inlined_at` the index of the call's location + 1.
struct Location {
  std::uint32_t file = 0, line = 0, column = 0;
  std::uint32_t inlined_at = 0;
};

struct Operand {
  enum class Kind : std::uint8_t {
    reg,      ///< index; name: "b0".."h1" when only that part is meant (%r1.b0, video instructions)
    special,  ///< name ("%tid.x", "%laneid", "%clock64")
    integer,  ///< integer
    real,     ///< integer holds the bits; bits 32 or 64 as written (0f.. / 0d.. / decimal: 64)
    symbol,   ///< name, offset (integer): a variable, parameter or function used as a value
    label,    ///< index of the instruction it stands before; body.size() at the end
    address,  ///< [parts[0] + integer]: parts[0] reg or symbol or integer; further parts: coordinates,
              ///< mbarrier, ...
    vector,   ///< {parts}
    list,     ///< (parts): arguments of a call
    sink,     ///< _
    pair,     ///< parts[0] | parts[1]
  };
  Kind kind = Kind::sink;
  bool negated = false;  ///< !%p1
  std::uint8_t bits = 0;
  std::uint32_t index = 0;
  std::int64_t integer = 0;
  std::string_view name;
  std::vector<Operand> parts;
};

struct Guard {
  std::int32_t reg = -1;  ///< none
  bool negated = false;
};

struct Instruction {
  Guard guard;
  std::string_view opcode;              ///< "add.rn.f32"
  std::vector<std::string_view> words;  ///< {"add", "rn", "f32"}; "::" stays inside a word: "shared::cta"
  std::vector<Operand> operands;
  std::uint32_t location = 0;  ///< index into Module::locations; 0: unknown
  std::uint32_t line = 0;      ///< of the PTX text
};

struct Register {
  std::string_view name;
  Type type;
  std::uint8_t vector = 1;  ///< .v2, .v4
};

/// A variable or a parameter, of a module or of a function.
struct Variable {
  std::string_view name;
  Space space = Space::none;
  Type type;
  std::uint32_t alignment = 0;  ///< 0: natural
  std::uint64_t elements = 1;   ///< product of the array's extents; 0: extern [] (dynamic shared memory)
  std::uint64_t bytes = 0;      ///< in all
  bool external = false;
  std::vector<std::uint8_t> value;  ///< initial bytes; shorter than `bytes`: the rest is zero
  /// Addresses inside the initial value: at byte `at` (8 or 4 wide) the address of symbol + addend.
  struct Relocation {
    std::uint64_t at = 0;
    std::uint8_t bytes = 8;
    std::string_view symbol;
    std::int64_t addend = 0;
    bool generic = false;
  };  ///< `bytes` less than an address: its low bytes
  std::vector<Relocation> relocations;
};

struct Function {
  std::string_view name;
  bool entry = false, declared_only = false, weak = false;
  std::vector<Variable> returns, parameters;
  std::vector<Register> registers;  ///< of all scopes; Operand::index points here
  std::vector<Variable>
      variables;  ///< .local .shared .param of all scopes; names made unique by "#n" when shadowed
  std::vector<Instruction> body;
  /// .branchtargets / .calltargets by label; the value holds labels' indices, or names of functions.
  std::map<std::string_view, std::vector<Operand>> targets;
  std::map<std::string_view, std::pair<std::vector<Variable>, std::vector<Variable>>>
      prototypes;  ///< returns, parameters
  std::uint32_t max_threads[3] = {}, required_threads[3] = {}, min_blocks = 0, max_registers = 0;
  std::uint32_t cluster[3] = {};  ///< .reqnctapercluster
  bool noreturn = false;
  std::uint32_t line = 0;
};

struct Module {
  std::shared_ptr<const std::string> text;  ///< all string_views point into it (or into `made`)
  std::vector<std::shared_ptr<const std::string>> made;
  std::string_view version, target;  ///< "9.0", "sm_90"
  std::vector<std::string> files;    ///< by .file number; [0] is unused
  std::vector<Location> locations;   ///< [0] is unknown
  std::vector<Variable> variables;
  std::vector<Function> functions;  ///< each name once: a declaration gives way to the definition
  std::map<std::string_view, std::string_view> aliases;  ///< .alias; operands already name the aliasee
};

}  // namespace cupilot::emulate::ptx
