// SPDX-License-Identifier: Apache-2.0
//
// The operations, and how one is applied to memory. Shared memory belongs to one host thread at a time and
// needs no atomic instruction.

#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <type_traits>

#include "evolution/emulate/lanes/lane_access.h"
#include "evolution/emulate/lanes/memory/atomic.h"
#include "evolution/emulate/lanes/small_floats.h"
#include "evolution/emulate/memory/memory.h"

namespace cupilot::emulate::lanes::atomic {
namespace {

using Wide = unsigned __int128;

/// 16-byte operations take a lock chosen by address, which is portable; they are rare.
std::atomic_flag &lock_of(const std::byte *at) {
  static std::array<std::atomic_flag, 64> locks;
  return locks[std::bit_cast<std::uintptr_t>(at) / sizeof(Wide) % locks.size()];
}

template <class Unit, class Change>
Unit update_alone(std::byte *at, Change change) {
  const Unit old = load_bytes<Unit>(at);
  store_bytes(at, static_cast<Unit>(change(old)));
  return old;
}

/// Returns the old value. `alone`: no other host thread can touch it.
template <class Unit, class Change>
Unit update(std::byte *at, bool alone, Change change) {
  if (alone) return update_alone<Unit>(at, change);
  if constexpr (std::is_same_v<Unit, Wide>) {
    std::atomic_flag &lock = lock_of(at);
    while (lock.test_and_set(std::memory_order_acquire)) {
    }
    const Wide old = update_alone<Wide>(at, change);
    lock.clear(std::memory_order_release);
    return old;
  } else {
    auto *word = reinterpret_cast<Unit *>(at);
    Unit old = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(word, &old, static_cast<Unit>(change(old)), true, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED)) {
    }
    return old;
  }
}

// How a type's elements are added and compared. `flushes`: f32 in global memory works without subnormals.
template <class U>
struct Integer {
  using Unit = std::make_unsigned_t<U>;
  static Unit add(Unit x, Unit y, bool) { return x + y; }
  static Unit min(Unit x, Unit y) { return static_cast<U>(x) < static_cast<U>(y) ? x : y; }
  static Unit max(Unit x, Unit y) { return static_cast<U>(x) < static_cast<U>(y) ? y : x; }
};

struct Single {
  using Unit = std::uint32_t;
  static Unit add(Unit x, Unit y, bool flushes) {
    float a = std::bit_cast<float>(x), b = std::bit_cast<float>(y);
    if (flushes) a = flushed(a), b = flushed(b);
    const float sum = flushes ? flushed(a + b) : a + b;
    return std::isnan(sum) ? 0x7fffffffu : std::bit_cast<Unit>(sum);
  }
  /// How many of the old value, the operand and their sum became zero.
  static unsigned flushed_of(Unit x, Unit y) {
    const auto lost = [](float v) { return v != 0 && flushed(v) == 0; };
    const float a = std::bit_cast<float>(x), b = std::bit_cast<float>(y);
    return lost(a) + lost(b) + lost(flushed(a) + flushed(b));
  }
};

struct Double {
  using Unit = std::uint64_t;
  static Unit add(Unit x, Unit y, bool) {
    const double sum = std::bit_cast<double>(x) + std::bit_cast<double>(y);
    return std::isnan(sum) ? 0x7fff'ffff'ffff'ffffu : std::bit_cast<Unit>(sum);
  }
};

/// 16-bit floats: a sum of two rounds the same through float.
template <float (*widen)(std::uint16_t), std::uint16_t (*narrow)(float)>
struct Small {
  using Unit = std::uint16_t;
  static Unit add(Unit x, Unit y, bool) { return narrow(widen(x) + widen(y)); }
  static Unit min(Unit x, Unit y) { return pick(x, y, true); }
  static Unit max(Unit x, Unit y) { return pick(x, y, false); }

private:
  /// A number wins against NaN; -0 is less than +0.
  static Unit pick(Unit x, Unit y, bool smaller) {
    const float a = widen(x), b = widen(y);
    if (std::isnan(a)) return std::isnan(b) ? Unit{0x7fff} : y;
    if (std::isnan(b)) return x;
    const bool less = a < b || (a == b && std::signbit(a) && !std::signbit(b));
    return less == smaller ? x : y;
  }
};
using Half = Small<float_of_f16, f16_of_float>;
using Bfloat = Small<float_of_bf16, bf16_of_float>;

template <class Of>
struct Pair {
  using Unit = std::uint32_t;
  template <class Do>
  static Unit both(Unit x, Unit y, Do act) {
    const auto half = [&](int shift) {
      return static_cast<Unit>(
                 act(static_cast<std::uint16_t>(x >> shift), static_cast<std::uint16_t>(y >> shift)))
             << shift;
    };
    return half(0) | half(16);
  }
  static Unit add(Unit x, Unit y, bool) {
    return both(x, y, [](std::uint16_t a, std::uint16_t b) { return Of::add(a, b, false); });
  }
  static Unit min(Unit x, Unit y) { return both(x, y, Of::min); }
  static Unit max(Unit x, Unit y) { return both(x, y, Of::max); }
};

struct Bits128 {
  using Unit = Wide;
};

template <Operation operation, class T>
typename T::Unit apply(typename T::Unit old, typename T::Unit b, typename T::Unit c, bool flushes) {
  using enum Operation;
  if constexpr (operation == add) return T::add(old, b, flushes);
  if constexpr (operation == min) return T::min(old, b);
  if constexpr (operation == max) return T::max(old, b);
  if constexpr (operation == inc) return old >= b ? 0 : old + 1;
  if constexpr (operation == dec) return old == 0 || old > b ? b : old - 1;
  if constexpr (operation == bit_and) return old & b;
  if constexpr (operation == bit_or) return old | b;
  if constexpr (operation == bit_xor) return old ^ b;
  if constexpr (operation == exchange) return b;
  if constexpr (operation == compare) return old == b ? c : old;
}

template <class Unit>
Unit read(machine::Warp &warp, program::Offset at, int lane) {
  if constexpr (std::is_same_v<Unit, Wide>) {
    const auto *words = warp.lanes<std::uint64_t>(at);
    return Wide{words[lane + program::kLanes]} << 64 | words[lane];
  } else {
    return warp.lanes<Unit>(at)[lane];
  }
}
template <class Unit>
void write(machine::Warp &warp, program::Offset at, int lane, Unit value) {
  if (at == program::kNowhere) return;
  if constexpr (std::is_same_v<Unit, Wide>) {
    auto *words = warp.lanes<std::uint64_t>(at);
    words[lane] = static_cast<std::uint64_t>(value);
    words[lane + program::kLanes] = static_cast<std::uint64_t>(value >> 64);
  } else {
    warp.lanes<Unit>(at)[lane] = value;
  }
}

/// Shared by one host thread: the block's own memory, behind its window or named.
bool belongs_to_block(const machine::Warp &warp, const Form &form, std::uint64_t address) {
  if (form.access.space != ptx::Space::generic) return form.access.space == ptx::Space::shared;
  return address - warp.shared_window < memory::kWindowBytes ||
         address - warp.local_window < memory::kWindowBytes;
}

template <Operation operation, class T>
void run(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  using Unit = typename T::Unit;
  const Form &form = *static_cast<const Form *>(step.detail);
  // The order of lanes is nobody's to rely on; of sums that nobody reads back only their rounding would tell.
  if (form.result != Form::kNone || operation == Operation::exchange)
    mask = machine::running_together(warp, step, mask);
  std::uint64_t address[program::kLanes];
  std::byte *host[program::kLanes];
  read_addresses(warp, step, form.address, address);
  const program::Mask ready = machine::resolve(warp, step, mask, form.access, address, host);
  std::uint64_t flushed_numbers = 0;
  for_lanes(ready, [&](int lane) {
    const bool alone = belongs_to_block(warp, form, address[lane]);
    for (std::size_t i = 0; i < form.elements; ++i) {
      const Unit b = read<Unit>(warp, operand(step, form.value + i), lane);
      Unit c = 0;
      if constexpr (operation == Operation::compare)
        c = read<Unit>(warp, operand(step, form.replacement + i), lane);
      const Unit old = update<Unit>(host[lane] + i * sizeof(Unit), alone,
                                    [&](Unit was) { return apply<operation, T>(was, b, c, !alone); });
      if (form.result != Form::kNone) write<Unit>(warp, operand(step, form.result + i), lane, old);
      if constexpr (operation == Operation::add && std::is_same_v<T, Single>)
        if (!alone) flushed_numbers += Single::flushed_of(old, b);
    }
  });
  if (flushed_numbers) machine::count_flushed(warp, flushed_numbers);
}

template <class T>
program::Handler bitwise(Operation operation) {
  using enum Operation;
  switch (operation) {
    case bit_and:
      return run<bit_and, T>;
    case bit_or:
      return run<bit_or, T>;
    case bit_xor:
      return run<bit_xor, T>;
    case exchange:
      return run<exchange, T>;
    case compare:
      return run<compare, T>;
    default:
      return nullptr;
  }
}

template <class T>
program::Handler arithmetic(Operation operation) {
  using enum Operation;
  if (operation == add) return run<add, T>;
  if constexpr (requires(typename T::Unit x) { T::min(x, x); }) {
    if (operation == min) return run<min, T>;
    if (operation == max) return run<max, T>;
  }
  return nullptr;
}

template <class T>
program::Handler counting(Operation operation) {
  if (operation == Operation::inc) return run<Operation::inc, T>;
  if (operation == Operation::dec) return run<Operation::dec, T>;
  return arithmetic<T>(operation);
}

}  // namespace

