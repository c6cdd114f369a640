// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/session/device_coverage.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "evolution/emulate/session/thread_values.h"
#include "evolution/emulate/session/variant_place.h"

namespace cupilot::emulate::session {

namespace {

using judge::launches::Condition;
using judge::launches::Coverage;
using judge::launches::TestKind;
using program::Flow;
using program::Step;
using Kind = ptx::Operand::Kind;

/// Steps of one way of a branch that are looked at, and how far a predicate is followed.
constexpr int kMostSteps = 64, kDeepest = 8;
/// Instructions at the place of a condition, on one of its ways, that are looked at.
constexpr std::size_t kMostWaySteps = 4096;
/// Registers that are followed to see whether one of them is a flag.
constexpr std::size_t kMostFlags = 256;
/// The upper half of a 64-bit operand: nvcc tests it before a division.
constexpr std::int64_t kUpperHalf = -4294967296;

/// How a comparison is told apart from its opposite: `ne` is `eq` turned round.
struct Comparison {
  TestKind test = TestKind::truth;
  bool inverted = false;
};
Comparison comparison_of(const ptx::Instruction &instruction) {
  if (instruction.words.size() < 2 || instruction.words[0] != "setp") return {};
  const std::string_view word = instruction.words[1];
  if (word == "eq" || word == "equ") return {TestKind::equality, false};
  if (word == "ne" || word == "neu") return {TestKind::equality, true};
  for (const std::string_view less : {"lt", "ltu", "lo", "gt", "gtu", "hi"})
    if (word == less) return {TestKind::order, false};
  for (const std::string_view more : {"ge", "geu", "hs", "le", "leu", "ls"})
    if (word == more) return {TestKind::order, true};
  return {};
}

/// The code of one function, and who writes and reads its registers.
class FunctionSight {
public:
  FunctionSight(const program::Program &program, const CoverageMarks &marks, std::uint32_t function,
                const std::set<const ptx::Instruction *> &compared_addresses)
      : program_(program),
        marks_(marks.all),
        finite_marks_(marks.finite),
        compared_addresses_(compared_addresses),
        code_(program.functions[function]),
        body_(code_.source->body),
        writers_(code_.source->registers.size()),
        readers_(code_.source->registers.size()),
        values_(*code_.source, [this](std::uint32_t reg) {
          const auto writer = writer_of(static_cast<std::int32_t>(reg));
          return writer ? instruction_at(*writer) : nullptr;
        }) {
    for (std::uint32_t pc = code_.begin; pc < code_.end; ++pc) note(pc);
  }

  void add_to(Coverage &coverage) {
    mark_executed();
    mark_reachable();
    for (std::uint32_t pc = code_.begin; pc < code_.end; ++pc) {
      const ptx::Instruction *const instruction = instruction_at(pc);
      if (!instruction || !reachable_[pc - code_.begin]) continue;
      const auto place = place_in_variant(*program_.module, instruction->location);
      if (!place) continue;
      add_spot(coverage, pc, *place);
      if (place->own) add_condition(coverage, pc, *instruction, *place);
    }
  }

private:
  struct Predicate {
    std::int32_t reg = -1;
    bool negated = false;
  };

  const ptx::Instruction *instruction_at(std::uint32_t pc) const {
    const std::uint32_t index = program_.info[pc].instruction;
    return index < body_.size() ? &body_[index] : nullptr;
  }

  void note(std::uint32_t pc) {
    const program::StepInfo &info = program_.info[pc];
    for (const std::uint32_t reg : info.defines) writers_[reg].push_back(pc);
    for (const std::uint32_t reg : info.reads) readers_[reg].push_back(pc);
    const ptx::Instruction *const instruction = instruction_at(pc);
    if (!instruction) return;
    if (instruction->guard.reg >= 0) {
      auto &readers = readers_[static_cast<std::size_t>(instruction->guard.reg)];
      if (readers.empty() || readers.back() != pc) readers.push_back(pc);
    }
    const bool fails = instruction->words[0] == "call" &&
                       std::ranges::any_of(instruction->operands, [](const ptx::Operand &operand) {
                         return operand.name == "__assertfail";
                       });
    if (fails || program_.steps[pc].flow == Flow::trap) failing_.insert(info.block);
  }

