// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/session/thread_values.h"

#include <algorithm>
#include <array>
#include <limits>

#include "evolution/emulate/ptx/declaration.h"

namespace cupilot::emulate::session {

namespace {

using Kind = ptx::Operand::Kind;

constexpr int kLongestChain = 48;
constexpr std::int64_t kMostThreads = 1024, kWarp = 32;

std::int64_t least_of(int bits) {
  return bits >= 64 ? std::numeric_limits<std::int64_t>::min() : -(std::int64_t{1} << (bits - 1));
}
std::int64_t most_of(int bits) {
  return bits >= 64 ? std::numeric_limits<std::int64_t>::max() : (std::int64_t{1} << (bits - 1)) - 1;
}

/// An immediate as a signed number of that width.
std::int64_t narrowed(std::int64_t value, int bits) {
  if (bits >= 64) return value;
  const auto shift = static_cast<unsigned>(64 - bits);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << shift) >> shift;
}

/// How many threads a block may have along x.
std::int64_t most_threads(const ptx::Function &function) {
  std::int64_t most = kMostThreads;
  for (const auto *limit : {&function.max_threads, &function.required_threads}) {
    const std::int64_t threads =
        std::int64_t{(*limit)[0]} * std::max((*limit)[1], 1u) * std::max((*limit)[2], 1u);
    if (threads > 0) most = std::min(most, threads);
  }
  return most;
}

/// Whether the mask keeps the upper bits and clears some lower ones.
bool clears_lower_bits(std::int64_t mask) {
  return mask < 0 && (~mask & (~mask + 1)) == 0;
}

}  // namespace

ThreadValues::ThreadValues(const ptx::Function &function, Writer writer)
    : function_(function), writer_(std::move(writer)), most_threads_(most_threads(function)) {}

std::optional<bool> ThreadValues::always(std::uint32_t predicate) {
  const Values &values = of(predicate, 0);
  const bool value = values.front().least != 0;
  const bool same =
      std::ranges::all_of(values, [&](const Bounds &one) { return one.one() && (one.least != 0) == value; });
  return same ? std::optional(value) : std::nullopt;
}

const ThreadValues::Values &ThreadValues::of(std::uint32_t reg, int depth) {
  if (const auto known = known_.find(reg); known != known_.end()) return known->second;
  const ptx::Type &type = function_.registers[reg].type;
  const int bits = type.kind == 'p' ? 2 : type.bits;
  const bool integer = type.kind == 'p' || type.kind == 'b' || type.kind == 's' || type.kind == 'u';
  const Values any =
      type.kind == 'p' ? Values{{0, 1}} : Values{{least_of(std::max(bits, 2)), most_of(std::max(bits, 2))}};
  known_[reg] = any;  // a register that depends on itself has any value
  const bool plain = integer && bits <= 64 && function_.registers[reg].vector == 1 && depth < kLongestChain;
  const ptx::Instruction *const writer = plain ? writer_(reg) : nullptr;
  if (!writer || writer->guard.reg >= 0 || writer->operands.empty() ||
      writer->operands[0].kind != Kind::reg || !writer->operands[0].name.empty())
    return known_[reg];
  Values values = computed(*writer, bits, depth + 1);
  for (Bounds &one : values)
    if (one.least > one.most || one.least < any[0].least || one.most > any[0].most) one = any[0];
  return known_[reg] = std::move(values);
}

ThreadValues::Values ThreadValues::special(std::string_view name) const {
  Values values;
  if (name == "%tid.x")
    for (std::int64_t thread = 0; thread < most_threads_; ++thread) values.push_back({thread, thread});
  else if (name.starts_with("%tid."))
    values.push_back({0, kMostThreads - 1});
  else if (name.starts_with("%ntid."))
    values.push_back({1, kMostThreads});
  else if (name == "%laneid")
    values.push_back({0, kWarp - 1});
  else
    values.push_back({least_of(64), most_of(64)});
  return values;
}

