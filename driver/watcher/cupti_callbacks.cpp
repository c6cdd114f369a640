// SPDX-License-Identifier: Apache-2.0

#include "driver/watcher/cupti_callbacks.h"

#include <cupti.h>

#include <atomic>
#include <cstdio>
#include <exception>
#include <string>

#include "driver/watcher/cupti_library.h"

namespace cupilot::watcher {
namespace {

constexpr CUpti_CallbackId kTold[] = {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
                                      CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
                                      CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
                                      CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
                                      CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
                                      CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
                                      CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiate,
                                      CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiate_v2,
                                      CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithFlags,
                                      CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams,
                                      CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams_ptsz,
                                      CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate,
                                      CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate_v2,
                                      CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams_v2,
                                      CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
                                      CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz};

std::atomic<DriverListener *> told = nullptr;

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

DriverLaunch extended(const CUpti_CallbackData &data) {
  const auto &launch = *static_cast<const cuLaunchKernelEx_params *>(data.functionParams);
  const CUlaunchConfig &config = *launch.config;
  return {data.symbolName,
          {config.gridDimX, config.gridDimY, config.gridDimZ},
          {config.blockDimX, config.blockDimY, config.blockDimZ},
          config.sharedMemBytes,
          config.hStream,
          launch.kernelParams};
}

void tell_launch(DriverListener &listener, const DriverLaunch &launch, const CUpti_CallbackData &data) {
  if (!data.symbolName) return;
  if (data.callbackSite == CUPTI_API_ENTER)
    listener.launch_begins(launch, data.correlationData);
  else
    listener.launch_ended(launch, data.correlationData);
}

void tell_graph_launch(DriverListener &listener, const CUpti_CallbackData &data) {
  const auto &launch = *static_cast<const cuGraphLaunch_params *>(data.functionParams);
  if (data.callbackSite == CUPTI_API_ENTER)
    listener.graph_begins(launch.hGraph, launch.hStream, data.correlationData);
  else
    listener.graph_ended(launch.hGraph, launch.hStream, data.correlationData);
}

/// The parameters of a function, of its form for per-thread streams and of its versions begin alike.
void tell(DriverListener &listener, CUpti_CallbackId id, const CUpti_CallbackData &data) {
  const auto *const result = static_cast<const CUresult *>(data.functionReturnValue);
  const bool done = data.callbackSite == CUPTI_API_EXIT && result && *result == CUDA_SUCCESS;
  switch (id) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz:
      return tell_launch(listener, extended(data), data);
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
      return tell_launch(listener, plain<cuLaunchCooperativeKernel_params>(data), data);
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz:
      return tell_launch(listener, plain<cuLaunchKernel_params>(data), data);
    case CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz:
      return tell_graph_launch(listener, data);
    case CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate_v2: {
      const auto &update = *static_cast<const cuGraphExecUpdate_params *>(data.functionParams);
      if (done) listener.graph_made(update.hGraphExec, update.hGraph);
      return;
    }
    case CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams_v2: {
      const auto &set = *static_cast<const cuGraphExecKernelNodeSetParams_v2_params *>(data.functionParams);
      if (done) listener.graph_node_set(set.hGraphExec, set.hNode, *set.nodeParams);
      return;
    }
    default: {
      const auto &made = *static_cast<const cuGraphInstantiateWithFlags_params *>(data.functionParams);
      if (done) listener.graph_made(*made.phGraphExec, made.hGraph);
    }
  }
}

void CUPTIAPI callback(void *, CUpti_CallbackDomain, CUpti_CallbackId id, const void *given) {
  DriverListener *const listener = told;
  if (!listener) return;
  try {
    tell(*listener, id, *static_cast<const CUpti_CallbackData *>(given));
  } catch (const std::exception &trouble) {
    told = nullptr;
    std::fprintf(stderr, "cupilot: error: no more launches are captured: %s\n", trouble.what());
  }
}

}  // namespace

Result<> subscribe(DriverListener &listener) {
  CUPILOT_TRY(cupti, CuptiLibrary::load());
  decltype(&cuptiSubscribe) subscribe_to = nullptr;
  decltype(&cuptiEnableCallback) enable = nullptr;
  if (!cupti.find("cuptiSubscribe", subscribe_to) || !cupti.find("cuptiEnableCallback", enable))
    return fail("this CUPTI has no callbacks");
  CUpti_SubscriberHandle subscriber = nullptr;
  if (subscribe_to(&subscriber, &callback, nullptr) != CUPTI_SUCCESS)
    return fail("CUPTI has a subscriber already: another profiler watches this process");
  told = &listener;
  for (const CUpti_CallbackId id : kTold)
    if (enable(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id) != CUPTI_SUCCESS)
      return fail("CUPTI does not tell launches");
  return {};
}

}  // namespace cupilot::watcher
