// SPDX-License-Identifier: Apache-2.0
//
// Time of a launch from counts of a few executed blocks, ptxas' resources and a device table. An estimate,
// never a measurement: it has its own type, and nothing converts one to the other.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/emulate/machine/launch.h"
#include "evolution/emulate/memory/memory.h"

namespace cupilot::emulate {

/// A dozen numbers of one GPU. Units in the names. JSON files in estimate/devices/, built in.
struct DeviceTable {
  std::string name, architecture,
      source;  ///< "NVIDIA H200", "sm_90", "calibrated: calibration/sm_90_h200.json" or "public data: ..."
  std::map<std::string, double> values;  ///< see device_keys(): every key is there
};
struct DeviceKey {
  const char *name, *unit, *meaning;
};
const std::vector<DeviceKey> &device_keys();
/// By architecture ("sm_90": the user's own calibrated table first, then the calibrated built-in one), by
/// name
/// ("NVIDIA H200", "sm_90_h200") or by path of a JSON file.
Result<DeviceTable> device_table(const std::string &architecture_or_name);
std::vector<DeviceTable> built_in_tables();

/// What ptxas said of the kernel.
struct KernelResource {
  int registers = 32, spill_bytes = 0, static_shared_bytes = 0;
};

struct LaunchEstimate {
  std::string kernel;
  double time_us = 0;
  std::map<std::string, double> parts_us;  ///< "issue", "alu", "lsu", "l2", "dram", "latency", "atomics",
                                           ///< "starts" (of blocks), "launch"
  std::string bound;                       ///< the largest part
  double occupancy = 0, dram_bytes = 0, l2_bytes = 0, instructions = 0;
  std::uint64_t blocks = 0, blocks_run = 0;  ///< in the launch, executed for the estimate
};

/// Runs a few blocks of the launch (memory contents change as if those blocks had run) and estimates all of
/// it.
Result<LaunchEstimate> estimate_launch(LoadedProgram &program, Memory &memory, const LaunchRequest &request,
                                       const KernelResource &resource, const DeviceTable &device);

/// Differences under this share are ties (research: the model's own error).
inline constexpr double kTie = 0.15;

}  // namespace cupilot::emulate
