// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/session/address_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <string_view>
#include <utility>

#include "evolution/emulate/ptx/declaration.h"
#include "evolution/emulate/session/variant_place.h"

namespace cupilot::emulate::session {

namespace {

using ptx::Instruction;
using ptx::Operand;
using Kind = Operand::Kind;

/// Bits of an address that runs with shifted buffers vary: what looks at these only was seen with all values.
constexpr int kLowBits = 8;
constexpr int kAnyShift = 64;
/// Joins climb a short way; this ends what does not.
constexpr int kMostRounds = 100;

/// What a register's value has of addresses.
struct Origin {
  /// `unset`: no instruction was seen that writes it. `sum`: addresses, each some number of times, and a
  /// number. `address`: one of several addresses. `bits`: bit i depends on the bits of addresses up to
  /// i + shifted.
  enum class Is : std::uint8_t { unset, number, sum, address, bits };
  Is is = Is::unset;
  std::map<std::uint32_t, int> terms{};  ///< by address: how often; `address` and `bits`: which may be in it
  int shifted = 0;
  bool operator==(const Origin &) const = default;

  bool clean() const { return is == Is::unset || is == Is::number; }
  bool one_address() const {
    return is == Is::address || (is == Is::sum && terms.size() == 1 && terms.begin()->second == 1);
  }
};
using Is = Origin::Is;

Origin number() {
  return {Is::number};
}
Origin address(std::uint32_t base) {
  return {Is::sum, {{base, 1}}};
}
void add_terms(Origin &to, const Origin &from) {
  for (const auto &[base, times] : from.terms) to.terms[base] = 1;
}
/// What any function of both gives whose lower bits do not depend on higher ones.
Origin bits_of_both(const Origin &a, const Origin &b, int more = 0) {
  if (a.clean() && b.clean()) return number();
  Origin bits{Is::bits, {}, std::min(std::max(a.shifted, b.shifted) + more, kAnyShift)};
  add_terms(bits, a);
  add_terms(bits, b);
  return bits;
}
Origin joined(const Origin &a, const Origin &b) {
  if (a == b || b.is == Is::unset) return a;
  if (a.is == Is::unset) return b;
  if ((a.clean() || a.one_address()) && (b.clean() || b.one_address())) {
    Origin one{Is::address};
    add_terms(one, a);
    add_terms(one, b);
    return one;
  }
  return bits_of_both(a, b);
}
/// a + sign * b
Origin sum_of(const Origin &a, const Origin &b, int sign) {
  if (b.clean()) return a.is == Is::unset ? number() : a;
  if ((a.clean() || a.is == Is::sum) && b.is == Is::sum) {
    Origin sum{Is::sum, a.terms};
    for (const auto &[base, times] : b.terms)
      if ((sum.terms[base] += sign * times) == 0) sum.terms.erase(base);
    return sum.terms.empty() ? number() : sum;
  }
  if (a.clean() && sign > 0) return b;
  return bits_of_both(a, b);
}

/// All kernels and functions that one kernel reaches.
class AddressFlow {
public:
  AddressFlow(const program::Program &program, std::uint32_t kernel,
              const std::vector<std::uint32_t> &pointers)
      : program_(program), module_(*program.module), kernel_(kernel), pointers_(pointers) {}

  AddressUse use() {
    for (int round = 0; round < kMostRounds; ++round) {
      changed_ = false;
      for (const std::uint32_t function : functions()) flow(function);
      if (!changed_) break;
    }
    looking_ = true;
    for (const std::uint32_t function : functions()) flow(function);
    return std::move(use_);
  }

private:
  struct Known {
    std::vector<Origin> registers;
    std::map<std::string_view, Origin> parameters;  ///< its own, and what it passes to others
    Origin returned;
  };

  std::vector<std::uint32_t> functions() const {
    std::vector<std::uint32_t> all{kernel_};
    for (const std::uint32_t reached : program_.functions[kernel_].reaches)
      if (reached != kernel_) all.push_back(reached);
    return all;
  }