  /// The one instruction that writes the register; null: there are several, or none.
  std::optional<std::uint32_t> writer_of(std::int32_t reg) const {
    if (reg < 0) return std::nullopt;
    const auto &writers = writers_[static_cast<std::size_t>(reg)];
    return writers.size() == 1 ? std::optional(writers.front()) : std::nullopt;
  }

  void mark_executed() {
    executed_.assign(code_.end - code_.begin, false);
    if (marks_.empty()) return;
    std::uint32_t end = 0;
    for (std::uint32_t pc = code_.begin; pc < code_.end; ++pc) {
      end = std::max(end, marks_.reach[pc]);
      const bool guarded = program_.steps[pc].guard_kind != program::GuardKind::none;
      executed_[pc - code_.begin] = pc < end && (!guarded || marks_.held[pc] != 0);
    }
  }

  /// What some thread of some launch may come to. The rest is code that a compiler has made for more rounds
  /// than a loop ever has.
  void mark_reachable() {
    reachable_.assign(code_.end - code_.begin, false);
    std::vector<std::uint32_t> next{code_.begin};
    while (!next.empty()) {
      const std::uint32_t pc = next.back();
      next.pop_back();
      if (pc >= code_.end || reachable_[pc - code_.begin]) continue;
      reachable_[pc - code_.begin] = true;
      const Step &step = program_.steps[pc];
      if (step.flow == Flow::indirect_branch) {
        reachable_.assign(reachable_.size(), true);
        return;
      }
      const bool goes = step.flow == Flow::branch || step.flow == Flow::exit || step.flow == Flow::ret ||
                        step.flow == Flow::trap;
      const auto passes = goes ? passes_always(pc) : std::optional(false);
      if (step.flow == Flow::branch && passes.value_or(true))
        next.push_back(static_cast<std::uint32_t>(step.data));
      if (!passes.value_or(false)) next.push_back(pc + 1);
    }
  }

  /// Whether the guard of a step lets every thread of every launch pass, or none; nullopt: that depends.
  std::optional<bool> passes_always(std::uint32_t pc) {
    const ptx::Instruction *const instruction = instruction_at(pc);
    if (program_.steps[pc].guard_kind == program::GuardKind::none) return true;
    if (!instruction || instruction->guard.reg < 0) return std::nullopt;
    if (!marks_.empty() && marks_.held[pc] && marks_.failed[pc]) return std::nullopt;
    const auto value = values_.always(static_cast<std::uint32_t>(instruction->guard.reg));
    if (!value) return std::nullopt;
    return *value != instruction->guard.negated;
  }

  void add_spot(Coverage &coverage, std::uint32_t pc, const Place &place) const {
    const Flow flow = program_.steps[pc].flow;
    if (flow != Flow::next && flow != Flow::call) return;
    if (failing_.contains(program_.info[pc].block)) return;
    judge::launches::add(
        coverage, {.line = place.line, .column = place.column, .executed = executed_[pc - code_.begin]});
  }

  // ---- conditions

  void add_condition(Coverage &coverage, std::uint32_t pc, const ptx::Instruction &instruction,
                     const Place &place) {
    const Predicate used = predicate_used(instruction);
    if (used.reg >= 0) return add_use(coverage, pc, instruction, used, place);
    if (instruction.words[0] != "setp" || !program_.steps[pc].sets_predicate) return;
    const std::int32_t reg = static_cast<std::int32_t>(program_.info[pc].defines.front());
    if (is_used_directly(reg)) return;  // each use tells more
    finish(coverage, condition_at(place, reg), reg, {pc, inverted(reg)});
  }

  /// The predicate that decides what an instruction does: of its guard, or of a choice between two values.
  static Predicate predicate_used(const ptx::Instruction &instruction) {
    if (instruction.guard.reg >= 0) return {instruction.guard.reg, instruction.guard.negated};
    if (instruction.words[0] != "selp" || instruction.operands.size() != 4) return {};
    const ptx::Operand &chooser = instruction.operands[3];
    if (chooser.kind != Kind::reg) return {};
    return {static_cast<std::int32_t>(chooser.index), false};
  }

