// SPDX-License-Identifier: Apache-2.0
//
// Member masks of .sync operations. Lanes that run together may name different members (tiles of a warp), so
// a mask belongs to each lane; lanes of one group must agree.

#pragma once

#include "evolution/emulate/lanes/lane_access.h"

namespace cupilot::emulate::lanes {

struct Members {
  bool here = false;        ///< all members have arrived; else the handler returns and is called again
  bool uniform = true;      ///< all lanes name the same members
  program::Mask named = 0;  ///< members named by any lane
  const std::uint32_t *each = nullptr;
};

/// Waits for the members named by operand `place`. Reports invalid masks: a caller that is not a member, or
/// members that name different groups.
Members gather_members(machine::Warp &warp, const program::Step &step, program::Mask mask, std::size_t place);

/// Lanes whose values `lane` may read: those that execute now and are members of its group.
inline program::Mask readable(const Members &members, program::Mask mask, int lane) {
  return members.uniform ? members.named & mask : members.each[lane] & mask;
}

/// "lane 3", "lanes 0-7, 9": for messages.
std::string lane_list(program::Mask lanes);

}  // namespace cupilot::emulate::lanes
