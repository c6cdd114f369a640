// SPDX-License-Identifier: Apache-2.0
// Member masks: checks that lanes agree on them, and waits for the members.

#include "evolution/emulate/lanes/exchange/exchange_members.h"

#include <fmt/format.h>

namespace cupilot::emulate::lanes {
namespace {

/// Reports callers that do not name themselves and members that disagree; true when something was reported.
bool report_disagreement(machine::Warp &warp, const program::Step &step, program::Mask mask,
                         const std::uint32_t *each) {
  program::Mask outside = 0;
  for_lanes(mask, [&](int lane) { outside |= ~each[lane] & program::Mask{1} << lane; });
  if (outside) {
    const int lane = __builtin_ctz(outside);
    machine::report(warp, step, machine::FindingKind::bad_shuffle_mask, lane,
                    fmt::format("{} called with member mask {:#010x}, which does not name the caller",
                                lane_list(outside), each[lane]));
    return true;
  }
  bool reported = false;
  for_lanes(mask, [&](int lane) {
    for_lanes(reported ? 0 : each[lane] & mask, [&](int other) {
      if (reported || each[other] == each[lane]) return;
      reported = true;
      machine::report(warp, step, machine::FindingKind::bad_shuffle_mask, lane,
                      fmt::format("lane {} names members {:#010x} but lane {}, one of them, names {:#010x}",
                                  lane, each[lane], other, each[other]));
    });
  });
  return reported;
}

}  // namespace

std::string lane_list(program::Mask lanes) {
  std::string text = __builtin_popcount(lanes) == 1 ? "lane " : "lanes ";
  bool first = true;
  for (int lane = 0; lane < program::kLanes; ++lane) {
    if (!(lanes >> lane & 1)) continue;
    int last = lane;
    while (last + 1 < program::kLanes && (lanes >> (last + 1) & 1)) ++last;
    text += fmt::format("{}{}", first ? "" : ", ", lane);
    if (last > lane) text += fmt::format("-{}", last);
    first = false;
    lane = last;
  }
  return text;
}

Members gather_members(machine::Warp &warp, const program::Step &step, program::Mask mask,
                       std::size_t place) {
  Members members{.each = lanes_of<std::uint32_t>(warp, step, place)};
  const program::Mask first = members.each[__builtin_ctz(mask)];
  program::Mask different = 0;
  if (mask == kAllLanes)
    for (int lane = 0; lane < program::kLanes; ++lane) different |= members.each[lane] ^ first;
  else
    for_lanes(mask, [&](int lane) { different |= members.each[lane] ^ first; });
  members.uniform = different == 0;
  members.named = first;
  if (members.uniform && (mask & ~first) == 0) {
    members.here = machine::gather(warp, step, mask, first);
    return members;
  }
  if (report_disagreement(warp, step, mask, members.each)) return members;
  members.here = true;
  for (program::Mask left = mask; left && members.here;) {
    const program::Mask named = members.each[__builtin_ctz(left)], group = named & mask;
    members.here = machine::gather(warp, step, group, named);
    left &= ~group;
  }
  return members;
}

}  // namespace cupilot::emulate::lanes
