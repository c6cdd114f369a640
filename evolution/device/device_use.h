// SPDX-License-Identifier: Apache-2.0
//
// What the driver says of the use of this process's device: NVML, looked up at run time. A machine without
// it, or a container that may not ask, can still judge; then nothing is known. Internal to evolution/device.

#pragma once

#include <memory>

#include "evolution/judge/time/sharing.h"

namespace cupilot::device {

class DeviceUseReader {
public:
  virtual ~DeviceUseReader() = default;
  /// Processes with contexts on the device, and how busy it was during the driver's last sample period (up to
  /// a second). Whoever asks has queued nothing in that time.
  virtual judge::time::DeviceUse read() = 0;

  /// NVML for the device with this PCI bus id ("0000:01:00.0"). Open it before the process is locked up.
  static std::unique_ptr<DeviceUseReader> open(const char *bus_id);
};

}  // namespace cupilot::device
