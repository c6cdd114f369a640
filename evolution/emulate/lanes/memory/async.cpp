// SPDX-License-Identifier: Apache-2.0
// The asynchronous family: cp.async, cp.async.bulk, mbarrier, and fences between proxies.

#include "evolution/emulate/lanes/memory/async.h"

#include "evolution/emulate/lanes/families.h"

namespace cupilot::emulate::lanes {
namespace async {
namespace {

using Answer = std::optional<program::Binding>;
using Operand = ptx::Operand;

Answer made(program::Handler handler, UseList &uses, float cost = 1) {
  program::Binding binding{.run = handler, .uses = uses.done(), .pipe = program::Pipe::async};
  binding.cost = cost;
  return binding;
}

/// wait_group N, wait_all, commit_group.
Answer bind_group(const program::BindRequest &request, InstructionWords &words, std::string &why) {
  const int kind = words.take_one({"commit_group", "wait_all", "wait_group"});
  UseList uses(request);
  const auto &operands = request.instruction.operands;
  if (!words.complete(why) || operands.size() != (kind == 2 ? 1u : 0u)) return std::nullopt;
  if (kind == 0) return made(commit_group, uses);
  if (kind == 1) return made(wait_all, uses);
  if (operands[0].kind != Operand::Kind::integer) return std::nullopt;
  uses.reads(operands[0], 32);
  Answer binding = made(wait_group, uses);
  binding.value().data = static_cast<std::uint64_t>(operands[0].integer);
  return binding;
}

bool is_group(const InstructionWords &words) {
  const std::string_view next = words.next();
  return next == "commit_group" || next == "wait_all" || next == "wait_group";
}

/// Bulk groups: copies out of shared memory are done when they are issued.
Answer bind_bulk_group(const program::BindRequest &request, InstructionWords &words, std::string &why) {
  words.take_one({"commit_group", "wait_group"});
  words.take("read");
  if (!words.complete(why)) return std::nullopt;
  UseList uses(request);
  for (const Operand &operand : request.instruction.operands) uses.reads(operand, 32);
  return made(nothing, uses);
}

}  // namespace

Answer bind_copy(const program::BindRequest &request, InstructionWords &words, std::string &why) {
  if (is_group(words)) return bind_group(request, words, why);
  auto form = std::make_shared<CopyForm>();
  const int kind = words.take_one({"ca", "cg"});
  const bool policy = words.take_cache_hints();
  if (kind < 0 || take_space(words) != ptx::Space::shared || !words.take("global") || !words.complete(why))
    return std::nullopt;
  const auto &operands = request.instruction.operands;
  const std::size_t optional = operands.size() - 3 - policy;
  if (operands.size() < 3u + policy || optional > 1) return std::nullopt;
  const Operand &size = operands[2];
  if (operands[0].kind != Operand::Kind::address || operands[1].kind != Operand::Kind::address ||
      size.kind != Operand::Kind::integer)
    return std::nullopt;
  if (size.integer != 16 && (kind == 1 || (size.integer != 4 && size.integer != 8))) return std::nullopt;
  form->bytes = static_cast<std::uint8_t>(size.integer);
  UseList uses(request);
  form->to = uses.address(operands[0]);
  form->from = uses.address(operands[1]);
  uses.reads(size, 32);
  if (optional) {
    if (is_predicate(request, operands[3]))
      form->ignore = uses.reads(operands[3], 1);
    else
      form->source_bytes = uses.reads(operands[3], 32);
  }
  if (policy) uses.reads(operands.back(), 64);
  Answer binding = made(copy, uses);
  binding.value().detail = std::move(form);
  return binding;
}

Answer bind_bulk(const program::BindRequest &request, InstructionWords &words, std::string &why) {
  if (words.take("tensor")) why = "a copy by tensor map";
  if (!why.empty()) return std::nullopt;
  if (words.next() == "commit_group" || words.next() == "wait_group")
    return bind_bulk_group(request, words, why);
  const auto &operands = request.instruction.operands;
  if (words.take("prefetch")) {
    UseList uses(request);
    words.take_cache_hints();
    words.take("L2");
    if (!words.take("global") || !words.complete(why) || operands.size() < 2) return std::nullopt;
    if (operands[0].kind != Operand::Kind::address) return std::nullopt;
    uses.address(operands[0]);
    uses.reads(operands[1], 32);
    if (operands.size() > 2) uses.reads(operands[2], 64);
    return made(nothing, uses);
  }
  auto form = std::make_shared<BulkForm>();
  const int target = words.take_leftmost({"shared::cluster", "shared::cta", "global"});
  const int source = words.take_leftmost({"shared::cta", "global"});
  form->to_global = target == 2;
  form->from_shared = source == 0;
  const bool policy = words.take_cache_hints();
  const bool known = target >= 0 && source >= 0 && form->to_global <= form->from_shared;
  if (!known || !words.take(form->to_global ? "bulk_group" : "mbarrier::complete_tx::bytes"))
    return std::nullopt;
  const std::size_t expected = (form->to_global ? 3u : 4u) + policy;
  if (!words.complete(why) || operands.size() != expected) return std::nullopt;
  for (std::size_t i : {std::size_t{0}, std::size_t{1}, form->to_global ? std::size_t{1} : std::size_t{3}})
    if (operands[i].kind != Operand::Kind::address) return std::nullopt;
  UseList uses(request);
  form->to = uses.address(operands[0]);
  form->from = uses.address(operands[1]);
  form->size = uses.reads(operands[2], 32);
  if (!form->to_global) form->barrier = uses.address(operands[3]);
  if (policy) uses.reads(operands.back(), 64);
  Answer binding = made(bulk_copy, uses, 4);
  binding.value().detail = std::move(form);
  return binding;
}

}  // namespace async

std::optional<program::Binding> bind_async(const program::BindRequest &request, program::Isa,
                                           std::string &why) {
  InstructionWords words(request.instruction);
  std::optional<program::Binding> binding;
  if (words.take_first("mbarrier")) {
    binding = async::bind_barrier(request, words, why);
  } else if (words.take_first("cp")) {
    if (words.take("reduce") || !words.take("async")) {
      why = "a bulk copy that reduces";
      return std::nullopt;
    }
    if (words.take("mbarrier"))
      binding = async::bind_copy_arrival(request, words, why);
    else if (words.take("bulk"))
      binding = async::bind_bulk(request, words, why);
    else
      binding = async::bind_copy(request, words, why);
  } else if (words.take_first("fence") && (words.take("proxy") || words.take("mbarrier_init"))) {
    // There is one view of memory here.
    UseList uses(request);
    for (const ptx::Operand &operand : request.instruction.operands)
      operand.kind == ptx::Operand::Kind::address ? void(uses.address(operand))
                                                  : void(uses.reads(operand, 32));
    return program::Binding{.run = async::nothing, .uses = uses.done(), .pipe = program::Pipe::barrier};
  } else {
    return std::nullopt;
  }
  return settled(std::move(binding), request, why);
}

}  // namespace cupilot::emulate::lanes
