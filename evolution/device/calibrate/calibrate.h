// SPDX-License-Identifier: Apache-2.0
//
// Micro-benchmarks that say what one GPU's parts can do: the input of the estimate's device table. Prints
// what was measured; what follows from it is decided in evolution/emulate/estimate. Under a minute.

#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/model/verdict.h"

namespace cupilot {

/// One measured number: "dram_read" at {"width": 16, "warps": 64, "loads": 4}.
struct Figure {
  std::string name;
  std::map<std::string, double> at;
  std::string unit;  ///< "GB/s", "cycles", "per clock and multiprocessor", "us"
  double value = 0;
};

/// What the driver says of the device; whole numbers of one GPU by name ("max_threads_per_multiprocessor").
struct Calibration {
  DeviceReport device;
  std::map<std::string, double> properties;
  std::vector<Figure> figures;
  std::vector<std::string> failed;  ///< "atomic_cas: ..."; what came after a fault of the device is missing
};

class DeviceSession;

/// `progress` is told each experiment's name.
Result<Calibration> calibrate(DeviceSession &session,
                              const std::function<void(const std::string &)> &progress);
std::string calibration_json(const Calibration &calibration);

}  // namespace cupilot
