// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/session/uniform_values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

#include "evolution/emulate/ptx/declaration.h"
#include "evolution/emulate/session/variant_place.h"

namespace cupilot::emulate::session {

namespace {

using Kind = ptx::Operand::Kind;
using Bits = std::optional<std::uint64_t>;

/// A type of an instruction: "s32" is {'s', 32}; kind 0: none that is followed.
struct Type {
  char kind = 0;
  int bits = 0;
  bool floating() const { return kind == 'f'; }
};

Type type_of(std::string_view word) {
  const auto type = ptx::type_of(word);
  if (!type || type->bits > 64 || type->kind == 'x' || (type->kind == 'f' && type->bits < 32)) return {};
  return {type->kind, type->bits};
}

std::uint64_t cut(std::uint64_t value, int bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}
std::int64_t extended(std::uint64_t value, int bits) {
  const int shift = 64 - bits;
  return static_cast<std::int64_t>(value << shift) >> shift;
}

double real_of(std::uint64_t value, int bits) {
  return bits == 64 ? std::bit_cast<double>(value)
                    : double{std::bit_cast<float>(static_cast<std::uint32_t>(value))};
}
std::uint64_t bits_of(double value, int bits) {
  return bits == 64 ? std::bit_cast<std::uint64_t>(value)
                    : std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

Bits compared(std::string_view how, bool less, bool equal, bool greater) {
  if (how == "eq" || how == "equ") return equal;
  if (how == "ne" || how == "neu") return !equal;
  if (how == "lt" || how == "lo" || how == "ltu") return less;
  if (how == "le" || how == "ls" || how == "leu") return less || equal;
  if (how == "gt" || how == "hi" || how == "gtu") return greater;
  if (how == "ge" || how == "hs" || how == "geu") return greater || equal;
  return std::nullopt;
}

/// One instruction with the bits of its operands.
class Evaluation {
public:
  Evaluation(const ptx::Instruction &instruction, const std::vector<std::uint64_t> &given)
      : words_(instruction.words), word_(words_.front()), type_(type_of(words_.back())), given_(given) {}

  Bits result() const {
    if (word_ == "cvt") return converted();
    if (type_.kind == 0 || given_.empty()) return std::nullopt;
    if (word_ == "mov" || word_ == "cvta") return a();
    if (word_ == "ld") return type_.kind == 's' ? static_cast<std::uint64_t>(extended(a(), type_.bits)) : a();
    if (word_ == "setp") return comparison();
    if (word_ == "selp" && given_.size() == 3) return given_[2] ? a() : b();
    if (type_.floating()) return of_reals();
    if (given_.size() == 1) return of_one();
    return word_ == "mul" || word_ == "mad" ? product() : of_integers();
  }

private:
  bool has(std::string_view word) const { return std::ranges::find(words_, word) != words_.end(); }
  std::uint64_t a() const { return cut(given_[0], type_.bits); }
  std::uint64_t b() const { return cut(given_[1], type_.bits); }
  std::int64_t signed_a() const { return extended(given_[0], type_.bits); }
  std::int64_t signed_b() const { return extended(given_[1], type_.bits); }
  bool is_signed() const { return type_.kind == 's'; }

  Bits comparison() const {
    if (given_.size() < 2 || words_.size() < 3) return std::nullopt;
    Bits truth;
    if (type_.floating()) {
      const double left = real_of(given_[0], type_.bits), right = real_of(given_[1], type_.bits);
      if (std::isnan(left) || std::isnan(right)) return std::nullopt;
      truth = compared(words_[1], left<right, left == right, left> right);
    } else if (is_signed()) {
      truth = compared(words_[1], signed_a() < signed_b(), a() == b(), signed_a() > signed_b());
    } else {
      truth = compared(words_[1], a() < b(), a() == b(), a() > b());
    }
    if (!truth || given_.size() == 2) return truth;
    if (has("and")) return *truth & given_[2];
    if (has("or")) return *truth | given_[2];
    return has("xor") ? Bits(*truth ^ given_[2]) : std::nullopt;
  }

  Bits of_one() const {
    const std::uint64_t value = a();
    if (word_ == "not") return cut(~value, type_.bits);
    if (word_ == "neg") return cut(-value, type_.bits);
    if (word_ == "abs") return cut(signed_a() < 0 ? -value : value, type_.bits);
    if (word_ == "popc") return static_cast<std::uint64_t>(std::popcount(value));
    const int zeros = std::countl_zero(value) - (64 - type_.bits);
    if (word_ == "clz") return static_cast<std::uint64_t>(zeros);
    if (word_ == "brev") {
      std::uint64_t turned = 0;
      for (int bit = 0; bit < type_.bits; ++bit)
        if (value >> bit & 1) turned |= std::uint64_t{1} << (type_.bits - 1 - bit);
      return turned;
    }
    if (word_ == "bfind" && !is_signed())
      return value == 0 ? 0xffff'ffff
                        : static_cast<std::uint64_t>(has("shiftamt") ? zeros : type_.bits - 1 - zeros);
    return std::nullopt;
  }

  Bits product() const {
    const bool wide = has("wide"), high = has("hi");
    if (given_.size() < 2 || (!wide && !high && !has("lo"))) return std::nullopt;
    const unsigned __int128 whole =
        is_signed() ? static_cast<unsigned __int128>(static_cast<__int128>(signed_a()) * signed_b())
                    : static_cast<unsigned __int128>(a()) * b();
    std::uint64_t value = static_cast<std::uint64_t>(high ? whole >> type_.bits : whole);
    const int bits = wide ? 2 * type_.bits : type_.bits;
    if (word_ == "mad") value += given_.at(2);
    return cut(value, bits);
  }

  Bits of_integers() const {
    const bool pair = given_.size() == 2;
    const int bits = type_.bits;
    if (pair && word_ == "add") return cut(a() + b(), bits);
    if (pair && word_ == "sub") return cut(a() - b(), bits);
    if (pair && word_ == "and") return a() & b();
    if (pair && word_ == "or") return a() | b();
    if (pair && word_ == "xor") return a() ^ b();
    if (pair && (word_ == "min" || word_ == "max")) {
      const bool first = is_signed() ? signed_a() < signed_b() : a() < b();
      return first == (word_ == "min") ? a() : b();
    }
    if (pair && (word_ == "div" || word_ == "rem")) return quotient();
    if (pair && word_ == "shl") return amount() >= bits ? 0 : cut(a() << amount(), bits);
    if (pair && word_ == "shr") {
      if (is_signed())
        return cut(static_cast<std::uint64_t>(signed_a() >> std::min(amount(), bits - 1)), bits);
      return amount() >= bits ? 0 : a() >> amount();
    }
    if (word_ == "shf" && given_.size() == 3 && bits == 32 && has("wrap")) {
      const std::uint64_t both = b() << 32 | a();
      const int by = static_cast<int>(given_[2] & 31);
      return cut(has("l") ? both << by >> 32 : both >> by, 32);
    }
    if (word_ == "bfe" && given_.size() == 3) return field();
    if (word_ == "lop3" && given_.size() == 4) {
      std::uint64_t made = 0;
      for (int bit = 0; bit < bits; ++bit) {
        const auto at = (given_[0] >> bit & 1) << 2 | (given_[1] >> bit & 1) << 1 | (given_[2] >> bit & 1);
        made |= (given_[3] >> at & 1) << bit;
      }
      return made;
    }
    return std::nullopt;
  }

  int amount() const { return static_cast<int>(std::min<std::uint64_t>(cut(given_[1], 32), 64)); }

  Bits quotient() const {
    if (b() == 0) return std::nullopt;
    if (!is_signed()) return word_ == "div" ? a() / b() : a() % b();
    if (signed_b() == -1) return word_ == "div" ? cut(-a(), type_.bits) : 0;
    return cut(static_cast<std::uint64_t>(word_ == "div" ? signed_a() / signed_b() : signed_a() % signed_b()),
               type_.bits);
  }

  Bits field() const {
    const int at = static_cast<int>(given_[1] & 0xff), length = static_cast<int>(given_[2] & 0xff);
    if (at >= type_.bits || length == 0 || at + length > type_.bits) return std::nullopt;
    const std::uint64_t value = cut(a() >> at, length);
    return is_signed() ? cut(static_cast<std::uint64_t>(extended(value, length)), type_.bits) : value;
  }

  Bits of_reals() const {
    const double first = real_of(given_[0], type_.bits);
    const auto made = [&](double value) { return Bits(bits_of(value, type_.bits)); };
    if (given_.size() == 1) {
      if (word_ == "neg") return made(-first);
      if (word_ == "abs") return made(std::fabs(first));
      if (word_ == "sqrt") return made(std::sqrt(first));
      return word_ == "rcp" ? made(1 / first) : std::nullopt;
    }
    const double second = real_of(given_[1], type_.bits);
    if (word_ == "add") return made(first + second);
    if (word_ == "sub") return made(first - second);
    if (word_ == "mul") return made(first * second);
    if (word_ == "div") return made(first / second);
    if (word_ == "min") return made(std::fmin(first, second));
    if (word_ == "max") return made(std::fmax(first, second));
    if (word_ == "fma" && given_.size() == 3)
      return made(std::fma(first, second, real_of(given_[2], type_.bits)));
    return std::nullopt;
  }

  /// "cvt.rzi.s32.f32", "cvt.u64.u32"
  Bits converted() const {
    if (words_.size() < 3 || given_.size() != 1 || has("sat")) return std::nullopt;
    const Type to = type_of(words_[words_.size() - 2]), from = type_;
    if (to.kind == 0 || from.kind == 0 || to.kind == 'p' || from.kind == 'p') return std::nullopt;
    if (from.floating() && to.floating()) return bits_of(real_of(given_[0], from.bits), to.bits);
    if (from.floating()) {
      double value = real_of(given_[0], from.bits);
      value = has("rmi")   ? std::floor(value)
              : has("rpi") ? std::ceil(value)
              : has("rni") ? std::nearbyint(value)
                           : std::trunc(value);
      if (!(std::fabs(value) < 0x1p62)) return std::nullopt;
      return cut(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)), to.bits);
    }
    const std::int64_t whole = from.kind == 's' ? extended(given_[0], from.bits)
                                                : static_cast<std::int64_t>(cut(given_[0], from.bits));
    if (to.floating())
      return bits_of(from.kind == 's' ? static_cast<double>(whole)
                                      : static_cast<double>(static_cast<std::uint64_t>(whole)),
                     to.bits);
    return cut(static_cast<std::uint64_t>(whole), to.bits);
  }