ThreadValues::Values ThreadValues::of(const ptx::Operand &operand, int bits, int depth) {
  const Values any{{least_of(64), most_of(64)}};
  if (operand.negated) return any;
  if (operand.kind == Kind::integer) {
    const std::int64_t value = narrowed(operand.integer, bits);
    return {{value, value}};
  }
  if (operand.kind == Kind::special) return special(operand.name);
  return operand.kind == Kind::reg && operand.name.empty() ? of(operand.index, depth) : any;
}

ThreadValues::Values ThreadValues::computed(const ptx::Instruction &instruction, int bits, int depth) {
  const int type = ptx::integer_bits(instruction.words.back());
  std::vector<Values> given;
  std::size_t threads = 1;
  for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
    given.push_back(of(instruction.operands[i], type ? type : bits, depth));
    threads = std::max(threads, given.back().size());
  }
  Values values;
  std::vector<Bounds> one(given.size());
  for (std::size_t thread = 0; thread < threads; ++thread) {
    for (std::size_t i = 0; i < given.size(); ++i) one[i] = given[i][given[i].size() == 1 ? 0 : thread];
    // Out of every width's bounds: it becomes what the register may hold.
    values.push_back(result(instruction, one).value_or(Bounds{1, 0}));
  }
  return values;
}

std::optional<ThreadValues::Bounds> ThreadValues::compared(std::string_view how, bool is_unsigned,
                                                           const Bounds &a, const Bounds &b) {
  const auto answer = [](bool yes, bool no) -> std::optional<Bounds> {
    if (yes) return Bounds{1, 1};
    return no ? std::optional(Bounds{0, 0}) : std::nullopt;
  };
  const bool apart = a.most < b.least || b.most < a.least, same = a.one() && b.one() && a.least == b.least;
  if (how == "eq") return answer(same, apart);
  if (how == "ne") return answer(apart, same);
  if (is_unsigned && (a.least < 0 || b.least < 0)) return std::nullopt;
  if (how == "lt" || how == "lo") return answer(a.most < b.least, a.least >= b.most);
  if (how == "le" || how == "ls") return answer(a.most <= b.least, a.least > b.most);
  if (how == "gt" || how == "hi") return answer(a.least > b.most, a.most <= b.least);
  if (how == "ge" || how == "hs") return answer(a.least >= b.most, a.most < b.least);
  return std::nullopt;
}

