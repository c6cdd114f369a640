// SPDX-License-Identifier: Apache-2.0
//
// Hardware counters of one launch, with CUPTI's range profiler (user range, user replay). The caller launches
// once for each pass, and the buffers have the same content before every pass. Internal to evolution/device.

#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot::device::counters {

/// Returns the `metrics` that `chip` ("GH100") has. Asks CUPTI's host API, which needs no GPU.
Result<std::vector<std::string>> known_metrics(const std::string &chip,
                                               const std::vector<std::string> &metrics);

struct Counters {
  std::map<std::string, double> values;
  std::vector<std::string> unknown;  ///< metrics this device does not have
  std::size_t passes = 0;
};
/// Calls `prepare` and `launch` once for each pass. `prepare` is not counted; it restores the first content
/// and a cold cache. Both return when the device is idle.
Result<Counters> collect_counters(const std::vector<std::string> &metrics,
                                  const std::function<Result<>()> &prepare,
                                  const std::function<Result<>()> &launch);

}  // namespace cupilot::device::counters
