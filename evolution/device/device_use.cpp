// SPDX-License-Identifier: Apache-2.0
//
// NVML's functions and structures as its reference manual lists them (NVML API Reference Manual, "Device
// Queries"). Its header is not needed: of each structure only members stand here that have kept their places
// in this version of the function.
#include "evolution/device/device_use.h"

#include <dlfcn.h>

#include <array>

namespace cupilot::device {

namespace {

using NvmlDevice = void *;
constexpr int kNvmlSuccess = 0, kNvmlInsufficientSize = 7;

struct NvmlUtilization {
  unsigned gpu = 0, memory = 0;  ///< percent
};
struct NvmlProcess {
  unsigned pid = 0;
  unsigned long long used_memory = 0;
  unsigned gpu_instance = 0, compute_instance = 0;
};

class Nvml final : public DeviceUseReader {
public:
  bool open(const char *bus_id) {
    library_ = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    int (*init)() = nullptr;
    int (*by_bus)(const char *, NvmlDevice *) = nullptr;
    return library_ && find("nvmlInit_v2", init) && find("nvmlDeviceGetHandleByPciBusId_v2", by_bus) &&
           find("nvmlDeviceGetComputeRunningProcesses_v3", processes_) &&
           find("nvmlDeviceGetUtilizationRates", utilization_) && init() == kNvmlSuccess &&
           by_bus(bus_id, &device_) == kNvmlSuccess;
  }

  judge::time::DeviceUse read() override {
    judge::time::DeviceUse use;
    NvmlUtilization utilization;
    if (!utilization_ || utilization_(device_, &utilization) != kNvmlSuccess) return use;
    use.known = true;
    use.busy_percent = static_cast<int>(utilization.gpu);
    std::array<NvmlProcess, kMostProcesses> running;
    unsigned count = kMostProcesses;
    const int listed = processes_(device_, &count, running.data());
    if (listed == kNvmlSuccess || listed == kNvmlInsufficientSize) use.processes = static_cast<int>(count);
    return use;
  }

private:
  static constexpr unsigned kMostProcesses = 256;

  template <class Function>
  bool find(const char *name, Function *&function) const {
    function = reinterpret_cast<Function *>(::dlsym(library_, name));
    return function != nullptr;
  }

  void *library_ = nullptr;  ///< stays loaded: threads of its own may run
  NvmlDevice device_ = nullptr;
  int (*processes_)(NvmlDevice, unsigned *, NvmlProcess *) = nullptr;
  int (*utilization_)(NvmlDevice, NvmlUtilization *) = nullptr;
};

class NothingKnown final : public DeviceUseReader {
public:
  judge::time::DeviceUse read() override { return {}; }
};

}  // namespace

std::unique_ptr<DeviceUseReader> DeviceUseReader::open(const char *bus_id) {
  auto nvml = std::make_unique<Nvml>();
  if (!nvml->open(bus_id)) return std::make_unique<NothingKnown>();
  return nvml;
}

}  // namespace cupilot::device