  void flow(std::uint32_t function) {
    source_ = program_.functions[function].source;
    known_ = &known_by_function_[function];
    known_->registers.resize(source_->registers.size());
    entry_ = function == kernel_;
    for (const Instruction &instruction : source_->body) step(instruction);
  }

  void set(Origin &to, const Origin &value) {
    Origin all = joined(to, value);
    if (all == to) return;
    to = std::move(all);
    changed_ = true;
  }

  void define(const Operand &to, const Origin &value) {
    if (to.kind == Kind::reg)
      set(known_->registers[to.index], value);
    else
      for (const Operand &part : to.parts) define(part, value);
  }

  std::uint32_t symbol_base(std::string_view name) {
    const auto index = static_cast<std::uint32_t>(std::ranges::find(symbols_, name) - symbols_.begin());
    if (index == symbols_.size()) symbols_.push_back(name);
    return kSymbols + index;
  }

  Origin of(const Operand &operand) {
    switch (operand.kind) {
      case Kind::reg: {
        const Origin &origin = known_->registers[operand.index];
        return operand.name.empty() || origin.clean() ? origin : bits_of_both(origin, {}, kAnyShift);
      }
      case Kind::symbol: {
        const auto variable = std::ranges::find(module_.variables, operand.name, &ptx::Variable::name);
        const bool placed = variable != module_.variables.end() && (variable->space == ptx::Space::global ||
                                                                    variable->space == ptx::Space::constant);
        const bool code = std::ranges::find(module_.functions, operand.name, &ptx::Function::name) !=
                          module_.functions.end();
        return placed || code ? address(symbol_base(operand.name)) : number();
      }
      case Kind::vector:
      case Kind::list: {
        Origin all = number();
        for (const Operand &part : operand.parts) all = bits_of_both(all, of(part));
        return all;
      }
      default:
        return number();
    }
  }

  /// The address that an instruction accesses.
  Origin place(const Operand &operand) {
    return operand.parts.empty() ? number() : of(operand.parts.front());
  }

  /// Notes an instruction that makes something else of an address.
  void tell(const Instruction &instruction) {
    if (!looking_ || use_.computed) return;
    if (const auto at = place_in_variant(module_, instruction.location))
      use_.computed = fmt::format("variant.cuh:{}: computes with an address of memory ({})", at->line,
                                  instruction.opcode);
  }

  void step(const Instruction &instruction) {
    const auto &operands = instruction.operands;
    for (const Operand &operand : operands)
      if (operand.kind == Kind::address && place(operand).is == Is::bits) tell(instruction);
    const std::string_view word = instruction.words.front();
    if (word == "call") return call(instruction);
    if (word == "st" || word == "atom" || word == "red") {
      store(instruction, word == "st");
      if (word == "atom" && !operands.empty()) define(operands[0], number());
      return;
    }
    if (operands.empty() || instruction.words.back() == "pred") return;
    if (word == "ld" || word == "ldu") return load(instruction);
    if (word == "mov" && (operands[0].kind == Kind::vector || operands.back().kind == Kind::vector))
      return move_halves(instruction);
    const bool defines = operands[0].kind == Kind::reg || operands[0].kind == Kind::pair;
    if (defines) define(operands[0], result(instruction));
  }

