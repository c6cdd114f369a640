// SPDX-License-Identifier: Apache-2.0
//
// The hot path of the emulator: for a full warp with contiguous addresses or one common address, an access is
// one comparison with a cached range and one copy. Everything else goes through resolve().

#include "evolution/emulate/machine/load_store.h"

#include <atomic>

#include "evolution/emulate/machine/access.h"

namespace cupilot::emulate::machine {
namespace {

using ptx::Space;

constexpr program::Mask kAll = 0xffffffff;

enum class Pattern : std::uint8_t { scattered, uniform, contiguous };

template <typename Address>
inline Pattern pattern_of(const Address *address, unsigned bytes) {
  // 32 bits are enough, since only the differences between the lanes' addresses matter.
  Address apart = 0, different = 0;
  for (int lane = 0; lane < program::kLanes; ++lane) {
    apart |= address[lane] ^ (address[0] + static_cast<Address>(static_cast<unsigned>(lane) * bytes));
    different |= address[lane] ^ address[0];
  }
  if (apart == 0) return Pattern::contiguous;
  return different == 0 ? Pattern::uniform : Pattern::scattered;
}

inline const program::Offset *operands(const program::Step &step) {
  return step.more ? step.more : step.at;
}

/// 32 addresses with the constant offset added.
template <typename Address>
inline void spread(Warp &warp, program::Offset at, std::uint64_t offset, std::uint64_t *to) {
  const auto *from = warp.lanes<Address>(at);
  // Offsets in shared and local memory wrap at the width of their register.
  for (int lane = 0; lane < program::kLanes; ++lane) to[lane] = static_cast<Address>(from[lane] + offset);
}

template <ptx::Space kSpace>
inline std::byte *place(Warp &warp, const program::Step &step, std::uint64_t first, std::uint64_t bytes,
                        bool writes);

/// Null when not all bytes are within the range that this step used last.
template <>
inline std::byte *place<ptx::Space::global>(Warp &warp, const program::Step &step, std::uint64_t first,
                                            std::uint64_t bytes, bool writes) {
  const CachedRange &range = cached_range(warp, step);
  if (first < range.begin || first + bytes > range.end || (writes && range.read_only)) return nullptr;
  if (writes && range.tracked && !warp.checked) mark_written(range, first, bytes);
  return reinterpret_cast<std::byte *>(first);
}

template <>
inline std::byte *place<ptx::Space::shared>(Warp &warp, const program::Step &, std::uint64_t first,
                                            std::uint64_t bytes, bool) {
  const std::uint64_t size = warp.block->launch.shared_bytes;
  if (first > size || bytes > size - first) return nullptr;
  return warp.block->shared + first;
}

struct Fast {
  Pattern pattern = Pattern::scattered;
  std::byte *host = nullptr;
};

/// The fast path that is possible for a full warp; `host` null: none.
template <ptx::Space kSpace, typename Address>
inline Fast fast(Warp &warp, const program::Step &step, const Access &access, const Address *address,
                 bool writes) {
  const Pattern pattern = pattern_of(address, access.bytes);
  if (pattern == Pattern::scattered || (writes && pattern == Pattern::uniform)) return {};
  const std::uint64_t first = static_cast<Address>(address[0] + step.data);
  if (first & (access.alignment - 1u)) return {};
  const std::uint64_t bytes =
      pattern == Pattern::uniform ? access.bytes : static_cast<std::uint64_t>(access.bytes) * program::kLanes;
  if constexpr (kSpace == ptx::Space::generic) {
    const ptx::Space space = space_of(warp, first);
    if (space == ptx::Space::global)
      return {pattern, place<ptx::Space::global>(warp, step, first, bytes, writes)};
    if (space == ptx::Space::shared)
      return {pattern, place<ptx::Space::shared>(warp, step, first - warp.shared_window, bytes, writes)};
    return {};
  } else {
    return {pattern, place<kSpace>(warp, step, first, bytes, writes)};
  }
}

/// Translates arbitrary addresses in the memory of a block or in the range that this step used last. Returns
/// false when a lane needs the slow path. Most non-contiguous accesses are of this kind (tiles of 16, rows of
/// a matrix).
template <ptx::Space kSpace, typename Address>
inline bool all_inside(Warp &warp, const program::Step &step, program::Mask mask, const Access &access,
                       bool writes, std::byte **host) {
  const Address *from =
      warp.lanes<Address>(operands(step)[static_cast<const LoadStore *>(step.detail)->address]);
  ptx::Space space = kSpace;
  if constexpr (kSpace == ptx::Space::generic)
    space = space_of(warp, static_cast<Address>(from[__builtin_ctz(mask)] + step.data));
  std::uint64_t begin = 0, size = 0;
  std::byte *base = nullptr;
  if (space == ptx::Space::shared) {
    begin = kSpace == ptx::Space::generic ? warp.shared_window : 0;
    size = warp.block->launch.shared_bytes;
    base = warp.block->shared;
  } else if (space == ptx::Space::global) {
    const CachedRange &range = cached_range(warp, step);
    if (writes && (range.read_only || range.tracked)) return false;
    begin = range.begin;
    size = range.end > range.begin ? range.end - range.begin : 0;
    base = reinterpret_cast<std::byte *>(begin);
  } else {
    return false;
  }
  if (size < access.bytes) return false;
  const std::uint64_t limit = size - access.bytes, low = access.alignment - 1u;
  std::uint64_t outside = 0;
  for (int lane = 0; lane < program::kLanes; ++lane) {
    const std::uint64_t at = static_cast<Address>(from[lane] + step.data) - begin;
    // Ranges begin at multiples of any alignment.
    outside |= static_cast<std::uint64_t>((at > limit) | ((at & low) != 0)) & (mask >> lane);
    // Computed as an integer, because the addresses of inactive lanes may be invalid.
    host[lane] = reinterpret_cast<std::byte *>(reinterpret_cast<std::uint64_t>(base) + at);
  }
  return (outside & 1) == 0;
}

/// Passes addresses that the fast path found valid to the observer and the checks.
template <ptx::Space kSpace, typename Address>
void watch_known(Warp &warp, const program::Step &step, program::Mask mask, const LoadStore &how,
                 bool contiguous, const StoreValues &values) {
  std::uint64_t address[program::kLanes];
  spread<Address>(warp, operands(step)[how.address], step.data, address);
  ptx::Space space = kSpace;
  if constexpr (kSpace == ptx::Space::generic) {
    space = space_of(warp, address[__builtin_ctz(mask)]);
    for (std::uint64_t &one : address) one -= window_of(warp, space);
  }
  watch_access(warp, step, mask, how.access, space, address, contiguous, values);
}

inline void fence_of(const Access &access) {
  // Orders strong accesses for other host threads; on x86 this only restricts the compiler.
  if (!access.weak) std::atomic_thread_fence(std::memory_order_acq_rel);
}

template <ptx::Space kSpace, typename Address>
[[gnu::noinline]] void load_slowly(Warp &warp, const program::Step &step, program::Mask mask,
                                   const LoadStore &how) {
  std::uint64_t address[program::kLanes];
  std::byte *host[program::kLanes];
  if constexpr (kSpace != ptx::Space::local) {
    if (all_inside<kSpace, Address>(warp, step, mask, how.access, false, host)) {
      if (warp.checked) watch_known<kSpace, Address>(warp, step, mask, how, false, {});
      return how.load.scattered(warp.frame, operands(step) + how.values, mask, host);
    }
  }
  spread<Address>(warp, operands(step)[how.address], step.data, address);
  const program::Mask good = resolve(warp, step, mask, how.access, address, host);
  how.load.scattered(warp.frame, operands(step) + how.values, good, host);
}

template <ptx::Space kSpace, typename Address>
void load(Warp &warp, const program::Step &step, program::Mask mask) {
  const LoadStore &how = *static_cast<const LoadStore *>(step.detail);
  const program::Offset *at = operands(step);
  fence_of(how.access);
  if (mask == kAll) [[likely]] {
    const Fast found = fast<kSpace>(warp, step, how.access, warp.lanes<Address>(at[how.address]), false);
    if (found.host) {
      const bool contiguous = found.pattern == Pattern::contiguous;
      if (warp.checked) watch_known<kSpace, Address>(warp, step, kAll, how, contiguous, {});
      if (contiguous)
        how.load.contiguous(warp.frame, at + how.values, found.host);
      else
        how.load.uniform(warp.frame, at + how.values, kAll, found.host);
      fence_of(how.access);
      return;
    }
  }
  load_slowly<kSpace, Address>(warp, step, mask, how);
  fence_of(how.access);
}

/// Gives the checks the values to be stored.
struct StoredValues {
  const Warp *warp;
  const program::Step *step;
};
void stored_value(const void *context, int lane, std::byte *to) {
  const auto &[warp, step] = *static_cast<const StoredValues *>(context);
  const LoadStore &how = *static_cast<const LoadStore *>(step->detail);
  std::byte *places[program::kLanes];
  places[lane] = to;
  how.store.scattered(warp->frame, operands(*step) + how.values, program::Mask{1} << lane, places);
}

template <ptx::Space kSpace, typename Address>
[[gnu::noinline]] void store_slowly(Warp &warp, const program::Step &step, program::Mask mask,
                                    const LoadStore &how) {
  std::uint64_t address[program::kLanes];
  std::byte *host[program::kLanes];
  if constexpr (kSpace != ptx::Space::local) {
    if (!warp.checked && all_inside<kSpace, Address>(warp, step, mask, how.access, true, host))
      return how.store.scattered(warp.frame, operands(step) + how.values, mask, host);
  }
  const StoredValues context{&warp, &step};
  spread<Address>(warp, operands(step)[how.address], step.data, address);
  const program::Mask good =
      resolve_store(warp, step, mask, how.access, address, host, {stored_value, &context});
  how.store.scattered(warp.frame, operands(step) + how.values, good, host);
}

template <ptx::Space kSpace, typename Address>
void store(Warp &warp, const program::Step &step, program::Mask mask) {
  const LoadStore &how = *static_cast<const LoadStore *>(step.detail);
  const program::Offset *at = operands(step);
  fence_of(how.access);
  if (mask == kAll) [[likely]] {
    const Fast found = fast<kSpace>(warp, step, how.access, warp.lanes<Address>(at[how.address]), true);
    if (found.host) {
      if (warp.checked) {
        const StoredValues context{&warp, &step};
        watch_known<kSpace, Address>(warp, step, kAll, how, true, {stored_value, &context});
      }
      how.store.contiguous(warp.frame, at + how.values, found.host);
      fence_of(how.access);
      return;
    }
  }
  store_slowly<kSpace, Address>(warp, step, mask, how);
  fence_of(how.access);
}

void load_parameter(Warp &warp, const program::Step &step, program::Mask mask) {
  const LoadStore &how = *static_cast<const LoadStore *>(step.detail);
  const program::Offset *at = operands(step);
  const std::uint64_t address = warp.lanes<std::uint64_t>(at[how.address])[0] + step.data;
  how.load.uniform(warp.frame, at + how.values, mask, reinterpret_cast<const std::byte *>(address));
}

/// A call's parameter: each lane has its own copy in the frame.
inline void frame_places(Warp &warp, const program::Step &step, const LoadStore &how, std::byte **host) {
  std::byte *first = warp.frame + operands(step)[how.address] + step.data;
  for (int lane = 0; lane < program::kLanes; ++lane)
    host[lane] = first + static_cast<std::size_t>(lane) * how.stride;
}

void load_frame(Warp &warp, const program::Step &step, program::Mask mask) {
  const LoadStore &how = *static_cast<const LoadStore *>(step.detail);
  std::byte *host[program::kLanes];
  frame_places(warp, step, how, host);
  how.load.scattered(warp.frame, operands(step) + how.values, mask, host);
}

void store_frame(Warp &warp, const program::Step &step, program::Mask mask) {
  const LoadStore &how = *static_cast<const LoadStore *>(step.detail);
  std::byte *host[program::kLanes];
  frame_places(warp, step, how, host);
  how.store.scattered(warp.frame, operands(step) + how.values, mask, host);
}

/// Local memory: every lane has its own, so addresses are never contiguous.
template <typename Address>
void load_local(Warp &warp, const program::Step &step, program::Mask mask) {
  load_slowly<ptx::Space::local, Address>(warp, step, mask, *static_cast<const LoadStore *>(step.detail));
}
template <typename Address>
void store_local(Warp &warp, const program::Step &step, program::Mask mask) {
  store_slowly<ptx::Space::local, Address>(warp, step, mask, *static_cast<const LoadStore *>(step.detail));
}

}  // namespace

program::Handler load_handler(AddressKind kind) {
  switch (kind) {
    case AddressKind::global64:
      return load<ptx::Space::global, std::uint64_t>;
    case AddressKind::shared32:
      return load<ptx::Space::shared, std::uint32_t>;
    case AddressKind::shared64:
      return load<ptx::Space::shared, std::uint64_t>;
    case AddressKind::local32:
      return load_local<std::uint32_t>;
    case AddressKind::local64:
      return load_local<std::uint64_t>;
    case AddressKind::generic64:
      return load<ptx::Space::generic, std::uint64_t>;
    case AddressKind::parameter:
      return load_parameter;
    case AddressKind::frame:
      return load_frame;
  }
  return nullptr;
}

program::Handler store_handler(AddressKind kind) {
  switch (kind) {
    case AddressKind::global64:
      return store<ptx::Space::global, std::uint64_t>;
    case AddressKind::shared32:
      return store<ptx::Space::shared, std::uint32_t>;
    case AddressKind::shared64:
      return store<ptx::Space::shared, std::uint64_t>;
    case AddressKind::local32:
      return store_local<std::uint32_t>;
    case AddressKind::local64:
      return store_local<std::uint64_t>;
    case AddressKind::generic64:
      return store<ptx::Space::generic, std::uint64_t>;
    case AddressKind::frame:
      return store_frame;
    case AddressKind::parameter:
      return nullptr;
  }
  return nullptr;
}

}  // namespace cupilot::emulate::machine
