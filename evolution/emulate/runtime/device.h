// SPDX-License-Identifier: Apache-2.0
//
// The emulated device behind the stand-in CUDA runtime: its memory, the loaded modules, how launches run,
// and what they found. A process has one. The C functions of the runtime (cudaMalloc,
// __cudaRegisterFatBinary, ...) are in runtime/api/ and work on current_device().

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/emulate/machine/launch.h"
#include "evolution/emulate/memory/memory.h"
#include "evolution/emulate/runtime/device_model.h"

namespace cupilot::emulate::runtime {

struct DeviceOptions {
  std::string architecture =
      "sm_90";  ///< reported by cudaGetDeviceProperties; the newest PTX not above it is used
  std::uint64_t memory_bytes = 0;  ///< 0: three quarters of the machine's
  machine::LaunchOptions launch;   ///< for every launch; `before_launch` may change it
  bool log_launches = false;       ///< prints one line per launch on stderr
  bool only_log = false;           ///< launches are logged, not run
  bool print_findings = true;      ///< launches through the runtime's functions print findings on stderr
  std::string report;              ///< and append them to this file, one JSON object a line; empty: do not
};

/// A launch that is about to run, for sessions (estimates, block sampling, verdicts).
struct LaunchSeen {
  std::string kernel;  ///< PTX name
  machine::LoadedProgram *program = nullptr;
  machine::LaunchRequest request;
};

class Device {
public:
  static Result<std::unique_ptr<Device>> make(DeviceOptions options);
  virtual ~Device() = default;
  virtual memory::Memory &memory() = 0;
  virtual DeviceOptions &options() = 0;
  virtual const DeviceModel &model() const = 0;  ///< the model of DeviceOptions::architecture
  /// Called before each launch. It may change the options, or skip the launch by returning false; the launch
  /// then counts as successful.
  std::function<bool(const LaunchSeen &, machine::LaunchOptions &)> before_launch;
  std::function<void(const LaunchSeen &, const machine::LaunchResult &)> after_launch;
  /// Returns the findings of all launches since the last call.
  virtual std::vector<machine::Finding> take_findings() = 0;
  /// A PTX module outside any fat binary; returns a handle for launch_by_name.
  virtual Result<std::shared_ptr<machine::LoadedProgram>> load_ptx(std::string text,
                                                                   const std::string &name) = 0;
  virtual Result<std::shared_ptr<machine::LoadedProgram>> load_module(ptx::Module module) = 0;
  /// Runs a launch and calls `before_launch` and `after_launch`. Instructions that cannot be executed are
  /// reported before anything runs.
  virtual machine::LaunchResult run(machine::LoadedProgram &program,
                                    const machine::LaunchRequest &request) = 0;
};

/// The process's device. It is made on first use from CUPILOT_EMULATE_* of the environment, unless it was set
/// before.
Device &current_device();
/// `made` is called with the device that current_device() makes, before anything else is done with it. This
/// may be set before any constructor of the program has run.
void when_device_is_made(void (*made)(Device &));
void set_current_device(std::unique_ptr<Device> device);

}  // namespace cupilot::emulate::runtime
