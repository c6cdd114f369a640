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

namespace cupilot::emulate {

struct DeviceOptions {
  std::string architecture =
      "sm_90";  ///< what cudaGetDeviceProperties says; the PTX chosen is the newest not above it
  std::uint64_t memory_bytes = 0;  ///< 0: three quarters of the machine's
  LaunchOptions launch;            ///< for every launch; `before_launch` may change it
  bool log_launches = false;       ///< one line a launch on stderr
  bool only_log = false;           ///< launches are logged, not run
  bool print_findings = true;      ///< launches through the runtime's functions print theirs on stderr
  std::string report;              ///< and append them to this file, one JSON object a line; empty: do not
};

/// What a launch is about to be; for sessions (estimate, block sampling, verdicts).
struct LaunchSeen {
  std::string kernel;  ///< PTX name
  LoadedProgram *program = nullptr;
  LaunchRequest request;
};

class Device {
public:
  static Result<std::unique_ptr<Device>> make(DeviceOptions options);
  virtual ~Device() = default;
  virtual Memory &memory() = 0;
  virtual DeviceOptions &options() = 0;
  virtual const DeviceModel &model() const = 0;  ///< of DeviceOptions::architecture
  /// Called before each launch, may change options or veto it (false: counted as done, not run).
  std::function<bool(const LaunchSeen &, LaunchOptions &)> before_launch;
  std::function<void(const LaunchSeen &, const LaunchResult &)> after_launch;
  /// Findings of all launches since the last call.
  virtual std::vector<Finding> take_findings() = 0;
  /// A PTX module outside any fat binary; returns a handle for launch_by_name.
  virtual Result<std::shared_ptr<LoadedProgram>> load_ptx(std::string text, const std::string &name) = 0;
  virtual Result<std::shared_ptr<LoadedProgram>> load_module(ptx::Module module) = 0;
  /// Lists what cannot be executed before it runs anything; `before_launch` and `after_launch` are told.
  virtual LaunchResult run(LoadedProgram &program, const LaunchRequest &request) = 0;
};

/// Made on first use from CUPILOT_EMULATE_* of the environment, unless set before.
Device &current_device();
void set_current_device(std::unique_ptr<Device> device);

}  // namespace cupilot::emulate