  void add_use(Coverage &coverage, std::uint32_t pc, const ptx::Instruction &instruction,
               const Predicate &used, const Place &place) {
    const bool guarded = instruction.guard.reg >= 0;
    if (guarded && program_.steps[pc].guard_kind == program::GuardKind::none)
      return;  // a branch before it tells
    if (failing_.contains(program_.info[pc].block) || guards_failure(program_.steps[pc]) ||
        shortens_division(used.reg))
      return;
    if (!guarded && !program_.steps[pc].chooses) return;
    const Sight sight{pc, used.negated != inverted(used.reg)};
    if (!decides_both(marks_, pc) && values_.always(static_cast<std::uint32_t>(used.reg))) return;
    finish(coverage, condition_at(place, used.reg), used.reg, sight, pc);
  }

  /// A branch one way of which only fails: an assertion.
  bool guards_failure(const Step &step) const {
    if (step.flow != Flow::branch) return false;
    const auto fails = [&](std::uint32_t pc) {
      return pc < code_.end && failing_.contains(program_.info[pc].block);
    };
    return fails(static_cast<std::uint32_t>(step.data)) || fails(step.pc + 1);
  }

  Condition condition_at(const Place &place, std::int32_t reg) const {
    Condition condition{.line = place.line, .column = place.column};
    const auto writer = writer_of(reg);
    if (writer) condition.test = comparison_of(body_[program_.info[*writer].instruction]).test;
    condition.idle_true = condition.idle_false = true;
    return condition;
  }

  bool inverted(std::int32_t reg) const {
    const auto writer = writer_of(reg);
    return writer && comparison_of(body_[program_.info[*writer].instruction]).inverted;
  }

  /// The step that decides, and whether its predicate is the condition's opposite.
  struct Sight {
    std::uint32_t pc = 0;
    bool turned = false;
  };

  static bool decides_both(const machine::StepMarks &marks, std::uint32_t pc) {
    return !marks.empty() && marks.held[pc] && marks.failed[pc];
  }

  static void see(Condition &condition, const machine::StepMarks &marks, const Sight &sight) {
    if (marks.empty()) return;
    const bool held = marks.held[sight.pc] != 0, failed = marks.failed[sight.pc] != 0;
    condition.seen_true = sight.turned ? failed : held;
    condition.seen_false = sight.turned ? held : failed;
  }

  /// Of data both ways count, whatever they do: copies of a loop have the same places, and nobody else skips
  /// work for certain data. NaN and infinities make every sum of a row the same, so what such data decide has
  /// not been compared.
  void finish(Coverage &coverage, Condition condition, std::int32_t reg, const Sight &sight,
              std::optional<std::uint32_t> only = std::nullopt) const {
    const bool turned = inverted(reg), sure = tells(reg, 0, false), telling = sure || tells(reg, 0, true);
    condition.data = telling && !sure;
    see(condition, condition.data ? finite_marks_ : marks_, sight);
    const Place here{condition.line, condition.column};
    const auto idle = [&](bool value) {
      const Way way = only ? way_of_use(*only, reg, value, here, 0) : way_of(reg, value, here, 0);
      return (way == Way::code && !condition.data) || !telling;
    };
    condition.idle_true = idle(!turned);
    condition.idle_false = idle(turned);
    if (condition.test == TestKind::equality && !telling) condition.test = TestKind::order;
    add_constants(condition, reg, 0);
    judge::launches::add(coverage, condition);
  }

  bool is_used_directly(std::int32_t reg) const {
    return std::ranges::all_of(readers_[static_cast<std::size_t>(reg)], [&](std::uint32_t pc) {
      const ptx::Instruction *const reader = instruction_at(pc);
      return !reader || predicate_used(*reader).reg == reg;
    });
  }

  // ---- what a way does

  /// `code`: instructions whose places tell whether they were executed. `choice`: another value, or
  /// instructions that stand where the condition does (`here`), as code does whose place others share.
  enum class Way : std::uint8_t { empty, code, choice };

  Way way_of(std::int32_t reg, bool value, const Place &here, int depth) const {
    if (depth >= kDeepest) return Way::choice;
    Way most = Way::empty;
    for (const std::uint32_t pc : readers_[static_cast<std::size_t>(reg)])
      most = std::max(most, way_of_use(pc, reg, value, here, depth + 1));
    return most;
  }