  const std::vector<std::string_view> &words_;
  std::string_view word_;
  Type type_;
  const std::vector<std::uint64_t> &given_;
};

std::optional<std::uint32_t> axis_of(std::string_view name, std::string_view group) {
  if (!name.starts_with(group) || name.size() != group.size() + 2) return std::nullopt;
  return static_cast<std::uint32_t>(name.back() - 'x');
}

}  // namespace

UniformValues::UniformValues(const program::Program &program, std::uint32_t function)
    : function_(*program.functions[function].source),
      result_of_(function_.registers.size()),
      writers_(function_.registers.size()) {
  const program::FunctionCode &code = program.functions[function];
  for (std::uint32_t pc = code.begin; pc < code.end; ++pc)
    for (const std::uint32_t reg : program.info[pc].defines) ++writers_[reg];
  for (std::uint32_t pc = code.begin; pc < code.end; ++pc) add(program, code, pc);
}

std::optional<UniformValues::Source> UniformValues::source_of(const ptx::Operand &operand, bool floating,
                                                              int bits) const {
  switch (operand.kind) {
    case Kind::integer:
      return Source{.bits = static_cast<std::uint64_t>(operand.integer)};
    case Kind::real: {
      const auto held = static_cast<std::uint64_t>(operand.integer);
      if (!floating || operand.bits == bits) return Source{.bits = held};
      return Source{.bits = bits_of(real_of(held, operand.bits), bits)};
    }
    case Kind::reg: {
      const auto writer = operand.name.empty() ? result_of_[operand.index] : std::nullopt;
      if (!writer) return std::nullopt;
      return Source{.from = Source::From::result, .index = *writer, .negated = operand.negated};
    }
    case Kind::special:
      if (const auto axis = axis_of(operand.name, "%nctaid"))
        return Source{.from = Source::From::grid, .index = *axis};
      if (const auto axis = axis_of(operand.name, "%ntid"))
        return Source{.from = Source::From::block, .index = *axis};
      return std::nullopt;
    case Kind::address: {
      if (operand.parts.size() != 1 || operand.parts[0].kind != Kind::symbol || operand.integer < 0)
        return std::nullopt;
      const auto named = std::ranges::find(function_.parameters, operand.parts[0].name, &ptx::Variable::name);
      if (named == function_.parameters.end()) return std::nullopt;
      return Source{.from = Source::From::parameter,
                    .index = static_cast<std::uint32_t>(named - function_.parameters.begin()),
                    .offset = static_cast<std::uint32_t>(operand.integer + operand.parts[0].integer)};
    }
    default:
      return std::nullopt;
  }
}

