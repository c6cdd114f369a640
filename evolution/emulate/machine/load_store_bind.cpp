// SPDX-License-Identifier: Apache-2.0
//
// bind_memory: reads ld, st and the small instructions around memory. An unknown word makes the instruction
// unsupported, and the message names it.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "evolution/emulate/machine/families.h"
#include "evolution/emulate/machine/load_store.h"

namespace cupilot::emulate::machine {
namespace {

using Kind = ptx::Operand::Kind;
using ptx::Space;

struct Words {
  ptx::Space space = ptx::Space::generic;
  unsigned members = 1;
  ptx::Type type;  ///< bits 0: none named
  bool weak = true, release = false, read_only = false, in_block = false;
  bool policy = false;    ///< has the additional operand of .L2::cache_hint
  bool function = false;  ///< .param::func
};

struct SpaceWord {
  std::string_view word;
  ptx::Space space;
};
constexpr SpaceWord kSpaces[] = {{"global", ptx::Space::global},      {"shared", ptx::Space::shared},
                                 {"shared::cta", ptx::Space::shared}, {"shared::cluster", ptx::Space::shared},
                                 {"local", ptx::Space::local},        {"const", ptx::Space::constant},
                                 {"param", ptx::Space::param},        {"param::entry", ptx::Space::param},
                                 {"param::func", ptx::Space::param}};

/// Cache hints and wide scopes, which have no effect here.
constexpr std::string_view kHints[] = {"ca",  "cg",  "cs",      "lu",   "cv",      "wb",  "wt",
                                       "sys", "gpu", "cluster", "weak", "unified", "mmio"};

struct TypeWord {
  std::string_view word;
  char kind;
  std::uint16_t bits;
};
constexpr TypeWord kTypes[] = {{"b8", 'b', 8},     {"u8", 'u', 8},     {"s8", 's', 8},     {"b16", 'b', 16},
                               {"u16", 'u', 16},   {"s16", 's', 16},   {"f16", 'b', 16},   {"bf16", 'b', 16},
                               {"b32", 'b', 32},   {"u32", 'u', 32},   {"s32", 's', 32},   {"f32", 'f', 32},
                               {"b64", 'b', 64},   {"u64", 'u', 64},   {"s64", 's', 64},   {"f64", 'f', 64},
                               {"b128", 'b', 128}, {"f16x2", 'b', 32}, {"bf16x2", 'b', 32}};

bool read_word(std::string_view word, Words &read) {
  for (const SpaceWord &known : kSpaces)
    if (known.word == word) {
      read.space = known.space;
      read.function = word == "param::func";
      return true;
    }
  for (const TypeWord &known : kTypes)
    if (known.word == word) {
      read.type = {known.kind, known.bits, word};
      return true;
    }
  if (word == "v2" || word == "v4" || word == "v8") {
    read.members = static_cast<unsigned>(word[1] - '0');
    return true;
  }
  if (word == "volatile" || word == "relaxed" || word == "acquire" || word == "release") {
    read.weak = false;
    read.release = read.release || word == "release";
    return true;
  }
  if (word == "cta") return read.in_block = true;
  if (word == "nc") return read.read_only = true;
  if (word == "L2::cache_hint") return read.policy = true;
  if (word.starts_with("L1::") || word.starts_with("L2::")) return true;
  return std::find(std::begin(kHints), std::end(kHints), word) != std::end(kHints);
}

std::optional<Words> read_words(const ptx::Instruction &instruction, std::string &why) {
  Words read;
  for (std::size_t i = 1; i < instruction.words.size(); ++i)
    if (!read_word(instruction.words[i], read)) {
      why = fmt::format(".{} of {}", instruction.words[i], instruction.words[0]);
      return std::nullopt;
    }
  return read;
}

unsigned register_bits(const program::BindRequest &request, const ptx::Operand &operand, unsigned otherwise) {
  if (operand.kind != Kind::reg || operand.index >= request.function.registers.size()) return otherwise;
  return request.function.registers[operand.index].type.bits;
}

/// The variable of a call or of this function that `name` is, when it lies in the frame.
const ptx::Variable *frame_parameter(const program::BindRequest &request, std::string_view name) {
  for (const auto *list : {&request.function.variables, &request.function.returns,
                           request.function.entry ? nullptr : &request.function.parameters})
    if (list)
      for (const ptx::Variable &variable : *list)
        if (variable.name == name &&
            (variable.space == ptx::Space::param || list != &request.function.variables))
          return &variable;
  return nullptr;
}

struct Address {
  AddressKind kind = AddressKind::generic64;
  unsigned bits = 64;
  std::uint32_t stride = 0;
};

std::optional<Address> parameter_address(const program::BindRequest &request, const ptx::Operand &operand,
                                         unsigned bytes, std::string &why) {
  const ptx::Operand &base = operand.parts[0];
  if (base.kind != Kind::symbol) return Address{AddressKind::global64, 64, 0};
  if (const ptx::Variable *variable = frame_parameter(request, base.name)) {
    const std::int64_t at = operand.integer + base.integer;
    if (at < 0 || static_cast<std::uint64_t>(at) + bytes > variable->bytes) {
      why = fmt::format("an access outside of the parameter '{}'", variable->name);
      return std::nullopt;
    }
    return Address{AddressKind::frame, 64, program::parameter_stride(*variable)};
  }
  for (const ptx::Variable &variable : request.function.parameters) {
    if (variable.name != base.name) continue;
    const std::int64_t at = operand.integer + base.integer;
    const bool inside = at >= 0 && static_cast<std::uint64_t>(at) + bytes <= variable.bytes;
    // An address outside of its own parameter may be in another one; the run checks it.
    return Address{inside ? AddressKind::parameter : AddressKind::global64, 64, 0};
  }
  why = fmt::format("'{}' is no parameter of this function", base.name);
  return std::nullopt;
}

std::optional<Address> read_address(const program::BindRequest &request, const Words &words,
                                    const ptx::Operand &operand, unsigned bytes, std::string &why) {
  if (operand.kind != Kind::address || operand.parts.size() != 1) {
    why = "an address that is none";
    return std::nullopt;
  }
  if (words.space == ptx::Space::param) return parameter_address(request, operand, bytes, why);
  const bool narrow = register_bits(request, operand.parts[0], 64) == 32;
  switch (words.space) {
    case ptx::Space::shared:
      return Address{narrow ? AddressKind::shared32 : AddressKind::shared64, narrow ? 32u : 64u, 0};
    case ptx::Space::local:
      return Address{narrow ? AddressKind::local32 : AddressKind::local64, narrow ? 32u : 64u, 0};
    default:
      break;
  }
  if (narrow) {
    why = "a 32-bit address of global memory";
    return std::nullopt;
  }
  return Address{words.space == ptx::Space::generic ? AddressKind::generic64 : AddressKind::global64, 64, 0};
}

program::Pipe pipe_of(ptx::Space space, bool store) {
  switch (space) {
    case ptx::Space::shared:
      return store ? program::Pipe::store_shared : program::Pipe::load_shared;
    case ptx::Space::local:
      return store ? program::Pipe::store_local : program::Pipe::load_local;
    case ptx::Space::constant:
    case ptx::Space::param:
      return program::Pipe::load_constant;
    default:
      return store ? program::Pipe::store_global : program::Pipe::load_global;
  }
}

/// The registers of all members must have one width, because each handler is made for one.
std::optional<unsigned> value_bits(const program::BindRequest &request, const ptx::Operand &operand,
                                   unsigned bits, std::string &why) {
  std::optional<unsigned> width;
  const auto look = [&](const ptx::Operand &part) {
    if (part.kind != Kind::reg) return true;
    const unsigned own = register_bits(request, part, bits);
    if (width && *width != own) return false;
    width = own;
    return true;
  };
  bool same = true;
  if (operand.kind == Kind::vector)
    for (const ptx::Operand &part : operand.parts) same = look(part) && same;
  else
    same = look(operand);
  if (same) return width.value_or(bits);
  why = "a vector of registers of different widths";
  return std::nullopt;
}

std::optional<program::Binding> bind_load_store(const program::BindRequest &request, bool store,
                                                std::string &why) {
  const ptx::Instruction &instruction = request.instruction;
  const std::optional<Words> words = read_words(instruction, why);
  if (!words) return std::nullopt;
  const auto &operands = instruction.operands;
  if (words->type.bits == 0 || operands.size() != 2u + words->policy) {
    why = words->type.bits == 0 ? "a type is missing" : "the number of operands";
    return std::nullopt;
  }
  const ptx::Operand &value = operands[store ? 1 : 0], &address = operands[store ? 0 : 1];
  const std::size_t members = value.kind == Kind::vector ? value.parts.size() : 1;
  const unsigned bytes = words->type.bits / 8 * words->members;
  if (members != words->members) {
    why = "the size of the vector";
    return std::nullopt;
  }
  const auto width = value_bits(request, value, words->type.bits, why);
  if (!width) return std::nullopt;
  const auto from = read_address(request, *words, address, bytes, why);
  if (!from) return std::nullopt;

  auto detail = std::make_shared<LoadStore>();
  detail->load = load_transfer(words->type.bits, *width, words->type.kind == 's', words->members);
  detail->store = store_transfer(words->type.bits, *width, words->members);
  detail->access = {.space = words->space,
                    .bytes = static_cast<std::uint8_t>(bytes),
                    .alignment = static_cast<std::uint8_t>(bytes),
                    .reads = !store,
                    .writes = store,
                    .weak = words->weak,
                    .release = words->release,
                    .in_block = words->in_block,
                    .read_only = words->read_only};
  detail->stride = from->stride;
  program::Binding binding;
  binding.run = store ? store_handler(from->kind) : load_handler(from->kind);
  if (!binding.run || !detail->load.scattered || !detail->store.scattered) {
    why = fmt::format("registers of {} bits for .{}", *width, words->type.name);
    return std::nullopt;
  }
  const program::OperandUse of_value{
      .bits = static_cast<std::uint8_t>(*width), .defined = !store, .real = words->type.kind == 'f'};
  const program::OperandUse of_address{.bits = static_cast<std::uint8_t>(from->bits)};
  if (store) binding.uses.push_back(of_address);
  binding.uses.insert(binding.uses.end(), members, of_value);
  if (!store) binding.uses.push_back(of_address);
  if (words->policy) binding.uses.push_back({.bits = 64});
  detail->address = static_cast<std::uint8_t>(store ? 0 : members);
  detail->values = store ? 1 : 0;
  binding.address_operand = detail->address;
  binding.pipe = from->kind == AddressKind::frame ? program::Pipe::alu : pipe_of(words->space, store);
  binding.detail = std::move(detail);
  return binding;
}

}  // namespace

std::optional<program::Binding> bind_memory(const program::BindRequest &request, program::Isa,
                                            std::string &why) {
  if (request.instruction.words.empty()) return std::nullopt;
  const std::string_view name = request.instruction.words[0];
  if (name == "ld" || name == "ldu") return bind_load_store(request, false, why);
  if (name == "st") return bind_load_store(request, true, why);
  return bind_memory_minor(request, why);
}

}  // namespace cupilot::emulate::machine