  Origin result(const Instruction &instruction) {
    const auto &words = instruction.words;
    const auto &operands = instruction.operands;
    const std::string_view word = words.front();
    const int bits = ptx::integer_bits(words.back());
    std::vector<Origin> from;
    for (std::size_t i = 1; i < operands.size(); ++i) from.push_back(of(operands[i]));
    if (std::ranges::any_of(from, [](const Origin &one) { return one.is == Is::unset; })) return {};
    if (std::ranges::all_of(from, &Origin::clean) && word != "cvta") return number();
    const auto is = [&](std::string_view name, std::size_t count) {
      return word == name && from.size() == count && bits > 0;
    };
    const auto constant = [&](std::size_t operand) {
      return operand < operands.size() && operands[operand].kind == Kind::integer
                 ? std::optional(operands[operand].integer)
                 : std::nullopt;
    };
    const bool wide = bits == 64 || (words.size() > 1 && words[1] == "wide");
    if (is("mov", 1) || is("shfl", 4)) return from[0];
    if (word == "cvta") return of_window(instruction, from[0]);
    if (word == "cvt" && from.size() == 1) return converted(instruction, from[0]);
    if (is("add", 2)) return wide ? sum_of(from[0], from[1], 1) : bits_of_both(from[0], from[1]);
    if (is("sub", 2)) return wide ? sum_of(from[0], from[1], -1) : bits_of_both(from[0], from[1]);
    if (is("neg", 1) || is("not", 1))
      return bits == 64 ? sum_of(number(), from[0], -1) : bits_of_both(from[0], {});
    const bool high = words.size() > 1 && words[1] == "hi";
    if ((is("mul", 2) || is("mad", 3)) && !high) {
      const Origin product = bits_of_both(from[0], from[1]);
      if (from.size() == 2) return product;
      return wide ? sum_of(from[2], product, 1) : bits_of_both(from[2], product);
    }
    if (is("and", 2)) return masked(from, constant(1), constant(2), bits);
    if (is("or", 2)) return masked(from, inverted(constant(1)), inverted(constant(2)), bits);
    if (is("xor", 2)) return bits_of_both(from[0], from[1]);
    if (is("lop3", 4)) return bits_of_both(bits_of_both(from[0], from[1]), from[2]);
    if (is("shl", 2) && from[1].clean()) return bits_of_both(from[0], {});
    if (is("shr", 2) && from[1].clean())
      return bits_of_both(
          from[0], {},
          static_cast<int>(std::clamp<std::int64_t>(constant(2).value_or(kAnyShift), 0, kAnyShift)));
    if (is("bfe", 3)) {
      const auto begin = constant(2), count = constant(3);
      const bool low = begin && count && from[0].shifted + *begin + *count <= kLowBits;
      return low ? number() : bits_of_both(from[0], {}, kAnyShift);
    }
    if (is("prmt", 3)) return bits_of_both(from[0], from[1], kAnyShift);
    if (is("selp", 3)) return joined(from[0], from[1]);
    if ((is("min", 2) || is("max", 2)) && are_addresses(from)) return joined(from[0], from[1]);
    if ((word == "setp" || word == "set") && from.size() >= 2 && may_compare(instruction, from))
      return number();
    if (word == "isspacep") return number();
    tell(instruction);
    return number();
  }

  static bool are_addresses(const std::vector<Origin> &from) {
    return from[0].one_address() && from[1].one_address();
  }

  /// Two addresses, whatever lies between addresses in one buffer, or one address and null.
  bool may_compare(const Instruction &instruction, const std::vector<Origin> &from) {
    if (sum_of(from[0], from[1], -1).clean()) return true;
    if (are_addresses(from)) {
      if (looking_) use_.compared.insert(&instruction);
      return true;
    }
    const std::string_view how = instruction.words.size() > 1 ? instruction.words[1] : "";
    const Operand &last = instruction.operands[2];
    return (how == "eq" || how == "ne") && from[0].one_address() && last.kind == Kind::integer &&
           last.integer == 0;
  }

  /// Bits that are set tell as little as bits that are cleared: `p | -16` has the lowest four of p.
  static std::optional<std::int64_t> inverted(std::optional<std::int64_t> constant) {
    return constant ? std::optional(~*constant) : std::nullopt;
  }

  Origin masked(const std::vector<Origin> &from, std::optional<std::int64_t> first,
                std::optional<std::int64_t> second, int bits) {
    const Origin &value = first ? from[1] : from[0];
    const auto mask = first ? first : second;
    if (!mask) return bits_of_both(from[0], from[1]);
    const std::uint64_t kept = bits >= 64
                                   ? static_cast<std::uint64_t>(*mask)
                                   : static_cast<std::uint64_t>(*mask) & ((std::uint64_t{1} << bits) - 1);
    constexpr std::uint64_t kLow = (1u << kLowBits) - 1;
    if (value.shifted < kLowBits && kept <= kLow >> value.shifted) return number();
    // p & ~15 is p, less a number
    const bool down = bits == 64 && ~kept <= kLow && (~kept & (~kept + 1)) == 0;
    return down ? value : bits_of_both(value, {});
  }

