// SPDX-License-Identifier: Apache-2.0
//
// One template for each direction. An element is copied as a whole, so that a 16-byte element is one access
// on this processor as well; programs rely on that.

#include "evolution/emulate/machine/load_store_transfer.h"

#include <cstring>

namespace cupilot::emulate::machine {
namespace {

/// 128 bits in memory; in a register 32 low words, then 32 high words.
struct Wide {
  std::uint64_t low, high;
};

template <typename Reg, typename Member>
inline void put(std::byte *frame, program::Offset at, int lane, Member value) {
  reinterpret_cast<Reg *>(frame + at)[lane] = static_cast<Reg>(value);
}
template <>
inline void put<Wide, Wide>(std::byte *frame, program::Offset at, int lane, Wide value) {
  auto *to = reinterpret_cast<std::uint64_t *>(frame + at);
  to[lane] = value.low;
  to[program::kLanes + lane] = value.high;
}

template <typename Member, typename Reg>
inline Member get(const std::byte *frame, program::Offset at, int lane) {
  return static_cast<Member>(reinterpret_cast<const Reg *>(frame + at)[lane]);
}
template <>
inline Wide get<Wide, Wide>(const std::byte *frame, program::Offset at, int lane) {
  const auto *from = reinterpret_cast<const std::uint64_t *>(frame + at);
  return {from[lane], from[program::kLanes + lane]};
}

template <typename Member, typename Reg, int kMembers>
struct Load {
  static void contiguous(std::byte *frame, const program::Offset *at, const std::byte *from) {
    for (int member = 0; member < kMembers; ++member) {
      const program::Offset place = at[member];
      if (place == program::kNowhere) continue;
      if constexpr (kMembers == 1 && sizeof(Member) == sizeof(Reg) && sizeof(Member) <= 8) {
        std::memcpy(frame + place, from, program::kLanes * sizeof(Member));
      } else {
        for (int lane = 0; lane < program::kLanes; ++lane) {
          Member value;
          std::memcpy(&value, from + (lane * kMembers + member) * sizeof(Member), sizeof value);
          put<Reg>(frame, place, lane, value);
        }
      }
    }
  }
  static void uniform(std::byte *frame, const program::Offset *at, program::Mask mask,
                      const std::byte *from) {
    Member value[kMembers];
    std::memcpy(value, from, sizeof value);
    for (int member = 0; member < kMembers; ++member) {
      const program::Offset place = at[member];
      if (place == program::kNowhere) continue;
      if (mask == 0xffffffff)
        for (int lane = 0; lane < program::kLanes; ++lane) put<Reg>(frame, place, lane, value[member]);
      else
        for (program::Mask left = mask; left; left &= left - 1)
          put<Reg>(frame, place, __builtin_ctz(left), value[member]);
    }
  }
  static void scattered(std::byte *frame, const program::Offset *at, program::Mask mask,
                        std::byte *const *from) {
    if (kMembers == 1 && mask == 0xffffffff) {
      for (int lane = 0; lane < program::kLanes; ++lane) {
        Member value;
        std::memcpy(&value, from[lane], sizeof value);
        put<Reg>(frame, at[0], lane, value);
      }
      return;
    }
    for (program::Mask left = mask; left; left &= left - 1) {
      const int lane = __builtin_ctz(left);
      Member value[kMembers];
      std::memcpy(value, from[lane], sizeof value);
      for (int member = 0; member < kMembers; ++member)
        if (kMembers == 1 || at[member] != program::kNowhere)
          put<Reg>(frame, at[member], lane, value[member]);
    }
  }
  static constexpr LoadTransfer table{contiguous, uniform, scattered};
};

template <typename Member, typename Reg, int kMembers>
struct Store {
  static void contiguous(const std::byte *frame, const program::Offset *at, std::byte *to) {
    if constexpr (kMembers == 1 && sizeof(Member) == sizeof(Reg) && sizeof(Member) <= 8) {
      std::memcpy(to, frame + at[0], program::kLanes * sizeof(Member));
    } else {
      for (int lane = 0; lane < program::kLanes; ++lane)
        one(frame, at, lane, to + lane * sizeof(Member) * kMembers);
    }
  }
  static void scattered(const std::byte *frame, const program::Offset *at, program::Mask mask,
                        std::byte *const *to) {
    for (program::Mask left = mask; left; left &= left - 1) {
      const int lane = __builtin_ctz(left);
      one(frame, at, lane, to[lane]);
    }
  }
  static inline void one(const std::byte *frame, const program::Offset *at, int lane, std::byte *to) {
    Member value[kMembers];
    for (int member = 0; member < kMembers; ++member)
      value[member] = get<Member, Reg>(frame, at[member], lane);
    std::memcpy(to, value, sizeof value);
  }
  static constexpr StoreTransfer table{contiguous, scattered};
};

template <typename Member, typename Reg>
LoadTransfer load_members(unsigned members) {
  switch (members) {
    case 1:
      return Load<Member, Reg, 1>::table;
    case 2:
      return Load<Member, Reg, 2>::table;
    case 4:
      return Load<Member, Reg, 4>::table;
    case 8:
      return Load<Member, Reg, 8>::table;
    default:
      return {};
  }
}

template <typename Member, typename Reg>
StoreTransfer store_members(unsigned members) {
  switch (members) {
    case 1:
      return Store<Member, Reg, 1>::table;
    case 2:
      return Store<Member, Reg, 2>::table;
    case 4:
      return Store<Member, Reg, 4>::table;
    case 8:
      return Store<Member, Reg, 8>::table;
    default:
      return {};
  }
}

template <typename Member, typename R8, typename R16, typename R32, typename R64>
LoadTransfer load_registers(unsigned register_bits, unsigned members) {
  if constexpr (sizeof(Member) <= 1)
    if (register_bits == 8) return load_members<Member, R8>(members);
  if constexpr (sizeof(Member) <= 2)
    if (register_bits == 16) return load_members<Member, R16>(members);
  if constexpr (sizeof(Member) <= 4)
    if (register_bits == 32) return load_members<Member, R32>(members);
  return register_bits == 64 ? load_members<Member, R64>(members) : LoadTransfer{};
}

template <typename Member>
LoadTransfer load_unsigned(unsigned register_bits, unsigned members) {
  return load_registers<Member, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(register_bits,
                                                                                           members);
}
template <typename Member>
LoadTransfer load_signed(unsigned register_bits, unsigned members) {
  return load_registers<Member, std::int8_t, std::int16_t, std::int32_t, std::int64_t>(register_bits,
                                                                                       members);
}

template <typename Member>
StoreTransfer store_registers(unsigned register_bits, unsigned members) {
  if constexpr (sizeof(Member) <= 1)
    if (register_bits == 8) return store_members<Member, std::uint8_t>(members);
  if constexpr (sizeof(Member) <= 2)
    if (register_bits == 16) return store_members<Member, std::uint16_t>(members);
  if constexpr (sizeof(Member) <= 4)
    if (register_bits == 32) return store_members<Member, std::uint32_t>(members);
  return register_bits == 64 ? store_members<Member, std::uint64_t>(members) : StoreTransfer{};
}

}  // namespace

LoadTransfer load_transfer(unsigned memory_bits, unsigned register_bits, bool sign, unsigned members) {
  switch (memory_bits) {
    case 8:
      return sign ? load_signed<std::int8_t>(register_bits, members)
                  : load_unsigned<std::uint8_t>(register_bits, members);
    case 16:
      return sign ? load_signed<std::int16_t>(register_bits, members)
                  : load_unsigned<std::uint16_t>(register_bits, members);
    case 32:
      return sign ? load_signed<std::int32_t>(register_bits, members)
                  : load_unsigned<std::uint32_t>(register_bits, members);
    case 64:
      return load_unsigned<std::uint64_t>(register_bits, members);
    case 128:
      return register_bits == 128 ? load_members<Wide, Wide>(members) : LoadTransfer{};
    default:
      return {};
  }
}

StoreTransfer store_transfer(unsigned memory_bits, unsigned register_bits, unsigned members) {
  switch (memory_bits) {
    case 8:
      return store_registers<std::uint8_t>(register_bits, members);
    case 16:
      return store_registers<std::uint16_t>(register_bits, members);
    case 32:
      return store_registers<std::uint32_t>(register_bits, members);
    case 64:
      return store_registers<std::uint64_t>(register_bits, members);
    case 128:
      return register_bits == 128 ? store_members<Wide, Wide>(members) : StoreTransfer{};
    default:
      return {};
  }
}

}  // namespace cupilot::emulate::machine
