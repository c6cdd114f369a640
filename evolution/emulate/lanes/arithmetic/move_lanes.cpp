// SPDX-License-Identifier: Apache-2.0
//
// mov between registers of one width, and between a register and the vector of its pieces, low piece first.

#include "evolution/emulate/lanes/arithmetic/lane.h"

namespace cupilot::emulate::lanes::CUPILOT_ISA {
namespace {

template <class U>
U same(U a) {
  return a;
}

void move128(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  u64 *d = lanes_at<u64>(warp, step.at[0]);
  const u64 *a = lanes_at<u64>(warp, step.at[1]);
  if (d == a) return;
  merge(d, a, mask);
  merge(d + program::kLanes, a + program::kLanes, mask);
}

/// Whole in pieces; results are kept aside, because a piece may be the destination's own register.
template <class Whole, class Piece>
void pack(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  alignas(64) Whole r[program::kLanes] = {};
  for (int piece = 0; piece < int(sizeof(Whole) / sizeof(Piece)); ++piece) {
    const Piece *a = lanes_at<Piece>(warp, operand(step, 1 + piece));
    for (int i = 0; i < program::kLanes; ++i) r[i] |= Whole(Whole(a[i]) << (8 * int(sizeof(Piece)) * piece));
  }
  store(warp, operand(step, 0), r, mask);
}
template <class Whole, class Piece>
void unpack(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  constexpr int kPieces = int(sizeof(Whole) / sizeof(Piece));
  alignas(64) Piece r[kPieces][program::kLanes];
  const Whole *a = lanes_at<Whole>(warp, operand(step, kPieces));
  for (int piece = 0; piece < kPieces; ++piece) {
    for (int i = 0; i < program::kLanes; ++i) r[piece][i] = Piece(a[i] >> (8 * int(sizeof(Piece)) * piece));
  }
  for (int piece = 0; piece < kPieces; ++piece) store(warp, operand(step, piece), r[piece], mask);
}
template <class Piece>
void pack128(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  constexpr int kPieces = int(8 / sizeof(Piece));
  alignas(64) u64 r[2][program::kLanes] = {};
  for (int half = 0; half < 2; ++half) {
    for (int piece = 0; piece < kPieces; ++piece) {
      const Piece *a = lanes_at<Piece>(warp, operand(step, 1 + half * kPieces + piece));
      for (int i = 0; i < program::kLanes; ++i) r[half][i] |= u64(a[i]) << (8 * int(sizeof(Piece)) * piece);
    }
  }
  merge(lanes_at<u64>(warp, operand(step, 0)), r[0], mask);
  merge(lanes_at<u64>(warp, operand(step, 0)) + program::kLanes, r[1], mask);
}
template <class Piece>
void unpack128(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  constexpr int kPieces = int(8 / sizeof(Piece));
  alignas(64) Piece r[2 * kPieces][program::kLanes];
  const u64 *a = lanes_at<u64>(warp, operand(step, 2 * kPieces));
  for (int piece = 0; piece < 2 * kPieces; ++piece) {
    const u64 *half = a + (piece / kPieces) * program::kLanes;
    for (int i = 0; i < program::kLanes; ++i)
      r[piece][i] = Piece(half[i] >> (8 * int(sizeof(Piece)) * (piece % kPieces)));
  }
  for (int piece = 0; piece < 2 * kPieces; ++piece) store(warp, operand(step, piece), r[piece], mask);
}

constexpr LaneEntry kEntries[] = {
    CUPILOT_LANE("mov.b8", same<u8>),
    CUPILOT_LANE("mov.b16", same<u16>),
    CUPILOT_LANE("mov.b32", same<u32>),
    CUPILOT_LANE("mov.b64", same<u64>),
    {"mov.b128", move128, "Qq"},
    {"pack.b16.2", pack<u16, u8>, "Hbb"},
    {"pack.b32.2", pack<u32, u16>, "Whh"},
    {"pack.b32.4", pack<u32, u8>, "Wbbbb"},
    {"pack.b64.2", pack<u64, u32>, "Dww"},
    {"pack.b64.4", pack<u64, u16>, "Dhhhh"},
    {"pack.b128.2", pack128<u64>, "Qdd"},
    {"pack.b128.4", pack128<u32>, "Qwwww"},
    {"unpack.b16.2", unpack<u16, u8>, "BBh"},
    {"unpack.b32.2", unpack<u32, u16>, "HHw"},
    {"unpack.b32.4", unpack<u32, u8>, "BBBBw"},
    {"unpack.b64.2", unpack<u64, u32>, "WWd"},
    {"unpack.b64.4", unpack<u64, u16>, "HHHHd"},
    {"unpack.b128.2", unpack128<u64>, "DDq"},
    {"unpack.b128.4", unpack128<u32>, "WWWWq"},
};

}  // namespace

LaneTable move_table() {
  return {kEntries, sizeof(kEntries) / sizeof(kEntries[0])};
}

}  // namespace cupilot::emulate::lanes::CUPILOT_ISA