  Origin of_window(const Instruction &instruction, const Origin &from) {
    const auto &words = instruction.words;
    const bool back = words.size() > 2 && words[1] == "to";
    const std::string_view space = words[back ? 2 : 1];
    const std::uint32_t window = space.starts_with("shared") ? kSharedWindow
                                 : space == "local"          ? kLocalWindow
                                                             : 0;
    if (!window) return from;
    if (!back) return from.clean() ? address(window) : from;
    const bool own = std::ranges::all_of(from.terms, [](const auto &term) {
      return term.first == kSharedWindow || term.first == kLocalWindow;
    });
    return from.one_address() && own ? number() : bits_of_both(from, {});
  }

  Origin converted(const Instruction &instruction, const Origin &from) {
    const auto &words = instruction.words;
    const int to = ptx::integer_bits(words[words.size() - 2]), source = ptx::integer_bits(words.back());
    if (!to || !source) {
      tell(instruction);
      return number();
    }
    if (to == 8 && from.shifted == 0) return number();
    return to >= source && to == 64 ? from : bits_of_both(from, {});
  }

  /// "mov.b64 {%r1, %r2}, %rd1" and back
  void move_halves(const Instruction &instruction) {
    const Operand &to = instruction.operands[0], &from = instruction.operands.back();
    if (to.kind == Kind::vector) {
      const Origin whole = of(from);
      const int bits = to.parts.empty() ? 0 : 64 / static_cast<int>(to.parts.size());
      for (std::size_t i = 0; i < to.parts.size(); ++i)
        define(to.parts[i], bits_of_both(whole, {}, bits * static_cast<int>(i)));
      return;
    }
    Origin all = of(from);
    if (all.is == Is::bits && from.parts.size() == 2 && of(from.parts[0]).shifted == 0 &&
        of(from.parts[1]).shifted == 32)
      all.is = Is::address, all.shifted = 0;
    define(to, all);
  }

  // ---- memory and calls

  bool holds_pointer(std::int64_t at) const {
    return std::ranges::any_of(pointers_, [&](std::uint32_t pointer) {
      return at < std::int64_t{pointer} + 8 && at + 8 > std::int64_t{pointer};
    });
  }

  Origin any_pointer() const {
    Origin any{Is::address};
    for (const std::uint32_t pointer : pointers_) any.terms[pointer] = 1;
    return pointers_.empty() ? number() : any;
  }

  Origin loaded_argument(const Operand &from, std::int64_t more, int bits) {
    const Operand &base = from.parts.front();
    if (!entry_ || base.kind != Kind::symbol) {
      const auto passed = known_->parameters.find(base.name);
      if (base.kind == Kind::symbol && passed != known_->parameters.end()) return passed->second;
      return entry_ && bits == 64 ? any_pointer() : number();
    }
    for (const program::ParameterPlace &place : program_.functions[kernel_].parameters) {
      if (place.name != base.name) continue;
      const std::int64_t at = place.offset + from.integer + more;
      if (bits == 64 && std::ranges::find(pointers_, at) != pointers_.end())
        return address(static_cast<std::uint32_t>(at));
      return holds_pointer(at) && holds_pointer(at + bits / 8 - 8)
                 ? bits_of_both(any_pointer(), {}, kAnyShift)
                 : number();
    }
    const auto passed = known_->parameters.find(base.name);
    return passed == known_->parameters.end() ? number() : passed->second;
  }

  void load(const Instruction &instruction) {
    const auto &operands = instruction.operands;
    const auto from = std::ranges::find(operands, Kind::address, &Operand::kind);
    if (from == operands.end()) return;
    const int bits = ptx::integer_bits(instruction.words.back());
    const std::string_view space = instruction.words.size() > 1 ? instruction.words[1] : "";
    const auto value = [&](std::size_t part) {
      if (space.starts_with("param"))
        return loaded_argument(*from, static_cast<std::int64_t>(part) * bits / 8, bits);
      return bits == 64 && is_own_memory(instruction, *from) && stored_.is != Is::unset ? stored_ : number();
    };
    if (operands[0].kind != Kind::vector) return define(operands[0], value(0));
    for (std::size_t part = 0; part < operands[0].parts.size(); ++part)
      define(operands[0].parts[part], value(part));
  }