  Way way_of_use(std::uint32_t pc, std::int32_t reg, bool value, const Place &here, int depth) const {
    const ptx::Instruction *const instruction = instruction_at(pc);
    if (!instruction) return Way::empty;  // a step that the decoder added for one that is looked at, too
    const Step &step = program_.steps[pc];
    if (instruction->guard.reg == reg) {
      const bool passes = value != instruction->guard.negated;
      if (step.flow == Flow::branch)
        return way_is_empty(step, passes)       ? Way::empty
               : way_leaves(here, step, passes) ? Way::code
                                                : Way::choice;
      const bool leaves = step.flow == Flow::exit || step.flow == Flow::ret || step.flow == Flow::trap;
      return !passes || leaves ? Way::empty : is_at(here, pc) ? Way::choice : Way::code;
    }
    const std::string_view word = instruction->words[0];
    if (program_.info[pc].defines.size() != 1) return Way::choice;
    const auto made = static_cast<std::int32_t>(program_.info[pc].defines.front());
    const bool combines = instruction->words.back() == "pred" && (word == "and" || word == "or");
    if (combines || word == "setp") return way_of(made, value, here, depth);
    if (word == "not" && instruction->words.back() == "pred") return way_of(made, !value, here, depth);
    return Way::choice;
  }

  /// A predicate that singles something out: a size or data is compared with a constant of some size. Smaller
  /// constants count stages and rounds; every size is tried below them. A comparison of thread numbers only
  /// is about the shape of the block; whether what is left for a thread is below a constant is asked by loops
  /// that a compiler unrolled. `data`: so do floating data.
  bool tells(std::int32_t reg, int depth, bool data) const {
    const auto writer = writer_of(reg);
    if (data && (!writer || !is_of_numbers(*writer))) {
      std::set<std::int32_t> seen;
      if (is_flag_of_numbers(reg, seen)) return true;
    }
    if (!writer || depth > kDeepest) return false;
    const ptx::Instruction &instruction = body_[program_.info[*writer].instruction];
    if (instruction.words[0] != "setp") return any_tells(*writer, reg, depth, data);
    Condition compared{.test = comparison_of(instruction).test};
    add_constants(compared, reg, kDeepest);
    if (data && is_of_numbers(*writer))
      return asks_for_numbers(*writer, compared) || any_tells(*writer, reg, depth, data);
    const bool equality = compared.test == TestKind::equality;
    const auto &reads = program_.info[*writer].reads;
    const auto of_thread = [&](std::uint32_t read) { return is_of_thread(static_cast<std::int32_t>(read)); };
    const auto with_thread = [&](std::uint32_t read) { return has_thread(static_cast<std::int32_t>(read)); };
    const bool of_threads =
        equality ? std::ranges::all_of(reads, of_thread) : std::ranges::any_of(reads, with_thread);
    const bool asks = (equality && (is_one_number(*writer, compared) || is_of_launch(*writer))) ||
                      compared_addresses_.contains(&instruction);
    return asks || (judge::launches::singles_out(compared) && !of_threads && !is_of_numbers(*writer)) ||
           any_tells(*writer, reg, depth, data);
  }

  /// Data that is compared with a constant of the variant's own text.
  bool is_one_number(std::uint32_t comparison, const Condition &compared) const {
    const auto place =
        place_in_variant(*program_.module, body_[program_.info[comparison].instruction].location);
    return place && place->own && judge::launches::singles_out(compared) && !compared.reals.empty();
  }

  /// Whether sizes and scalars are compared with each other: what no constant names.
  bool is_of_launch(std::uint32_t comparison) const {
    const auto &reads = program_.info[comparison].reads;
    return reads.size() > 1 && std::ranges::all_of(reads, [&](std::uint32_t read) {
             return is_argument(static_cast<std::int32_t>(read));
           });
  }

  /// A comparison of floating data, or of the bits of a floating number: functions of the mathematical
  /// library are full of them, and their places are those of the calls. Floating scalars of the launch are
  /// none.
  bool is_of_numbers(std::uint32_t comparison) const {
    const bool floating = has_floating_type(body_[program_.info[comparison].instruction]);
    return std::ranges::any_of(program_.info[comparison].reads, [&](std::uint32_t read) {
      const auto reg = static_cast<std::int32_t>(read);
      return floating ? is_data(reg) : is_of_float(reg);
    });
  }