std::optional<ThreadValues::Bounds> ThreadValues::result(const ptx::Instruction &instruction,
                                                         const std::vector<Bounds> &given) {
  const auto &words = instruction.words;
  const std::string_view word = words.front(), type = words.back();
  const auto is = [&](std::string_view name, std::size_t operands, std::size_t most_words = 2) {
    return word == name && given.size() == operands && words.size() <= most_words;
  };
  if (type == "pred") {
    if (is("not", 1)) return Bounds{1 - given[0].most, 1 - given[0].least};
    if (is("mov", 1)) return given[0];
    if (is("and", 2))
      return Bounds{std::min(given[0].least, given[1].least), std::min(given[0].most, given[1].most)};
    if (is("or", 2))
      return Bounds{std::max(given[0].least, given[1].least), std::max(given[0].most, given[1].most)};
    return std::nullopt;
  }
  const int bits = ptx::integer_bits(type);
  if (bits == 0 || given.empty()) return std::nullopt;
  const bool is_unsigned = type.front() == 'u' || type.front() == 'b';
  if (word == "setp" && given.size() == 2 && words.size() == 3)
    return compared(
        words[1],
        type.front() == 'u' || words[1] == "lo" || words[1] == "hi" || words[1] == "ls" || words[1] == "hs",
        given[0], given[1]);
  if (is("selp", 3)) {
    if (given[2].one()) return given[2].least ? given[0] : given[1];
    return Bounds{std::min(given[0].least, given[1].least), std::max(given[0].most, given[1].most)};
  }
  const Bounds &a = given[0];
  if (is("mov", 1)) return a;
  if (is("not", 1)) return Bounds{~a.most, ~a.least};
  if (word == "cvt" && given.size() == 1 && words.size() == 3 && ptx::integer_bits(words[1])) {
    const int to = ptx::integer_bits(words[1]);
    const bool fits = a.least >= least_of(std::min(to, bits)) && a.most <= most_of(std::min(to, bits));
    return fits && (!is_unsigned || a.least >= 0 || to <= bits) ? std::optional(a) : std::nullopt;
  }
  if (given.size() < 2) return std::nullopt;
  const Bounds &b = given[1];
  Bounds made;
  if (is("add", 2)) {
    if (__builtin_add_overflow(a.least, b.least, &made.least) ||
        __builtin_add_overflow(a.most, b.most, &made.most))
      return std::nullopt;
    return made;
  }
  if (is("sub", 2)) {
    if (__builtin_sub_overflow(a.least, b.most, &made.least) ||
        __builtin_sub_overflow(a.most, b.least, &made.most))
      return std::nullopt;
    return made;
  }
  const bool low = (word == "mul" || word == "mad") && words.size() == 3 && words[1] == "lo";
  if (low && given.size() == (word == "mul" ? 2 : 3)) {
    std::array<std::int64_t, 4> products{};
    if (__builtin_mul_overflow(a.least, b.least, &products[0]) ||
        __builtin_mul_overflow(a.least, b.most, &products[1]) ||
        __builtin_mul_overflow(a.most, b.least, &products[2]) ||
        __builtin_mul_overflow(a.most, b.most, &products[3]))
      return std::nullopt;
    const auto [least, most] = std::ranges::minmax(products);
    made = {least, most};
    if (made.least < least_of(bits) || made.most > most_of(bits)) return std::nullopt;
    if (given.size() == 3 && (__builtin_add_overflow(made.least, given[2].least, &made.least) ||
                              __builtin_add_overflow(made.most, given[2].most, &made.most)))
      return std::nullopt;
    return made;
  }
  if ((is("min", 2) || is("max", 2)) && (type.front() == 's' || (a.least >= 0 && b.least >= 0)))
    return word == "min" ? Bounds{std::min(a.least, b.least), std::min(a.most, b.most)}
                         : Bounds{std::max(a.least, b.least), std::max(a.most, b.most)};
  if (!b.one()) return std::nullopt;
  const std::int64_t constant = b.least;
  if (is("and", 2)) {
    if (clears_lower_bits(constant)) return Bounds{a.least & constant, a.most & constant};
    if (a.one()) return Bounds{a.least & constant, a.least & constant};
    if (constant >= 0) return Bounds{0, a.least >= 0 ? std::min(a.most, constant) : constant};
    return std::nullopt;
  }
  if (constant < 0) return std::nullopt;
  if (is("shr", 2) && constant < bits) {
    if (type.front() == 's' || a.least >= 0) return Bounds{a.least >> constant, a.most >> constant};
    return constant == 0 ? std::nullopt
                         : std::optional(Bounds{
                               0, static_cast<std::int64_t>((~std::uint64_t{0} >> (64 - bits)) >> constant)});
  }
  if (is("shl", 2) && constant < bits - 1) {
    const bool fits = a.least >= least_of(bits) >> constant && a.most <= most_of(bits) >> constant;
    return fits ? std::optional(Bounds{a.least << constant, a.most << constant}) : std::nullopt;
  }
  if (constant > 0 && a.least >= 0) {
    if (is("div", 2)) return Bounds{a.least / constant, a.most / constant};
    if (is("rem", 2)) return a.most < constant ? a : Bounds{0, constant - 1};
  }
  return std::nullopt;
}

}  // namespace cupilot::emulate::session
