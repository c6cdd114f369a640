// SPDX-License-Identifier: Apache-2.0
// Binds shuffles, votes, matches and warp reductions.

#include "evolution/emulate/lanes/exchange/exchange.h"

#include <fmt/format.h>
#include "evolution/emulate/lanes/families.h"
#include "evolution/emulate/lanes/instruction_words.h"

namespace cupilot::emulate::lanes {
namespace {

using namespace exchange;
using Answer = std::optional<program::Binding>;
using Operand = ptx::Operand;

program::Binding made(program::Handler run, UseList &uses, program::Pipe pipe, float cost = 1) {
  program::Binding binding{.run = run};
  binding.uses = uses.done();
  binding.pipe = pipe;
  binding.cost = cost;
  return binding;
}

bool wrong_count(const program::BindRequest &request, std::initializer_list<std::size_t> allowed,
                 std::string &why) {
  const std::size_t count = request.instruction.operands.size();
  for (std::size_t one : allowed)
    if (one == count) return false;
  why = fmt::format("{} operands", count);
  return true;
}

/// d or d|p; true when there is a predicate. Operands with more members are not of this kind.
std::optional<bool> writes_with_predicate(UseList &uses, const Operand &operand, std::uint8_t bits) {
  if (operand.kind != Operand::Kind::pair) {
    uses.writes_or_drops(operand, bits);
    return false;
  }
  if (operand.parts.size() != 2) return std::nullopt;
  uses.writes_or_drops(operand.parts[0], bits);
  uses.writes_or_drops(operand.parts[1], 1);
  return true;
}

Answer bind_shuffle(const program::BindRequest &request, InstructionWords &words, std::string &why) {
  auto form = std::make_shared<exchange::ShuffleForm>();
  form->sync = words.take("sync");
  const int mode = words.take_one({"up", "down", "bfly", "idx"});
  if (mode < 0 || !words.take("b32") || !words.complete(why)) return std::nullopt;
  if (wrong_count(request, {form->sync ? 5u : 4u}, why)) return std::nullopt;
  const auto &operands = request.instruction.operands;
  UseList uses(request);
  const auto predicate = writes_with_predicate(uses, operands[0], 32);
  if (!predicate) return std::nullopt;
  form->predicate = *predicate;
  for (std::size_t i = 1; i < operands.size(); ++i) uses.reads(operands[i], 32);
  program::Binding binding =
      made(exchange::shuffle(static_cast<exchange::ShuffleForm::Mode>(mode)), uses, program::Pipe::shuffle);
  binding.detail = std::move(form);
  return binding;
}

Answer bind_vote(const program::BindRequest &request, InstructionWords &words, std::string &why) {
  auto form = std::make_shared<exchange::VoteForm>();
  form->sync = words.take("sync");
  const int kind = words.take_one({"all", "any", "uni", "ballot"});
  const bool ballot = kind == static_cast<int>(exchange::Vote::ballot);
  if (kind < 0 || !words.take(ballot ? "b32" : "pred") || !words.complete(why)) return std::nullopt;
  if (wrong_count(request, {form->sync ? 3u : 2u}, why)) return std::nullopt;
  const auto &operands = request.instruction.operands;
  UseList uses(request);
  uses.writes_or_drops(operands[0], ballot ? 32 : 1);
  uses.reads(operands[1], 1);
  form->negated = operands[1].negated;
  if (form->sync) uses.reads(operands[2], 32);
  program::Binding binding =
      made(exchange::vote(static_cast<exchange::Vote>(kind)), uses, program::Pipe::alu);
  binding.detail = std::move(form);
  return binding;
}

Answer bind_active_mask(const program::BindRequest &request, InstructionWords &words, std::string &why) {
  if (!words.take("b32") || !words.complete(why) || wrong_count(request, {1}, why)) return std::nullopt;
  UseList uses(request);
  uses.writes_or_drops(request.instruction.operands[0], 32);
  return made(exchange::active_mask, uses, program::Pipe::alu);
}

Answer bind_match(const program::BindRequest &request, InstructionWords &words, std::string &why) {
  const bool any = words.take("any");
  if ((!any && !words.take("all")) || !words.take("sync")) return std::nullopt;
  const int type = words.take_one({"b32", "b64"});
  if (type < 0 || !words.complete(why) || wrong_count(request, {3}, why)) return std::nullopt;
  const auto &operands = request.instruction.operands;
  const int bits = type == 1 ? 64 : 32;
  UseList uses(request);
  const auto predicate = writes_with_predicate(uses, operands[0], 32);
  if (!predicate || (any && *predicate)) return std::nullopt;
  uses.reads(operands[1], static_cast<std::uint8_t>(bits));
  uses.reads(operands[2], 32);
  program::Binding binding = made(any ? exchange::match_any(bits) : exchange::match_all(bits), uses,
                                  program::Pipe::shuffle, any ? 8 : 2);
  binding.data = *predicate;
  return binding;
}

std::optional<exchange::Reduce> reduction_of(int operation, int type) {
  constexpr int kU32 = 0, kS32 = 1, kB32 = 2;
  const bool is_signed = type == kS32;
  if (type == kB32) {
    if (operation < 3) return std::nullopt;
    return operation == 3   ? exchange::Reduce::bit_and
           : operation == 4 ? exchange::Reduce::bit_or
                            : exchange::Reduce::bit_xor;
  }
  if (type != kU32 && !is_signed) return std::nullopt;
  if (operation == 0) return exchange::Reduce::add;
  if (operation == 1) return is_signed ? exchange::Reduce::min_signed : exchange::Reduce::min_unsigned;
  if (operation == 2) return is_signed ? exchange::Reduce::max_signed : exchange::Reduce::max_unsigned;
  return std::nullopt;
}

Answer bind_reduce(const program::BindRequest &request, InstructionWords &words, std::string &why) {
  if (!words.take("sync")) return std::nullopt;
  const int operation = words.take_one({"add", "min", "max", "and", "or", "xor"});
  const int type = words.take_one({"u32", "s32", "b32", "f32"});
  auto form = std::make_shared<exchange::FloatReduceForm>();
  const bool is_float = type == 3 && (operation == 1 || operation == 2);
  if (is_float) {
    form->max = operation == 2;
    form->absolute = words.take("abs");
    form->nan = words.take("NaN");
  }
  const auto reduction = reduction_of(operation, type);
  if (!reduction && !is_float) return std::nullopt;
  if (!words.complete(why) || wrong_count(request, {3}, why)) return std::nullopt;
  UseList uses(request);
  uses.writes_or_drops(request.instruction.operands[0], 32);
  uses.reads(request.instruction.operands[1], 32);
  uses.reads(request.instruction.operands[2], 32);
  program::Binding binding =
      made(is_float ? exchange::reduce_float : exchange::reduce(*reduction), uses, program::Pipe::shuffle, 2);
  if (is_float) binding.detail = std::move(form);
  return binding;
}

Answer bind_elect(const program::BindRequest &request, InstructionWords &words, std::string &why) {
  if (!words.take("sync") || !words.complete(why) || wrong_count(request, {2}, why)) return std::nullopt;
  UseList uses(request);
  const auto predicate = writes_with_predicate(uses, request.instruction.operands[0], 32);
  if (!predicate || !*predicate) return std::nullopt;
  uses.reads(request.instruction.operands[1], 32);
  return made(exchange::elect, uses, program::Pipe::alu, 3);
}

}  // namespace

std::optional<program::Binding> bind_exchange(const program::BindRequest &request, program::Isa,
                                              std::string &why) {
  InstructionWords words(request.instruction);
  std::optional<program::Binding> binding;
  if (words.take_first("shfl"))
    binding = bind_shuffle(request, words, why);
  else if (words.take_first("vote"))
    binding = bind_vote(request, words, why);
  else if (words.take_first("activemask"))
    binding = bind_active_mask(request, words, why);
  else if (words.take_first("match"))
    binding = bind_match(request, words, why);
  else if (words.take_first("redux"))
    binding = bind_reduce(request, words, why);
  else if (words.take_first("elect"))
    binding = bind_elect(request, words, why);
  else
    return std::nullopt;
  return settled(std::move(binding), request, why);
}

}  // namespace cupilot::emulate::lanes
