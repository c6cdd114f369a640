// SPDX-License-Identifier: Apache-2.0
//
// mbarrier.*: lanes act one after the other in lane order. An arrival publishes what the warp did before, a
// successful wait sees what others published. A wait that fails gives the other warps a turn.

#include "evolution/emulate/lanes/memory/mbarrier.h"

#include "evolution/emulate/lanes/lane_access.h"
#include "evolution/emulate/lanes/memory/async.h"

namespace cupilot::emulate::lanes::async {
namespace {

enum class Action : std::uint8_t { init, invalidate, arrive, drop, expect, complete, wait };

struct BarrierForm {
  static constexpr std::uint8_t kNone = 0xff;
  Action action = Action::init;
  bool expects = false;     ///< arrive.expect_tx: the count is of bytes
  bool parity = false;      ///< waits name a parity instead of a state
  bool copies = false;      ///< cp.async.mbarrier.arrive: after the lane's own copies
  bool increments = false;  ///< the pending count is raised first, so that it does not change in the end
  ptx::Space space = ptx::Space::shared;
  AddressOperand address;
  std::uint8_t result = kNone;  ///< flattened place: the state, or waitComplete
  std::uint8_t count = kNone;   ///< flattened place: count, bytes, state or parity
};

std::uint32_t count_of(machine::Warp &warp, const program::Step &step, const BarrierForm &form, int lane) {
  return form.count == BarrierForm::kNone ? 1 : lanes_of<std::uint32_t>(warp, step, form.count)[lane];
}

bool arrive(MBarrier &barrier, const BarrierForm &form, std::uint32_t count) {
  if (form.expects) barrier.expect_transactions(count);
  const std::uint32_t arrivals = form.expects ? 1 : count;
  if (form.increments) return true;
  return form.action == Action::drop ? barrier.drop(arrivals) : barrier.arrive(arrivals);
}

/// False when the barrier has no such arrival left.
bool act(MBarrier &barrier, const BarrierForm &form, std::uint32_t count) {
  switch (form.action) {
    case Action::init:
      barrier = {.pending = count, .expected = count};
      return count <= MBarrier::kMostArrivals;
    case Action::invalidate:
      barrier = {};
      return true;
    case Action::arrive:
    case Action::drop:
      return arrive(barrier, form, count);
    case Action::expect:
      barrier.expect_transactions(count);
      return true;
    case Action::complete:
      barrier.complete_transactions(count);
      return true;
    case Action::wait:
      return true;
  }
  return true;
}

machine::Access access_of(const BarrierForm &form) {
  const bool plain = form.action == Action::init || form.action == Action::invalidate;
  return {.space = form.space,
          .bytes = 8,
          .alignment = 8,
          .reads = !plain,
          .writes = true,
          .atomic = !plain,
          .weak = plain};
}

void run(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  const BarrierForm &form = *static_cast<const BarrierForm *>(step.detail);
  std::uint64_t address[program::kLanes];
  std::byte *host[program::kLanes];
  if (form.copies) arrive_all(warp, mask);
  if (form.action == Action::arrive || form.action == Action::drop) machine::sync_release(warp);
  read_addresses(warp, step, form.address, address);
  const program::Mask ready = machine::resolve(warp, step, mask, access_of(form), address, host);
  program::Mask refused = 0;
  for_lanes(ready, [&](int lane) {
    const auto before = load_bytes<std::uint64_t>(host[lane]);
    MBarrier barrier = MBarrier::unpack(before);
    if (!act(barrier, form, count_of(warp, step, form, lane))) refused |= program::Mask{1} << lane;
    store_bytes(host[lane], barrier.pack());
    if (form.result != BarrierForm::kNone) {
      const program::Offset at = operand(step, form.result);
      if (at != program::kNowhere) warp.lanes<std::uint64_t>(at)[lane] = before;
    }
  });
  if (refused)
    machine::report(warp, step, machine::FindingKind::divergent_barrier, __builtin_ctz(refused),
                    "arrives at an mbarrier more often than it expects, or one that was not initialised");
}

bool has_ended(machine::Warp &warp, const program::Step &step, const BarrierForm &form, int lane,
               std::uint32_t phase) {
  if (form.parity) return (lanes_of<std::uint32_t>(warp, step, form.count)[lane] & 1) != (phase & 1);
  const std::uint64_t state = lanes_of<std::uint64_t>(warp, step, form.count)[lane];
  return MBarrier::unpack(state).phase != phase;
}

void wait(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  const BarrierForm &form = *static_cast<const BarrierForm *>(step.detail);
  std::uint64_t address[program::kLanes];
  std::byte *host[program::kLanes];
  read_addresses(warp, step, form.address, address);
  const program::Mask ready = machine::resolve(warp, step, mask, access_of(form), address, host);
  program::Mask ended = 0;
  const bool early = machine::comes_later(warp);
  for_lanes(early ? 0 : ready, [&](int lane) {
    MBarrier barrier = MBarrier::unpack(load_bytes<std::uint64_t>(host[lane]));
    if (const std::uint64_t bytes = bulk_arrive(warp, host[lane])) {
      barrier.complete_transactions(static_cast<std::uint32_t>(bytes));
      store_bytes(host[lane], barrier.pack());
    }
    if (has_ended(warp, step, form, lane, barrier.phase)) ended |= program::Mask{1} << lane;
  });
  write_predicate(warp, operand(step, form.result), mask, ended);
  if (ended) machine::sync_acquire(warp);
  if (ended != ready) machine::yield(warp);
}

void pending_count(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  std::uint32_t counts[program::kLanes];
  const auto *state = lanes_of<std::uint64_t>(warp, step, 1);
  for (int lane = 0; lane < program::kLanes; ++lane) counts[lane] = MBarrier::unpack(state[lane]).pending;
  write_lanes(warp, step.at[0], mask, counts);
}

using Answer = std::optional<program::Binding>;
using Operand = ptx::Operand;

program::Binding made(program::Handler handler, UseList &uses, std::shared_ptr<BarrierForm> form) {
  program::Binding binding{
      .run = handler, .uses = uses.done(), .detail = std::move(form), .pipe = program::Pipe::async};
  return binding;
}

void take_ordering(InstructionWords &words) {
  words.take_one({"relaxed", "acquire", "release"});
  words.take_one({"cta", "cluster", "gpu", "sys"});
}

Answer bind_wait(const program::BindRequest &request, InstructionWords &words, std::string &why) {
  auto form = std::make_shared<BarrierForm>();
  form->action = Action::wait;
  form->parity = words.take("parity");
  take_ordering(words);
  form->space = take_space(words);
  const auto &operands = request.instruction.operands;
  if (!words.take("b64") || !words.complete(why) || operands.size() < 3 || operands.size() > 4)
    return std::nullopt;
  if (operands[1].kind != Operand::Kind::address) return std::nullopt;
  UseList uses(request);
  form->result = uses.writes_or_drops(operands[0], 1);
  form->address = uses.address(operands[1]);
  form->count = uses.reads(operands[2], form->parity ? 32 : 64);
  if (operands.size() == 4) uses.reads(operands[3], 32);  // how long to suspend: no meaning here
  return made(wait, uses, std::move(form));
}

/// arrive, arrive_drop: with or without a state, with or without a count.
Answer bind_arrival(const program::BindRequest &request, InstructionWords &words, bool drop,
                    std::string &why) {
  auto form = std::make_shared<BarrierForm>();
  form->action = drop ? Action::drop : Action::arrive;
  form->expects = words.take("expect_tx");
  words.take("noComplete");
  take_ordering(words);
  form->space = take_space(words);
  const auto &operands = request.instruction.operands;
  if (!words.take("b64") || !words.complete(why) || operands.empty()) return std::nullopt;
  const bool returns = operands[0].kind != Operand::Kind::address;
  const std::size_t address = returns ? 1 : 0;
  if (operands.size() <= address || operands.size() > address + 2) return std::nullopt;
  if (operands[address].kind != Operand::Kind::address) return std::nullopt;
  UseList uses(request);
  if (returns) form->result = uses.writes_or_drops(operands[0], 64);
  form->address = uses.address(operands[address]);
  if (operands.size() == address + 2) form->count = uses.reads(operands[address + 1], 32);
  if (form->expects && form->count == BarrierForm::kNone) return std::nullopt;
  return made(run, uses, std::move(form));
}

/// init, inval, expect_tx, complete_tx.
Answer bind_plain(const program::BindRequest &request, InstructionWords &words, Action action,
                  std::string &why) {
  auto form = std::make_shared<BarrierForm>();
  form->action = action;
  take_ordering(words);
  form->space = take_space(words);
  const auto &operands = request.instruction.operands;
  const std::size_t expected = action == Action::invalidate ? 1 : 2;
  if (!words.take("b64") || !words.complete(why) || operands.size() != expected) return std::nullopt;
  if (operands[0].kind != Operand::Kind::address) return std::nullopt;
  UseList uses(request);
  form->address = uses.address(operands[0]);
  if (expected == 2) form->count = uses.reads(operands[1], 32);
  return made(run, uses, std::move(form));
}

Answer bind_pending_count(const program::BindRequest &request, InstructionWords &words, std::string &why) {
  if (!words.take("b64") || !words.complete(why) || request.instruction.operands.size() != 2)
    return std::nullopt;
  UseList uses(request);
  uses.writes(request.instruction.operands[0], 32);
  uses.reads(request.instruction.operands[1], 64);
  return program::Binding{.run = pending_count, .uses = uses.done(), .pipe = program::Pipe::alu};
}

}  // namespace

Answer bind_barrier(const program::BindRequest &request, InstructionWords &words, std::string &why) {
  constexpr Action kPlain[] = {Action::init, Action::invalidate, Action::expect, Action::complete};
  if (words.take_one({"test_wait", "try_wait"}) >= 0) return bind_wait(request, words, why);
  if (words.take("arrive")) return bind_arrival(request, words, false, why);
  if (words.take("arrive_drop")) return bind_arrival(request, words, true, why);
  if (words.take("pending_count")) return bind_pending_count(request, words, why);
  const int plain = words.take_one({"init", "inval", "expect_tx", "complete_tx"});
  return plain < 0 ? std::nullopt : bind_plain(request, words, kPlain[plain], why);
}

Answer bind_copy_arrival(const program::BindRequest &request, InstructionWords &words, std::string &why) {
  auto form = std::make_shared<BarrierForm>();
  form->action = Action::arrive;
  form->copies = true;
  if (!words.take("arrive")) return std::nullopt;
  form->increments = !words.take("noinc");
  form->space = take_space(words);
  const auto &operands = request.instruction.operands;
  if (!words.take("b64") || !words.complete(why) || operands.size() != 1) return std::nullopt;
  if (operands[0].kind != Operand::Kind::address) return std::nullopt;
  UseList uses(request);
  form->address = uses.address(operands[0]);
  return made(run, uses, std::move(form));
}

}  // namespace cupilot::emulate::lanes::async
