// SPDX-License-Identifier: Apache-2.0
//
// Checks a watched access: it calls the observer first, then checks initialisation, then races. These
// findings do not end a launch.

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "evolution/emulate/machine/access.h"

namespace cupilot::emulate::machine {
namespace {

using ptx::Space;

/// TouchRequest::together
std::uint8_t groups_of(program::Mask mask, const std::uint64_t *address, unsigned bytes, bool contiguous) {
  if (mask != 0xffffffff) return 0;
  if (contiguous) return program::kLanes;
  std::uint64_t apart = 0;
  for (unsigned lane = 0; lane < program::kLanes / 2; ++lane) {
    apart |= address[lane] ^ (address[0] + lane * bytes);
    apart |= address[program::kLanes / 2 + lane] ^ (address[program::kLanes / 2] + lane * bytes);
  }
  return apart == 0 ? program::kLanes / 2 : 0;
}

/// Lanes that read something else than the lane before them.
program::Mask heads_of(program::Mask mask, const std::uint64_t *address) {
  program::Mask changes = 1;
  for (int lane = 1; lane < program::kLanes; ++lane)
    changes |= static_cast<program::Mask>(address[lane] != address[lane - 1]) << lane;
  return mask & (changes | ~(mask << 1));
}

void report_unwritten(Warp &warp, const program::Step &step, int lane, const Access &access, ptx::Space space,
                      std::uint64_t where, bool scratch) {
  report(warp, step, FindingKind::uninitialised_read, lane,
         fmt::format("{} that nobody wrote{}: {}", access_text(access), scratch ? " in this launch" : "",
                     address_text(warp, space, where)));
}

void watch_written_shared(Warp &warp, const program::Step &step, program::Mask mask, const Access &access,
                          const std::uint64_t *address, std::uint8_t together) {
  check::BlockShadow &shadow = *warp.block->shadow;
  if (access.reads && warp.block->launch.options.checks.initialised) {
    std::uint64_t where = 0;
    const int lane = shadow.unwritten_shared(mask, address, access.bytes, together, where);
    // Reading the system's reserved bytes is not an error of the kernel.
    if (lane >= 0 && where >= kReservedShared)
      report_unwritten(warp, step, lane, access, ptx::Space::shared, where, false);
  }
  if (access.writes) shadow.write_shared(mask, address, access.bytes, together);
}

void watch_written_lane(Warp &warp, const program::Step &step, int lane, const Access &access,
                        const memory::Allocation &allocation, std::uint64_t address, bool &reported) {
  const std::uint64_t at = address - allocation.address;
  if (access.reads && !reported && warp.block->launch.options.checks.initialised) {
    const std::uint64_t written = allocation.written.first_clear(at, access.bytes);
    if (written < access.bytes) {
      reported = true;
      report_unwritten(warp, step, lane, access, ptx::Space::global, address + written, allocation.scratch());
    }
  }
  if (access.writes) allocation.written.set(at, access.bytes);
}

/// Lanes side by side from `first` on, in the range of the step: true when that settles them.
bool watch_written_group(Warp &warp, const CachedRange &range, const Access &access, std::uint64_t first,
                         std::uint64_t bytes) {
  if (first < range.begin || first >= range.end) return false;
  if (!range.tracked) return true;
  const std::uint64_t at = first - range.begin;
  const bool reads = access.reads && warp.block->launch.options.checks.initialised;
  if (reads && !range.tracked->written.all(at, bytes)) return false;
  if (access.writes) range.tracked->written.set(at, bytes);
  return true;
}

void watch_written_global(Warp &warp, const program::Step &step, program::Mask mask, const Access &access,
                          const std::uint64_t *address, std::uint8_t together) {
  const CachedRange &range = cached_range(warp, step);
  if (together) {
    bool settled = true;
    for (int lane = 0; lane < program::kLanes; lane += together)
      settled =
          watch_written_group(warp, range, access, address[lane], std::uint64_t{access.bytes} * together) &&
          settled;
    if (settled) return;
  }
  bool reported = false;
  for (program::Mask left = mask; left; left &= left - 1) {
    const int lane = __builtin_ctz(left);
    const bool here = address[lane] >= range.begin && address[lane] < range.end;
    const memory::Allocation *allocation =
        here ? range.tracked : warp.block->launch.memory.find(address[lane]);
    if (allocation && allocation->written)
      watch_written_lane(warp, step, lane, access, *allocation, address[lane], reported);
  }
}

std::string toucher_text(const check::Toucher &toucher, bool asynchronous) {
  if (asynchronous) return "copies to";
  return toucher.atomic ? "updates" : toucher.write ? "writes" : "reads";
}

bool has_word(const LaunchState &launch, std::uint32_t pc, std::initializer_list<std::string_view> names) {
  const program::StepInfo &info = launch.program.info[pc];
  const ptx::Function &function = launch.program.module->functions[info.function];
  if (info.instruction >= function.body.size()) return false;
  const auto &words = function.body[info.instruction].words;
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return std::find(names.begin(), names.end(), word) != names.end();
  });
}

