// SPDX-License-Identifier: Apache-2.0
//
// CUPTI's functions looked up at run time: a machine without CUPTI still judges, and no process carries the
// profiler that does not use it. Internal to evolution/device.

#pragma once

#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>

#include "annotate/support/result.h"

namespace cupilot {

struct CuptiLibrary {
#define CUPILOT_CUPTI_FUNCTIONS(X)                                                                           \
  X(cuptiGetResultString)                                                                                    \
  X(cuptiProfilerInitialize)                                                                                 \
  X(cuptiProfilerDeInitialize)                                                                               \
  X(cuptiProfilerGetCounterAvailability)                                                                     \
  X(cuptiDeviceGetChipName)                                                                                  \
  X(cuptiProfilerHostInitialize)                                                                             \
  X(cuptiProfilerHostDeinitialize)                                                                           \
  X(cuptiProfilerHostGetMetricProperties)                                                                    \
  X(cuptiProfilerHostConfigAddMetrics)                                                                       \
  X(cuptiProfilerHostGetConfigImageSize) X(cuptiProfilerHostGetConfigImage)                                  \
      X(cuptiProfilerHostGetNumOfPasses) X(cuptiProfilerHostEvaluateToGpuValues) X(cuptiRangeProfilerEnable) \
          X(cuptiRangeProfilerDisable) X(cuptiRangeProfilerGetCounterDataSize)                               \
              X(cuptiRangeProfilerCounterDataImageInitialize) X(cuptiRangeProfilerSetConfig)                 \
                  X(cuptiRangeProfilerStart) X(cuptiRangeProfilerStop) X(cuptiRangeProfilerPushRange)        \
                      X(cuptiRangeProfilerPopRange) X(cuptiRangeProfilerDecodeData)
#define CUPILOT_CUPTI_MEMBER(name) decltype(&::name) name = nullptr;
  CUPILOT_CUPTI_FUNCTIONS(CUPILOT_CUPTI_MEMBER)
#undef CUPILOT_CUPTI_MEMBER

  /// Loaded once in a process, never unloaded.
  static Result<const CuptiLibrary *> get();
  Result<> check(CUptiResult code, const char *doing) const;
};

}  // namespace cupilot
