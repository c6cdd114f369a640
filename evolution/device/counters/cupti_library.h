// SPDX-License-Identifier: Apache-2.0
//
// CUPTI's functions, looked up at run time: a machine without CUPTI can still judge, and a process that does
// not profile does not load CUPTI. Internal to evolution/device.

#pragma once

#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>

#include "annotate/support/result.h"

namespace cupilot::device::counters {

struct CuptiLibrary {
#define CUPILOT_CUPTI_FUNCTIONS(X)                                                                       \
  X(cuptiGetResultString)                                                                                \
  X(cuptiProfilerInitialize)                                                                             \
  X(cuptiProfilerDeInitialize)                                                                           \
  X(cuptiProfilerGetCounterAvailability)                                                                 \
  X(cuptiDeviceGetChipName)                                                                              \
  X(cuptiProfilerHostInitialize)                                                                         \
  X(cuptiProfilerHostDeinitialize)                                                                       \
  X(cuptiProfilerHostGetMetricProperties)                                                                \
  X(cuptiProfilerHostConfigAddMetrics)                                                                   \
  X(cuptiProfilerHostGetConfigImageSize)                                                                 \
  X(cuptiProfilerHostGetConfigImage)                                                                     \
  X(cuptiProfilerHostGetNumOfPasses) X(cuptiProfilerHostEvaluateToGpuValues) X(cuptiRangeProfilerEnable) \
      X(cuptiRangeProfilerDisable) X(cuptiRangeProfilerGetCounterDataSize)                               \
          X(cuptiRangeProfilerCounterDataImageInitialize) X(cuptiRangeProfilerSetConfig)                 \
              X(cuptiRangeProfilerStart) X(cuptiRangeProfilerStop) X(cuptiRangeProfilerPushRange)        \
                  X(cuptiRangeProfilerPopRange) X(cuptiRangeProfilerDecodeData)
#define CUPILOT_CUPTI_MEMBER(name) decltype(&::name) name = nullptr;
  CUPILOT_CUPTI_FUNCTIONS(CUPILOT_CUPTI_MEMBER)
#undef CUPILOT_CUPTI_MEMBER

  /// CUPTI is loaded once in a process and never unloaded.
  static Result<const CuptiLibrary *> get();
  Result<> check(CUptiResult code, const char *doing) const;
};

}  // namespace cupilot::device::counters
