// SPDX-License-Identifier: Apache-2.0

#include "driver/watcher/cupti_callbacks.h"

#include <cupti.h>
#include <dlfcn.h>

#include <string>

namespace cupilot::watcher {
namespace {

constexpr CUpti_CallbackId kLaunches[] = {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
                                          CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
                                          CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
                                          CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
                                          CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
                                          CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz};

/// The soname first (LD_LIBRARY_PATH, ld.so.conf), then the toolkit that this library was built with.
constexpr const char *kPlaces[] = {("libcupti.so." CUPILOT_CUDA_MAJOR), CUPILOT_CUPTI_LIBRARY, "libcupti.so"};

LaunchCallbacks told;

template <class Parameters>
DriverLaunch plain(const CUpti_CallbackData &data) {
  const auto &launch = *static_cast<const Parameters *>(data.functionParams);
  return {data.symbolName,
          {launch.gridDimX, launch.gridDimY, launch.gridDimZ},
          {launch.blockDimX, launch.blockDimY, launch.blockDimZ},
          launch.sharedMemBytes,
          launch.hStream,
          launch.kernelParams};
}

/// The parameters of a function and of its form for per-thread streams have the same layout.
DriverLaunch launch_of(CUpti_CallbackId id, const CUpti_CallbackData &data) {
  switch (id) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz: {
      const auto &launch = *static_cast<const cuLaunchKernelEx_params *>(data.functionParams);
      const CUlaunchConfig &config = *launch.config;
      return {data.symbolName,
              {config.gridDimX, config.gridDimY, config.gridDimZ},
              {config.blockDimX, config.blockDimY, config.blockDimZ},
              config.sharedMemBytes,
              config.hStream,
              launch.kernelParams};
    }
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
      return plain<cuLaunchCooperativeKernel_params>(data);
    default:
      return plain<cuLaunchKernel_params>(data);
  }
}

void CUPTIAPI callback(void *, CUpti_CallbackDomain, CUpti_CallbackId id, const void *given) {
  const auto &data = *static_cast<const CUpti_CallbackData *>(given);
  if (!data.symbolName) return;
  const auto launch = launch_of(id, data);
  (data.callbackSite == CUPTI_API_ENTER ? told.begins : told.ended)(launch, data.correlationData);
}

}  // namespace

Result<> subscribe(const LaunchCallbacks &callbacks) {
  void *library = nullptr;
  for (const char *place : kPlaces)
    if (!library) library = dlopen(place, RTLD_NOW | RTLD_LOCAL);
  if (!library) return fail(std::string("CUPTI could not be loaded: ") + dlerror());
  const auto subscribe_to = reinterpret_cast<decltype(&cuptiSubscribe)>(dlsym(library, "cuptiSubscribe"));
  const auto enable = reinterpret_cast<decltype(&cuptiEnableCallback)>(dlsym(library, "cuptiEnableCallback"));
  if (!subscribe_to || !enable) return fail("this CUPTI has no callbacks");
  told = callbacks;
  CUpti_SubscriberHandle subscriber = nullptr;
  if (subscribe_to(&subscriber, &callback, nullptr) != CUPTI_SUCCESS)
    return fail("CUPTI has a subscriber already: another profiler watches this process");
  for (const CUpti_CallbackId id : kLaunches)
    if (enable(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id) != CUPTI_SUCCESS)
      return fail("CUPTI does not tell launches");
  return {};
}

}  // namespace cupilot::watcher
