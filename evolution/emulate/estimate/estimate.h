// SPDX-License-Identifier: Apache-2.0
//
// Estimates the time of a launch from a few executed blocks, the resources that ptxas reports, and a device
// table. The result is never a measurement: it has its own type, and nothing converts one to the other.
//
// How (each step has a file of its own, with its sources):
//   occupancy   how many blocks a multiprocessor holds: limits of the CUDA programming guide
//   trace       some blocks run on the emulator; each warp's steps and memory requests are kept
//   reuse       which sectors come from memory and which from the L2: footprints of blocks at
//               growing distances
//   block_code  each basic block in the order ptxas would give it: loads early, short loops unrolled
//   replay      one multiprocessor executes the traces: in-order warps, four schedulers, units, L1,
//               and its share of L2 and memory bandwidth as servers. Little's law and latency hiding
//               follow from it
//   estimate    the multiprocessor with most blocks, extended from the blocks replayed to all of
//               them; the busiest slice's atomics and the rate at which blocks start overlap with it:
//               time = launch + (running^4 + atomics^4 + starts^4)^(1/4)
// All rates are those of the device table; what they were measured with stands in derive.cpp. As in the
// judge's timing, the L2 is cold and full of written lines when the launch starts.
//
// Not modelled: TMA and wgmma, clusters, constant-cache misses, instruction-cache misses, clocks that change.
// On 38 kernels the model had never seen (tests/emulate/estimate) the rank correlation with an H200 is 0.97,
// the geometric mean error 1.16x, the worst one 2.8x (random writes of single words).

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/emulate/machine/launch.h"
#include "evolution/emulate/memory/memory.h"

namespace cupilot::emulate::estimate {

/// The numbers of one GPU. JSON files in estimate/devices/, built in.
struct DeviceTable {
  std::string name, architecture,
      source;  ///< "NVIDIA H200", "sm_90", "calibrated: calibration/sm_90_h200.json" or "public data: ..."
  std::map<std::string, double> values;  ///< see device_keys(): every key is there
};
struct DeviceKey {
  const char *name, *unit, *meaning;
};
const std::vector<DeviceKey> &device_keys();
/// Finds a table by architecture ("sm_90": first the user's own calibrated table, then the calibrated
/// built-in one), by name ("NVIDIA H200", "sm_90_h200") or by the path of a JSON file.
Result<DeviceTable> device_table(const std::string &architecture_or_name);
std::vector<DeviceTable> built_in_tables();

/// The kernel's resources as ptxas reports them.
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
  std::uint64_t blocks = 0, blocks_run = 0;  ///< blocks in the launch; blocks executed for the estimate
};

/// Runs a few blocks of the launch and estimates the whole launch. Memory has the contents left by those
/// blocks.
Result<LaunchEstimate> estimate_launch(machine::LoadedProgram &program, memory::Memory &memory,
                                       const machine::LaunchRequest &request, const KernelResource &resource,
                                       const DeviceTable &device);

/// Two estimates that differ by less than this share are a tie: the model's own error is of that size.
inline constexpr double kTie = 0.15;
/// Share of the L2 that holds modified (dirty) lines when a launch starts, in cold samples and in estimates.
inline constexpr double kDirtyL2 = 0.8;

}  // namespace cupilot::emulate::estimate