void UniformValues::add(const program::Program &program, const program::FunctionCode &code,
                        std::uint32_t pc) {
  const program::StepInfo &info = program.info[pc];
  if (info.instruction >= code.source->body.size() || info.defines.size() != 1) return;
  const ptx::Instruction &instruction = code.source->body[info.instruction];
  const std::uint32_t reg = info.defines.front();
  const auto &operands = instruction.operands;
  if (instruction.guard.reg >= 0 || operands.size() < 2 || instruction.words.size() < 2 ||
      operands[0].kind != Kind::reg || !operands[0].name.empty() || function_.registers[reg].vector != 1)
    return;
  const bool loads = instruction.words[0] == "ld";
  if (loads != (operands[1].kind == Kind::address)) return;
  const Type type = type_of(instruction.words.back());
  Operation operation{.instruction = &instruction, .given = {}, .pc = pc};
  for (std::size_t i = 1; i < operands.size(); ++i) {
    const auto source = source_of(operands[i], type.floating(), type.bits);
    if (!source) return;
    operation.given.push_back(*source);
  }
  operation.tells = function_.registers[reg].type.kind == 'p' && instruction.words[0] != "mov" &&
                    place_in_variant(*program.module, instruction.location).has_value();
  if (writers_[reg] == 1)
    result_of_[reg] = static_cast<std::uint32_t>(operations_.size());
  else if (!operation.tells)
    return;  // nobody can say whose value a reader gets
  operations_.push_back(std::move(operation));
}