program::Handler handler(Operation operation, ScalarType type) {
  const bool wide = type.bits == 64;
  switch (type.kind) {
    case 'u':
      return wide ? arithmetic<Integer<std::uint64_t>>(operation)
                  : counting<Integer<std::uint32_t>>(operation);
    case 's':
      return wide ? arithmetic<Integer<std::int64_t>>(operation)
                  : arithmetic<Integer<std::int32_t>>(operation);
    case 'f':
      return wide ? arithmetic<Double>(operation) : arithmetic<Single>(operation);
    case 'h':
      return arithmetic<Half>(operation);
    case 'g':
      return arithmetic<Bfloat>(operation);
    case 'H':
      return arithmetic<Pair<Half>>(operation);
    case 'G':
      return arithmetic<Pair<Bfloat>>(operation);
    default:
      break;
  }
  if (type.bits == 16)  // only compare-and-swap exists
    return operation == Operation::compare ? run<Operation::compare, Integer<std::uint16_t>> : nullptr;
  if (type.bits == 32) return bitwise<Integer<std::uint32_t>>(operation);
  if (type.bits == 64) return bitwise<Integer<std::uint64_t>>(operation);
  if (operation == Operation::exchange) return run<Operation::exchange, Bits128>;
  if (operation == Operation::compare) return run<Operation::compare, Bits128>;
  return nullptr;
}

}  // namespace cupilot::emulate::lanes::atomic
