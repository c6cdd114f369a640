// SPDX-License-Identifier: Apache-2.0
// For handlers that found out that somebody else has to act first (an mbarrier's phase has not ended).

#pragma once

namespace cupilot::emulate {

class Warp;
/// The warp's turn ends at the end of the loop around this step, as after nanosleep.
void yield(Warp &warp);

}  // namespace cupilot::emulate
