// SPDX-License-Identifier: Apache-2.0
//
// Hardware counters of one launch through CUPTI's range profiler: user range, user replay. The caller
// launches as often as passes are needed, with the same first content of buffers each time. Internal to
// evolution/device.

#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot {

/// Those of `metrics` that `chip` ("GH100") has, checked by the host API: no GPU needed.
Result<std::vector<std::string>> known_metrics(const std::string &chip,
                                               const std::vector<std::string> &metrics);

struct Counters {
  std::map<std::string, double> values;
  std::vector<std::string> unknown;  ///< metrics this device does not have
  std::size_t passes = 0;
};
/// Once a pass: `prepare` (not counted: first content, cold cache), then `launch`. Both leave the device
/// idle.
Result<Counters> collect_counters(const std::vector<std::string> &metrics,
                                  const std::function<Result<>()> &prepare,
                                  const std::function<Result<>()> &launch);

}  // namespace cupilot
