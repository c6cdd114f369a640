// SPDX-License-Identifier: Apache-2.0
//
// Derives a roofline class and shares from hardware counters, or without them from minimum bytes and time.
// Pure.

#pragma once

#include <string>
#include <vector>

#include "evolution/model/verdict.h"

namespace cupilot::judge::time {

/// Names of the metrics to collect; they take three passes on the known devices. Registers and shared memory
/// come from the build instead.
const std::vector<std::string> &profile_metrics();

/// Results of the timing: the minimum bytes of the workload, and the time of a launch with a cold cache.
struct TimedTraffic {
  double bytes_moved = 0, time_us = 0;
};

/// Sets class and shares of `profile`. The time is that of `traffic`, since a profiled launch takes longer;
/// the counters' time is used only if there is no other. The bytes are the larger of the counted and the
/// minimum bytes, since data that a launch leaves in the cache is written to memory later.
void digest(model::Profile &profile, const model::DeviceReport &device, const TimedTraffic &traffic);

/// Peak single-precision operations per second at the rated clock; 0 for an unknown architecture.
double peak_flops(const model::DeviceReport &device);

}  // namespace cupilot::judge::time
