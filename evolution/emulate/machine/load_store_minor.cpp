// SPDX-License-Identifier: Apache-2.0
//
// Fences order accesses for the checks and for the host's own threads. Cache hints have no effect. A cluster
// is always a single block, so cluster addresses are the block's addresses.

#include <algorithm>
#include <array>
#include <atomic>

#include "evolution/emulate/machine/access.h"
#include "evolution/emulate/machine/load_store.h"

namespace cupilot::emulate::machine {
namespace {

using Kind = ptx::Operand::Kind;
using ptx::Space;

template <bool kInBlock>
void fence(Warp &warp, const program::Step &, program::Mask) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (warp.checked && warp.block->shadow) warp.block->shadow->fence(warp.index, kInBlock);
}

void nothing(Warp &, const program::Step &, program::Mask) {}

template <typename Register>
void identity(Warp &warp, const program::Step &step, program::Mask mask) {
  auto *to = warp.lanes<Register>(step.at[0]);
  const auto *from = warp.lanes<Register>(step.at[1]);
  for (; mask; mask &= mask - 1) to[__builtin_ctz(mask)] = from[__builtin_ctz(mask)];
}

template <typename Register>
void zero(Warp &warp, const program::Step &step, program::Mask mask) {
  auto *to = warp.lanes<Register>(step.at[0]);
  for (; mask; mask &= mask - 1) to[__builtin_ctz(mask)] = 0;
}

bool is_in(Warp &warp, ptx::Space space, std::uint64_t address) {
  const LaunchState &launch = warp.block->launch;
  const ptx::Space own = space_of(warp, address);
  if (space == ptx::Space::shared || space == ptx::Space::local) return own == space;
  const bool parameter =
      address - launch.parameters < std::max<std::uint64_t>(launch.entry.parameter_bytes, 1);
  if (space == ptx::Space::param) return parameter;
  if (space == ptx::Space::constant) {
    const memory::Allocation *allocation = parameter ? nullptr : launch.memory.find(address);
    return allocation && allocation->read_only;
  }
  return own == ptx::Space::global;
}

void is_space(Warp &warp, const program::Step &step, program::Mask mask) {
  const auto space = static_cast<ptx::Space>(step.data);
  const auto *address = warp.lanes<std::uint64_t>(step.at[1]);
  std::uint32_t &to = warp.predicate(step.at[0]);
  program::Mask yes = 0;
  for (program::Mask left = mask; left; left &= left - 1) {
    const int lane = __builtin_ctz(left);
    if (is_in(warp, space, address[lane])) yes |= program::Mask{1} << lane;
  }
  to = (to & ~mask) | yes;
}

unsigned width_of(const program::BindRequest &request, const ptx::Operand &operand) {
  const ptx::Operand &base =
      operand.kind == Kind::address && !operand.parts.empty() ? operand.parts[0] : operand;
  if (base.kind == Kind::reg && base.index < request.function.registers.size())
    return request.function.registers[base.index].type.bits;
  return 64;
}

bool has(const ptx::Instruction &instruction, std::string_view word) {
  return std::find(instruction.words.begin(), instruction.words.end(), word) != instruction.words.end();
}

std::size_t leaves(const ptx::Operand &operand) {
  if (operand.kind != Kind::vector && operand.kind != Kind::address) return 1;
  std::size_t count = 0;
  for (const ptx::Operand &part : operand.parts) count += leaves(part);
  return count;
}

/// Binds an instruction that reads its operands and has no effect.
program::Binding hint(const program::BindRequest &request) {
  program::Binding binding{.run = nothing, .pipe = program::Pipe::none, .cost = 0};
  for (const ptx::Operand &operand : request.instruction.operands) {
    const program::OperandUse use{.bits = static_cast<std::uint8_t>(width_of(request, operand))};
    binding.uses.insert(binding.uses.end(), leaves(operand), use);
  }
  return binding;
}

std::optional<program::Binding> bind_isspacep(const program::BindRequest &request, std::string &why) {
  struct {
    std::string_view word;
    ptx::Space space;
  } constexpr kSpaces[] = {{"global", ptx::Space::global},      {"shared", ptx::Space::shared},
                           {"shared::cta", ptx::Space::shared}, {"shared::cluster", ptx::Space::shared},
                           {"local", ptx::Space::local},        {"const", ptx::Space::constant},
                           {"param", ptx::Space::param},        {"param::entry", ptx::Space::param}};
  const auto &words = request.instruction.words;
  for (const auto &[word, space] : kSpaces)
    if (words.size() == 2 && words[1] == word && request.instruction.operands.size() == 2) {
      if (width_of(request, request.instruction.operands[1]) != 64) break;
      return program::Binding{.run = is_space,
                              .uses = {{.bits = 1, .defined = true}, {.bits = 64}},
                              .data = static_cast<std::uint64_t>(space)};
    }
  why = "this form of isspacep";
  return std::nullopt;
}

/// mapa: the same address in another block of the cluster; getctarank: which block that is.
std::optional<program::Binding> bind_cluster(const program::BindRequest &request, bool rank,
                                             std::string &why) {
  const auto &operands = request.instruction.operands;
  if (operands.size() != (rank ? 2u : 3u)) {
    why = "the number of operands";
    return std::nullopt;
  }
  const auto to = static_cast<std::uint8_t>(width_of(request, operands[0]));
  const auto from = static_cast<std::uint8_t>(operands[1].kind == Kind::reg ? width_of(request, operands[1])
                                              : rank                        ? 32
                                                                            : to);
  if ((to != 32 && to != 64) || (!rank && from != to)) {
    why = "registers of these widths";
    return std::nullopt;
  }
  program::Binding binding;
  binding.run = rank ? zero<std::uint32_t> : to == 64 ? identity<std::uint64_t> : identity<std::uint32_t>;
  binding.uses = {{.bits = to, .defined = true}, {.bits = from}};
  if (!rank) binding.uses.push_back({.bits = 32});
  return binding;
}

/// A cache policy is an opaque 64-bit value.
program::Binding policy(const program::BindRequest &request) {
  program::Binding binding = hint(request);
  binding.run = zero<std::uint64_t>;
  if (!binding.uses.empty()) binding.uses[0] = {.bits = 64, .defined = true};
  for (std::size_t i = 1; i < binding.uses.size(); ++i)
    if (request.instruction.operands[i].kind != Kind::reg &&
        request.instruction.operands[i].kind != Kind::address)
      binding.uses[i] = {.bits = 32, .real = request.instruction.operands[i].kind == Kind::real};
  return binding;
}

}  // namespace

std::optional<program::Binding> bind_memory_minor(const program::BindRequest &request, std::string &why) {
  const ptx::Instruction &instruction = request.instruction;
  const std::string_view name = instruction.words[0];
  if (name == "membar" || name == "fence") {
    if (has(instruction, "tensormap") || has(instruction, "tensormap::generic")) return std::nullopt;
    program::Binding binding = hint(request);
    binding.run = has(instruction, "cta") ? fence<true> : fence<false>;
    return binding;
  }
  constexpr std::string_view kHints[] = {"prefetch", "prefetchu", "applypriority", "discard"};
  if (std::find(std::begin(kHints), std::end(kHints), name) != std::end(kHints)) return hint(request);
  if (name == "isspacep") return bind_isspacep(request, why);
  if (name == "mapa") return bind_cluster(request, false, why);
  if (name == "getctarank") return bind_cluster(request, true, why);
  if (name == "createpolicy" && !instruction.operands.empty()) return policy(request);
  return std::nullopt;
}

}  // namespace cupilot::emulate::machine