  /// Not whether a number is NaN or infinite, which data are that the families of inputs have.
  bool asks_for_numbers(std::uint32_t comparison, const Condition &compared) const {
    const ptx::Instruction &instruction = body_[program_.info[comparison].instruction];
    const std::string_view word = instruction.words[1];
    const auto place = place_in_variant(*program_.module, instruction.location);
    if (!place || !place->own || word == "nan" || word == "num") return false;
    if (!has_floating_type(instruction))
      return judge::launches::singles_out(compared) &&
             std::ranges::none_of(compared.integers, is_infinite_or_nan);
    const auto &reads = program_.info[comparison].reads;
    return !compared.reals.empty() || std::ranges::adjacent_find(reads, std::not_equal_to()) != reads.end();
  }

  /// Whether a predicate, or a whole number that stands for one, comes from such a test in any way: several
  /// are collected in one, in the rounds of a loop or by a vote.
  bool is_flag_of_numbers(std::int32_t reg, std::set<std::int32_t> &seen) const {
    if (reg < 0 || !seen.insert(reg).second || seen.size() > kMostFlags) return false;
    return std::ranges::any_of(writers_[static_cast<std::size_t>(reg)], [&](std::uint32_t pc) {
      const ptx::Instruction *const instruction = instruction_at(pc);
      if (!instruction) return false;
      const std::string_view word = instruction->words[0];
      if (word == "setp" && is_of_numbers(pc)) {
        Condition compared{.test = comparison_of(*instruction).test};
        for (const ptx::Operand &operand : instruction->operands)
          add_constant(compared, *instruction, operand);
        return asks_for_numbers(pc, compared);
      }
      constexpr std::string_view kCollecting[] = {"setp", "selp", "and", "or",   "xor", "not",    "mov",
                                                  "cvt",  "vote", "min", "popc", "bar", "barrier"};
      return std::ranges::find(kCollecting, word) != std::end(kCollecting) &&
             std::ranges::any_of(program_.info[pc].reads, [&](std::uint32_t read) {
               return is_flag_of_numbers(static_cast<std::int32_t>(read), seen);
             });
    });
  }

  /// Bits of a float, with a sign or without.
  static bool is_infinite_or_nan(std::int64_t bits) {
    constexpr std::int64_t kInfinity = 0x7f800000;
    return (bits & kInfinity) == kInfinity;
  }

  static bool has_floating_type(const ptx::Instruction &instruction) {
    const std::string_view type = instruction.words.back();
    return type.starts_with('f') || type.starts_with("bf");
  }

  enum class Sources : std::uint8_t { any, every };

  /// Follows a value back to where it comes from. `at_source` answers for an instruction, or leaves it to the
  /// registers that it reads: any of them, or every one. `unknown`: the answer for what cannot be followed.
  template <class AtSource>
  bool follow(std::int32_t reg, bool unknown, Sources sources, const AtSource &at_source,
              int depth = 0) const {
    const auto writer = writer_of(reg);
    if (!writer || depth > kDeepest) return unknown;
    const std::optional<bool> answer = at_source(body_[program_.info[*writer].instruction], *writer);
    if (answer) return *answer;
    const auto further = [&](std::uint32_t read) {
      return follow(static_cast<std::int32_t>(read), unknown, sources, at_source, depth + 1);
    };
    const auto &reads = program_.info[*writer].reads;
    return sources == Sources::any ? std::ranges::any_of(reads, further)
                                   : std::ranges::all_of(reads, further);
  }

  static bool loads(const ptx::Instruction &instruction) { return instruction.words[0] == "ld"; }
  static bool loads_argument(const ptx::Instruction &instruction) {
    return loads(instruction) && instruction.words.size() > 1 && instruction.words[1].starts_with("param");
  }
  template <class Is>
  static bool reads_special(const ptx::Instruction &instruction, const Is &is) {
    return std::ranges::any_of(instruction.operands, [&](const ptx::Operand &operand) {
      return operand.kind == Kind::special && is(std::string_view(operand.name));
    });
  }

