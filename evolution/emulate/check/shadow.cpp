// SPDX-License-Identifier: Apache-2.0
//
// Checks accesses to shared and global memory with one clock: on a fast path for warps with contiguous
// addresses, else lane by lane with the rules of the space.

#include "evolution/emulate/check/shadow.h"

#include "evolution/emulate/check/rules.h"

namespace cupilot::emulate::check {
GlobalShadow::GlobalShadow(memory::Memory &memory, std::uint64_t blocks, std::uint32_t warps_per_block)
    : state_(std::make_unique<State>(blocks, warps_per_block)) {
  // Concurrent launches cannot share cells, so the later one gets its own.
  auto kept = std::static_pointer_cast<GlobalCells>(memory.shadow);
  if (kept) state_->hold = std::unique_lock(kept->in_use, std::try_to_lock);
  if (!state_->hold) {
    auto made = std::make_shared<GlobalCells>(memory);
    state_->hold = std::unique_lock(made->in_use);
    if (!kept) memory.shadow = made;
    kept = std::move(made);
  }
  state_->cells = std::move(kept);
  const std::uint64_t threads = blocks * warps_per_block * program::kLanes;
  if (state_->cells->available()) state_->first = state_->cells->number_threads(threads);
  state_->last = static_cast<std::uint32_t>(state_->first + threads - 1);
}

GlobalShadow::~GlobalShadow() {
  state_->cells->end_launch();
}

bool GlobalShadow::available() const {
  return state_->first != 0 && state_->publication.available();
}

struct BlockShadow::State {
  State(GlobalShadow::State *global_state, std::uint32_t bytes, std::uint32_t warps, bool watch_races)
      : global(global_state),
        races(watch_races),
        clock(warps),
        shared(bytes, watch_races),
        copies(warps * program::kLanes) {}
  GlobalShadow::State *global;
  const bool races;
  BlockClock clock;
  SharedCells shared;
  AsyncCopies copies;
  RunFunctions runs = run_functions();
  std::uint64_t block = 0;
  std::uint32_t first = 0;  ///< number of the block's first thread in global cells
};

namespace {

/// Publishes and acquires for a strong access. This happens before the access, so that no thread sees the
/// effect of the access earlier.
void synchronise(BlockClock &clock, const TouchRequest &request) {
  if (request.release) clock.fence(request.warp, request.in_block);
  if (request.writes) clock.strong_write(request.warp, request.in_block);
  if (request.reads) clock.strong_read(request.warp, request.in_block);
}

}  // namespace

BlockShadow::BlockShadow(GlobalShadow *global, std::uint32_t shared_bytes, std::uint32_t warps, bool races,
                         bool initialised)
    : state_(std::make_unique<State>(global && global->available() ? global->state_.get() : nullptr,
                                     shared_bytes, warps, races)) {
  if (initialised) state_->shared.written = memory::WrittenBits(shared_bytes);
}

BlockShadow::~BlockShadow() = default;

void BlockShadow::begin(std::uint64_t block) {
  State &state = *state_;
  state.block = block;
  state.copies.drop([&](const AsyncCopies::Copy &copy) {
    for (std::uint64_t at = copy.address; at < copy.address + copy.bytes; at += 1u << state.shared.shift())
      *state.shared.cells(at).writer = 0;
  });
  const std::uint32_t before = state.clock.now();
  state.clock.begin(state.global ? &state.global->publication : nullptr, block);
  if (state.clock.now() < before) state.shared.forget();
  state.shared.written.clear();
  if (state.global)
    state.first =
        static_cast<std::uint32_t>(state.global->first + block * state.global->warps * program::kLanes);
}

TouchAnswer BlockShadow::touch_shared(const TouchRequest &request) {
  State &state = *state_;
  if (!state.races || state.clock.exhausted()) return {};
  if (!request.weak || request.atomic) synchronise(state.clock, request);
  state.shared.refine(request.bytes);
  SharedRules rules{state.clock, state.shared, request, state.block};
  const TouchAnswer answer =
      touch_groups(rules, request, [&](int lane) { return quick_shared(rules, lane, state.runs); });
  if (request.asynchronous && request.writes)
    for (program::Mask left = request.mask; left; left &= left - 1) {
      const int lane = __builtin_ctz(left);
      state.copies.issue(rules.who(lane) - program::kLanes, request.address[lane], request.bytes);
    }
  return answer;
}

TouchAnswer BlockShadow::touch_global(const TouchRequest &request) {
  State &state = *state_;
  if (!state.races || !state.global || state.clock.exhausted()) return {};
  GlobalRules rules{state.clock, *state.global, request, state.block, state.first};
  // No thread can have seen the effect before the access; the times that it acquires are determined later.
  if (!request.weak || request.atomic) synchronise(state.clock, request);
  return touch_groups(rules, request, [&](int lane) { return quick_global(rules, lane, state.runs); });
}

int BlockShadow::unwritten_shared(program::Mask mask, const std::uint64_t *address, std::uint8_t bytes,
                                  std::uint8_t together, std::uint64_t &where) const {
  const memory::WrittenBits &written = state_->shared.written;
  if (!written) return -1;
  bool all = together != 0;
  for (int lane = 0; all && lane < program::kLanes; lane += together)
    all = written.all(address[lane], std::uint64_t{bytes} * together);
  if (all) return -1;
  for (program::Mask left = mask; left; left &= left - 1) {
    const int lane = __builtin_ctz(left);
    const std::uint64_t clear = written.first_clear(address[lane], bytes);
    if (clear == bytes) continue;
    where = address[lane] + clear;
    return lane;
  }
  return -1;
}

void BlockShadow::write_shared(program::Mask mask, const std::uint64_t *address, std::uint8_t bytes,
                               std::uint8_t together) {
  memory::WrittenBits &written = state_->shared.written;
  if (!written) return;
  if (together)
    for (int lane = 0; lane < program::kLanes; lane += together)
      written.set(address[lane], std::uint64_t{bytes} * together);
  else
    for (program::Mask left = mask; left; left &= left - 1) written.set(address[__builtin_ctz(left)], bytes);
}

void BlockShadow::block_barrier() {
  state_->clock.block_barrier();
}
void BlockShadow::named_barrier(const std::vector<std::uint32_t> &warps) {
  state_->clock.named_barrier(warps);
}
void BlockShadow::warp_barrier(std::uint32_t warp, program::Mask members, program::Mask live) {
  state_->clock.warp_barrier(warp, members, live);
}
void BlockShadow::fence(std::uint32_t warp, bool in_block) {
  state_->clock.fence(warp, in_block);
}

void BlockShadow::release(std::uint32_t warp) {
  state_->clock.fence(warp);
  state_->clock.strong_write(warp);
}
void BlockShadow::acquire(std::uint32_t warp) {
  state_->clock.strong_read(warp);
}

void BlockShadow::async_commit(std::uint32_t warp, program::Mask lanes) {
  for (program::Mask left = lanes; left; left &= left - 1)
    state_->copies.commit(warp * program::kLanes + static_cast<std::uint32_t>(__builtin_ctz(left)));
}

void BlockShadow::async_wait(std::uint32_t warp, program::Mask lanes, unsigned left_groups) {
  State &state = *state_;
  if (state.copies.empty()) return;
  state.copies.wait(warp * program::kLanes, lanes, left_groups, [&](const AsyncCopies::Copy &copy) {
    for (std::uint64_t at = copy.address; at < copy.address + copy.bytes;
         at += std::uint64_t{1} << state.shared.shift()) {
      Cell &cell = *state.shared.cells(at).writer;
      if ((cell & kPending) && who_of(cell) == copy.thread + program::kLanes)
        cell = make_cell(state.clock.now(), who_of(cell));
    }
  });
}

}  // namespace cupilot::emulate::check