std::vector<std::int64_t> UniformValues::numbers() const {
  std::vector<std::int64_t> numbers;
  for (const Operation &operation : operations_)
    for (std::size_t i = 1; i < operation.instruction->operands.size(); ++i)
      if (const ptx::Operand &operand = operation.instruction->operands[i]; operand.kind == Kind::integer)
        numbers.push_back(operand.integer);
  std::ranges::sort(numbers);
  numbers.erase(std::ranges::unique(numbers).begin(), numbers.end());
  return numbers;
}

std::vector<UniformTruth> UniformValues::truths(const LaunchValues &launch) const {
  std::vector<Bits> results(operations_.size());
  std::vector<UniformTruth> truths;
  std::vector<std::uint64_t> given;
  const auto value_of = [&](const Source &source) -> Bits {
    switch (source.from) {
      case Source::From::constant:
        return source.bits;
      case Source::From::result: {
        const Bits known = results[source.index];
        return known && source.negated ? Bits(*known ^ 1) : known;
      }
      case Source::From::grid:
        return launch.grid[source.index];
      case Source::From::block:
        return launch.block[source.index];
      case Source::From::parameter: {
        if (source.index >= launch.arguments.size()) return std::nullopt;
        const auto &bytes = launch.arguments[source.index];
        if (source.offset >= bytes.size()) return std::nullopt;
        std::uint64_t value = 0;
        std::memcpy(&value, bytes.data() + source.offset,
                    std::min(sizeof value, bytes.size() - source.offset));
        return value;
      }
    }
    return std::nullopt;
  };
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    const Operation &operation = operations_[i];
    given.clear();
    bool known = true;
    for (const Source &source : operation.given) {
      const Bits bits = value_of(source);
      known = known && bits.has_value();
      given.push_back(bits.value_or(0));
    }
    if (!known) continue;
    const auto result = Evaluation(*operation.instruction, given).result();
    if (operation.tells && result) truths.push_back({operation.pc, *result != 0});
    results[i] = result;
  }
  return truths;
}

}  // namespace cupilot::emulate::session