  /// Computed from arguments of the launch and constants.
  bool is_argument(std::int32_t reg) const {
    return follow(reg, false, Sources::every,
                  [](const ptx::Instruction &instruction, std::uint32_t) -> std::optional<bool> {
                    if (loads(instruction)) return loads_argument(instruction);
                    if (reads_special(instruction, [](std::string_view) { return true; })) return false;
                    return std::nullopt;
                  });
  }

  bool is_data(std::int32_t reg) const {
    return follow(reg, true, Sources::any,
                  [](const ptx::Instruction &instruction, std::uint32_t) -> std::optional<bool> {
                    if (loads(instruction)) return !loads_argument(instruction);
                    return std::nullopt;
                  });
  }

  bool is_of_float(std::int32_t reg) const {
    return follow(reg, false, Sources::any,
                  [this](const ptx::Instruction &instruction, std::uint32_t pc) -> std::optional<bool> {
                    if (loads(instruction)) return false;
                    const bool floats = std::ranges::any_of(program_.info[pc].reads, [&](std::uint32_t read) {
                      return code_.source->registers[read].type.kind == 'f';
                    });
                    return floats ? std::optional(true) : std::nullopt;
                  });
  }

  /// Whether a thread's number takes part in the value.
  bool has_thread(std::int32_t reg) const {
    return follow(reg, false, Sources::any,
                  [](const ptx::Instruction &instruction, std::uint32_t) -> std::optional<bool> {
                    if (loads(instruction)) return false;
                    const auto is_thread = [](std::string_view name) { return name.starts_with("%tid"); };
                    return reads_special(instruction, is_thread) ? std::optional(true) : std::nullopt;
                  });
  }

  /// Computed from numbers of threads and sizes of blocks alone.
  bool is_of_thread(std::int32_t reg) const {
    return follow(reg, false, Sources::every,
                  [](const ptx::Instruction &instruction, std::uint32_t) -> std::optional<bool> {
                    if (loads(instruction)) return false;
                    const auto is_other = [](std::string_view name) {
                      return !name.starts_with("%tid") && name != "%laneid" && name != "%warpid" &&
                             !name.starts_with("%ntid");
                    };
                    return reads_special(instruction, is_other) ? std::optional(false) : std::nullopt;
                  });
  }

  bool any_tells(std::uint32_t writer, std::int32_t reg, int depth, bool data) const {
    return std::ranges::any_of(program_.info[writer].reads, [&](std::uint32_t read) {
      const auto source = static_cast<std::int32_t>(read);
      return source != reg && code_.source->registers[read].type.kind == 'p' &&
             tells(source, depth + 1, data);
    });
  }

  bool way_is_empty(const Step &branch, bool taken) const {
    const std::uint32_t join = branch.at[program::kBranchJoin];
    auto pc = taken ? static_cast<std::uint32_t>(branch.data) : branch.pc + 1;
    for (int steps = 0; steps < kMostSteps; ++steps) {
      if (pc == join || pc >= code_.end || failing_.contains(program_.info[pc].block)) return true;
      const Step &step = program_.steps[pc];
      switch (step.flow) {
        case Flow::ret:
        case Flow::exit:
        case Flow::trap:
          return true;
        case Flow::join:
          ++pc;
          break;
        case Flow::branch:
          if (step.guard_kind != program::GuardKind::none) return false;
          pc = static_cast<std::uint32_t>(step.data);
          break;
        default:
          return false;
      }
    }
    return false;
  }

  bool is_at(const Place &here, std::uint32_t pc) const {
    const ptx::Instruction *const instruction = instruction_at(pc);
    const auto place = instruction ? place_in_variant(*program_.module, instruction->location) : std::nullopt;
    return !place || (place->line == here.line && place->column == here.column);
  }

  /// Whether a way of a branch has instructions of another place of the text before it meets the other way.
  bool way_leaves(const Place &here, const Step &branch, bool taken) const {
    const std::uint32_t join = branch.at[program::kBranchJoin];
    std::set<std::uint32_t> seen;
    std::vector<std::uint32_t> next{taken ? static_cast<std::uint32_t>(branch.data) : branch.pc + 1};
    while (!next.empty()) {
      const std::uint32_t pc = next.back();
      next.pop_back();
      if (pc == join || pc >= code_.end || !seen.insert(pc).second) continue;
      if (!is_at(here, pc) || seen.size() > kMostWaySteps) return true;
      const Step &step = program_.steps[pc];
      if (step.flow == Flow::indirect_branch) return true;
      if (step.flow == Flow::branch) next.push_back(static_cast<std::uint32_t>(step.data));
      const bool always = step.guard_kind == program::GuardKind::none;
      const bool leaves = step.flow == Flow::ret || step.flow == Flow::exit || step.flow == Flow::trap ||
                          step.flow == Flow::branch;
      if (!(leaves && always)) next.push_back(pc + 1);
    }
    return false;
  }