  bool is_own_memory(const Instruction &instruction, const Operand &at) {
    for (const std::string_view word : instruction.words) {
      if (word.starts_with("shared") || word == "local") return true;
      if (word == "global" || word == "const") return false;
    }
    const Origin where = place(at);
    return where.terms.contains(kSharedWindow) || where.terms.contains(kLocalWindow);
  }

  void store(const Instruction &instruction, bool plain) {
    const auto &operands = instruction.operands;
    const auto to = std::ranges::find(operands, Kind::address, &Operand::kind);
    if (to == operands.end()) return;
    const bool argument = instruction.words.size() > 1 && instruction.words[1].starts_with("param");
    for (auto value = to + 1; value != operands.end(); ++value) {
      const auto keep = [&](const Origin &origin) {
        if (plain && argument) {
          Origin &passed = to->parts.front().name == returned_name()
                               ? known_->returned
                               : known_->parameters[to->parts.front().name];
          return set(passed, origin);
        }
        if (origin.clean()) return;
        if (plain && origin.one_address() && is_own_memory(instruction, *to))
          return set(stored_, Origin{Is::address, origin.terms});
        tell(instruction);
      };
      if (value->kind == Kind::vector)
        for (const Operand &part : value->parts) keep(of(part));
      else
        keep(of(*value));
    }
  }

  std::string_view returned_name() const {
    return source_->returns.empty() ? std::string_view("?") : source_->returns.front().name;
  }

  /// "call (retval0), name, (param0, param1)"
  void call(const Instruction &instruction) {
    const auto &operands = instruction.operands;
    const auto name = std::ranges::find(operands, Kind::symbol, &Operand::kind);
    if (name == operands.end()) return;
    for (std::uint32_t f = 0; f < program_.functions.size(); ++f) {
      const ptx::Function &callee = *program_.functions[f].source;
      if (callee.name != name->name || callee.body.empty()) continue;
      for (auto list = operands.begin(); list != operands.end(); ++list) {
        if (list->kind != Kind::list) continue;
        const bool before = list < name;
        for (std::size_t i = 0; i < list->parts.size(); ++i) {
          const Operand &part = list->parts[i];
          if (before)
            set_passed(part, known_by_function_[f].returned);
          else if (i < callee.parameters.size())
            set(known_by_function_[f].parameters[callee.parameters[i].name], passed(part));
        }
      }
    }
  }
  Origin passed(const Operand &part) {
    if (part.kind == Kind::reg) return of(part);
    const auto found = known_->parameters.find(part.name);
    return found == known_->parameters.end() ? number() : found->second;
  }
  void set_passed(const Operand &part, const Origin &value) {
    if (part.kind == Kind::reg) return define(part, value);
    set(known_->parameters[part.name], value);
  }

  /// Addresses are known by numbers: those of parameters by where they stand.
  static constexpr std::uint32_t kSharedWindow = 1u << 20, kLocalWindow = kSharedWindow + 1,
                                 kSymbols = 1u << 21;

  const program::Program &program_;
  const ptx::Module &module_;
  const std::uint32_t kernel_;
  const std::vector<std::uint32_t> &pointers_;
  std::map<std::uint32_t, Known> known_by_function_;
  std::vector<std::string_view> symbols_;
  Origin stored_;  ///< in shared or local memory, by any of the functions
  const ptx::Function *source_ = nullptr;
  Known *known_ = nullptr;
  bool entry_ = false, changed_ = false, looking_ = false;
  AddressUse use_;
};

}  // namespace

AddressUse address_use(const program::Program &program, std::uint32_t kernel,
                       const std::vector<std::uint32_t> &pointers) {
  return AddressFlow(program, kernel, pointers).use();
}

}  // namespace cupilot::emulate::session
