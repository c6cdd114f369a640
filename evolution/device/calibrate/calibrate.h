// SPDX-License-Identifier: Apache-2.0
//
// Micro-benchmarks that measure what the parts of one GPU can do, as input for the device table of estimates.
// The result is the measured figures only; evolution/emulate/estimate derives the table from them. Takes less
// than a minute.

#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/model/verdict.h"

namespace cupilot::judge::launches {
class DeviceSession;
}  // namespace cupilot::judge::launches

namespace cupilot::device::calibrate {

/// One measured number: "dram_read" at {"width": 16, "warps": 64, "loads": 4}.
struct Figure {
  std::string name;
  std::map<std::string, double> at;
  std::string unit;  ///< "GB/s", "cycles", "per clock and multiprocessor", "us"
  double value = 0;
};

/// All results for one GPU. `properties` are the driver's values by name ("max_threads_per_multiprocessor").
struct Calibration {
  model::DeviceReport device;
  std::map<std::string, double> properties;
  std::vector<Figure> figures;
  std::vector<std::string> failed;  ///< "atomic_cas: ..."; after a fault of the device the rest is missing
};

/// Calls `progress` with the name of each experiment.
Result<Calibration> calibrate(judge::launches::DeviceSession &session,
                              const std::function<void(const std::string &)> &progress);
std::string calibration_json(const Calibration &calibration);

}  // namespace cupilot::device::calibrate