  // ---- constants

  /// "and.b64 %rd3, %rd1, -4294967296; setp.ne.s64 %p1, %rd3, 0"
  bool shortens_division(std::int32_t reg) const {
    const auto writer = writer_of(reg);
    if (!writer) return false;
    for (const ptx::Operand &operand : body_[program_.info[*writer].instruction].operands) {
      if (operand.kind != Kind::reg) continue;
      const auto source = writer_of(static_cast<std::int32_t>(operand.index));
      if (!source) continue;
      const ptx::Instruction &made = body_[program_.info[*source].instruction];
      if (made.words[0] == "and" && made.operands.back().kind == Kind::integer &&
          made.operands.back().integer == kUpperHalf)
        return true;
    }
    return false;
  }

  void add_constants(Condition &condition, std::int32_t reg, int depth) const {
    const auto writer = writer_of(reg);
    if (!writer || depth > kDeepest) return;
    const ptx::Instruction &instruction = body_[program_.info[*writer].instruction];
    const bool compares = instruction.words[0] == "setp";
    for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
      const ptx::Operand &operand = instruction.operands[i];
      if (operand.kind == Kind::reg) {
        const bool predicate = code_.source->registers[operand.index].type.kind == 'p';
        if (predicate) add_constants(condition, static_cast<std::int32_t>(operand.index), depth + 1);
        if (!predicate && compares) add_moved(condition, instruction, operand.index);
      } else if (compares) {
        add_constant(condition, instruction, operand);
      }
    }
  }

  void add_moved(Condition &condition, const ptx::Instruction &comparison, std::uint32_t reg) const {
    const auto writer = writer_of(static_cast<std::int32_t>(reg));
    if (!writer) return;
    const ptx::Instruction &source = body_[program_.info[*writer].instruction];
    if (source.words[0] == "mov" && source.operands.size() == 2)
      add_constant(condition, comparison, source.operands[1]);
  }

  static void add_constant(Condition &condition, const ptx::Instruction &comparison,
                           const ptx::Operand &operand) {
    const std::string_view type = comparison.words.back();
    if (operand.kind == Kind::real || (operand.kind == Kind::integer && type.starts_with('f'))) {
      const double value = operand.kind == Kind::integer ? static_cast<double>(operand.integer)
                           : operand.bits == 32
                               ? std::bit_cast<float>(static_cast<std::uint32_t>(operand.integer))
                               : std::bit_cast<double>(operand.integer);
      if (std::isfinite(value)) insert(condition.reals, value);
    } else if (operand.kind == Kind::integer) {
      insert(condition.integers, operand.integer);
    }
  }

  template <class T>
  static void insert(std::vector<T> &sorted, T value) {
    const auto at = std::ranges::lower_bound(sorted, value);
    if (at == sorted.end() || *at != value) sorted.insert(at, value);
  }

  const program::Program &program_;
  const machine::StepMarks &marks_, &finite_marks_;
  const std::set<const ptx::Instruction *> &compared_addresses_;
  const program::FunctionCode &code_;
  const std::vector<ptx::Instruction> &body_;
  std::vector<std::vector<std::uint32_t>> writers_, readers_;  ///< by register
  std::set<std::uint32_t> failing_;  ///< basic blocks that end in a failed assertion or a trap
  std::vector<bool> executed_, reachable_;
  ThreadValues values_;
};

}  // namespace

Coverage device_coverage(const program::Program &program, const CoverageMarks &marks,
                         const std::set<const ptx::Instruction *> &compared_addresses) {
  Coverage coverage;
  for (std::uint32_t function = 0; function < program.functions.size(); ++function)
    if (!program.functions[function].source->body.empty())
      FunctionSight(program, marks, function, compared_addresses).add_to(coverage);
  return coverage;
}

}  // namespace cupilot::emulate::session