/// True for a plain read and an atomic (cas, min, max, and, or) of the same location. Compare-and-swap loops
/// begin with such a read, and a minimum is read before it is updated. Whatever value the read returns, the
/// result is the same.
bool harmless(const LaunchState &launch, const program::Step &step, const Access &access,
              const check::Toucher &earlier) {
  const bool read_now = access.reads && !access.writes && earlier.atomic;
  const bool read_earlier = access.atomic && !earlier.write;
  if (!read_now && !read_earlier) return false;
  return has_word(launch, read_now ? earlier.pc : step.pc, {"cas", "min", "max", "and", "or"});
}

void report_race(Warp &warp, const program::Step &step, const Access &access, ptx::Space space,
                 const check::TouchAnswer &answer) {
  const check::Conflict &conflict = answer.race.value();
  const bool own = conflict.earlier.block == warp.block->number &&
                   conflict.earlier.thread == thread_number(warp, answer.lane);
  std::string text =
      fmt::format("{} of {}", access_text(access), address_text(warp, space, conflict.address));
  if (conflict.read_only)
    text +=
        " by the read-only path (ld.global.nc, __ldg), which this launch has written: that path need not see "
        "it; read it plainly";
  else if (conflict.lockstep && space == ptx::Space::shared)
    text +=
        ", which another lane of its warp writes: volatile does not order lanes; put __syncwarp() between "
        "the two";
  else if (conflict.lockstep)
    text +=
        ", which another block writes: volatile does not order the two; put __threadfence() between the "
        "store "
        "and what tells of it";
  else if (conflict.asynchronous && own)
    text += " before its own asynchronous copy to it has been waited for";
  else
    text += fmt::format(", which another thread {} with nothing that orders the two",
                        toucher_text(conflict.earlier, conflict.asynchronous));
  report_conflict(warp, step,
                  space != ptx::Space::shared ? FindingKind::global_race
                  : conflict.lockstep         ? FindingKind::warp_race
                                              : FindingKind::shared_race,
                  answer.lane, std::move(text), conflict.earlier);
}

/// "s" of "_ZZ3sumPKfE1s".
std::string_view short_name(std::string_view name) {
  const std::size_t scope = name.rfind('E');
  if (!name.starts_with("_ZZ") || scope == std::string_view::npos) return name;
  const std::size_t digits = name.find_first_not_of("0123456789", scope + 1);
  return digits == std::string_view::npos || digits == scope + 1 ? name : name.substr(digits);
}

/// An access through a variable's address must stay in that variable.
void watch_object(Warp &warp, const program::Step &step, program::Mask mask, const Access &access,
                  const std::uint64_t *address) {
  const LaunchState &launch = warp.block->launch;
  const std::int32_t object = launch.shared_use->object[step.pc];
  if (object == SharedUse::kUncertain) return;
  const auto index = static_cast<std::size_t>(object);
  const ptx::Variable &variable = *launch.program.shared[index];
  const std::uint32_t offset = launch.entry.shared_offsets[index];
  const bool dynamic = offset == program::kNowhere;
  const std::uint64_t begin = dynamic ? launch.dynamic_offset : kReservedShared + offset;
  const std::uint64_t end = dynamic ? launch.shared_bytes : begin + variable.bytes;
  if (begin >= end) return;  // dynamic shared memory of which there is none
  for (; mask; mask &= mask - 1) {
    const int lane = __builtin_ctz(mask);
    const std::uint64_t at = address[lane];
    if (at >= begin && at + access.bytes <= end) continue;
    const std::string where = at < begin  ? fmt::format("{} bytes before", begin - at)
                              : at < end  ? std::string("partly past the end of")
                              : at == end ? std::string("right past the end of")
                                          : fmt::format("{} bytes past the end of", at - end);
    report(warp, step, FindingKind::shared_overrun, lane,
           fmt::format("{} {} the shared array '{}' ({} bytes), in what belongs to another one",
                       access_text(access), where, short_name(variable.name), end - begin));
    return;
  }
}

