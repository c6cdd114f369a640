// SPDX-License-Identifier: Apache-2.0
//
// From counters (or, without them, from least bytes and time) to a roofline class and shares. Pure.

#pragma once

#include <string>
#include <vector>

#include "evolution/model/verdict.h"

namespace cupilot {

/// Collected in three passes on the devices we know; launch statistics come from the build instead.
const std::vector<std::string> &profile_metrics();

/// What timing knows: the workload's least bytes, and the time of a launch on a cold cache.
struct TimedTraffic {
  double bytes_moved = 0, time_us = 0;
};

/// Sets class and shares of `profile`. The time is that of `traffic` (a profiled launch takes longer), the
/// counters' own only when there is none; the bytes are the larger of the counted and the least ones, since
/// what a launch leaves in the cache is written later.
void digest(Profile &profile, const DeviceReport &device, const TimedTraffic &traffic);

/// Single-precision operations per second the device can do at its rated clock; 0 for an unknown
/// architecture.
double peak_flops(const DeviceReport &device);

}  // namespace cupilot
