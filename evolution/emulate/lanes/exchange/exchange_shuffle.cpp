// SPDX-License-Identifier: Apache-2.0
//
// Shuffles. A group is the set of lanes in one lane's member mask; lanes that execute together may belong to
// several groups.

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "evolution/emulate/lanes/exchange/exchange.h"
#include "evolution/emulate/lanes/exchange/exchange_members.h"

namespace cupilot::emulate::lanes::exchange {
namespace {

using Mode = ShuffleForm::Mode;

/// The value that a lane reads from a lane that does not take part. The ISA leaves it undefined, so it is a
/// value that no kernel can rely on: large, and of either sign, so that neither a minimum nor a maximum hides
/// it.
constexpr std::uint32_t unpredictable(int lane) {
  return lane % 2 ? 0xcbcbcbcb : 0x4bcbcbcb;
}

struct Source {
  int lane = 0;
  bool in_range = true;
};

/// The ISA's rule: c holds the clamp in bits 0-4 and the segment mask in bits 8-12.
template <Mode mode>
Source source_of(int lane, std::uint32_t b, std::uint32_t c) {
  const int by = static_cast<int>(b & 31), clamp = static_cast<int>(c & 31),
            segment = static_cast<int>(c >> 8 & 31);
  const int last = (lane & segment) | (clamp & ~segment), first = lane & segment;
  int from = lane;
  bool in_range = true;
  if constexpr (mode == Mode::up) {
    from = lane - by;
    in_range = from >= last;
  } else if constexpr (mode == Mode::down) {
    from = lane + by;
    in_range = from <= last;
  } else if constexpr (mode == Mode::butterfly) {
    from = lane ^ by;
    in_range = from <= last;
  } else {
    from = first | (by & ~segment);
    in_range = from <= last;
  }
  return {in_range ? from : lane, in_range};
}

/// up and down shift whole segments, and lanes at the end of a partial group commonly get a value they never
/// use; a lane that names its source (idx, bfly) means it.
template <Mode mode>
constexpr bool kNamesSource = mode == Mode::butterfly || mode == Mode::index;

/// The fast path: all 32 lanes take part, so every source lane is valid.
template <Mode mode>
void shuffle_all(machine::Warp &warp, const program::Step &step, bool predicate, const std::uint32_t *from,
                 const std::uint32_t *b, const std::uint32_t *c) {
  std::uint32_t to[program::kLanes], in_range[program::kLanes];
  for (int lane = 0; lane < program::kLanes; ++lane) {
    const Source source = source_of<mode>(lane, b[lane], c[lane]);
    to[lane] = from[source.lane];
    in_range[lane] = source.in_range;
  }
  write_lanes(warp, step.at[0], kAllLanes, to);
  if (!predicate) return;
  program::Mask bits = 0;
  for (int lane = 0; lane < program::kLanes; ++lane) bits |= in_range[lane] << lane;
  write_predicate(warp, step.at[1], kAllLanes, bits);
}

template <Mode mode>
void run_shuffle(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  const auto &form = *static_cast<const ShuffleForm *>(step.detail);
  const std::size_t a = form.predicate ? 2 : 1;
  Members members{.here = true, .named = mask};
  if (form.sync) members = gather_members(warp, step, mask, a + 3);
  if (!members.here) return;
  std::uint32_t from[program::kLanes], to[program::kLanes] = {};
  std::memcpy(from, lanes_of<std::uint32_t>(warp, step, a), sizeof from);
  const auto *b = lanes_of<std::uint32_t>(warp, step, a + 1), *c = lanes_of<std::uint32_t>(warp, step, a + 2);
  if (mask == kAllLanes && members.uniform) return shuffle_all<mode>(warp, step, form.predicate, from, b, c);
  program::Mask in_range = 0, astray = 0;
  for_lanes(mask, [&](int lane) {
    const Source source = source_of<mode>(lane, b[lane], c[lane]);
    in_range |= static_cast<program::Mask>(source.in_range) << lane;
    const bool takes_part = readable(members, mask, lane) >> source.lane & 1;
    to[lane] = takes_part ? from[source.lane] : unpredictable(lane);
    if (kNamesSource<mode> && !takes_part) astray |= program::Mask{1} << lane;
  });
  write_lanes(warp, step.at[0], mask, to);
  if (form.predicate) write_predicate(warp, step.at[1], mask, in_range);
  if (!astray) return;
  const int lane = std::countr_zero(astray), source = source_of<mode>(lane, b[lane], c[lane]).lane;
  machine::report(
      warp, step, machine::FindingKind::bad_shuffle_mask, lane,
      fmt::format("lane {} reads from lane {}, which takes no part in this shuffle", lane, source));
}

}  // namespace

program::Handler shuffle(Mode mode) {
  switch (mode) {
    case Mode::up:
      return run_shuffle<Mode::up>;
    case Mode::down:
      return run_shuffle<Mode::down>;
    case Mode::butterfly:
      return run_shuffle<Mode::butterfly>;
    case Mode::index:
      break;
  }
  return run_shuffle<Mode::index>;
}

}  // namespace cupilot::emulate::lanes::exchange