void watch_races(Warp &warp, const program::Step &step, program::Mask mask, program::Mask heads,
                 const Access &access, ptx::Space space, const std::uint64_t *address, std::uint8_t together,
                 const StoreValues &values) {
  Block &block = *warp.block;
  check::TouchRequest request{.warp = warp.index,
                              .pc = step.pc,
                              .mask = mask,
                              .heads = heads,
                              .address = address,
                              .bytes = access.bytes,
                              .reads = access.reads,
                              .writes = access.writes,
                              .atomic = access.atomic,
                              .asynchronous = access.asynchronous,
                              .weak = access.weak,
                              .exchanged = block.launch.shared_use->exchanged[step.pc] && !access.writes,
                              .release = access.release,
                              .read_only = access.read_only,
                              .in_block = access.in_block,
                              .together = together,
                              .value = values.value,
                              .context = values.context,
                              .memory = space == ptx::Space::shared ? block.shared : nullptr};
  const check::TouchAnswer answer =
      space == ptx::Space::shared ? block.shadow->touch_shared(request) : block.shadow->touch_global(request);
  if (answer.race && !harmless(block.launch, step, access, answer.race->earlier))
    report_race(warp, step, access, space, answer);
}

}  // namespace

void watch_access(Warp &warp, const program::Step &step, program::Mask mask, const Access &access,
                  ptx::Space space, const std::uint64_t *address, bool contiguous,
                  const StoreValues &values) {
  Block &block = *warp.block;
  const LaunchOptions &options = block.launch.options;
  if (options.observer) {
    const bool constant = access.space == ptx::Space::constant || access.space == ptx::Space::param;
    options.observer->access(block.slot, warp.index, step.pc,
                             {.space = constant ? access.space : space,
                              .bytes = access.bytes,
                              .write = access.writes,
                              .atomic = access.atomic,
                              .asynchronous = access.asynchronous,
                              .mask = mask,
                              .address = address});
  }
  if (space == ptx::Space::local) return;
  const std::uint8_t together = groups_of(mask, address, access.bytes, contiguous);
  const program::Mask heads = together || access.writes ? mask : heads_of(mask, address);
  if (space == ptx::Space::shared && block.shadow)
    watch_written_shared(warp, step, heads, access, address, together);
  else if (space == ptx::Space::global)
    watch_written_global(warp, step, heads, access, address, together);
  if (!block.shadow || !options.checks.races) return;
  if (space == ptx::Space::global && cached_range(warp, step).read_only && !access.writes) return;
  if (space == ptx::Space::shared) watch_object(warp, step, mask, access, address);
  watch_races(warp, step, mask, heads, access, space, address, together, values);
}

void async_commit(Warp &warp, program::Mask lanes) {
  if (warp.checked && warp.block->shadow) warp.block->shadow->async_commit(warp.index, lanes);
}
void async_wait(Warp &warp, program::Mask lanes, unsigned left) {
  if (warp.checked && warp.block->shadow) warp.block->shadow->async_wait(warp.index, lanes, left);
}
void count_flushed(Warp &warp, std::uint64_t numbers) {
  warp.block->launch.flushed.fetch_add(numbers, std::memory_order_relaxed);
}

void sync_release(Warp &warp) {
  if (warp.checked && warp.block->shadow) warp.block->shadow->release(warp.index);
}
void sync_acquire(Warp &warp) {
  if (warp.checked && warp.block->shadow) warp.block->shadow->acquire(warp.index);
}

}  // namespace cupilot::emulate::machine
