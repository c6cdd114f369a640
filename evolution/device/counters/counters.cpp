// SPDX-License-Identifier: Apache-2.0
//
// CUPTI's functions take versioned parameter structures; `sized<T>` sets their first member, the size.
#include "evolution/device/counters/counters.h"

#include <fmt/format.h>

#include <cuda.h>

#include <algorithm>
#include <memory>

#include "evolution/device/counters/cupti_library.h"
#include "evolution/device/kernels/cuda_call.h"

namespace cupilot::device::counters {

namespace {

constexpr std::size_t kMostPasses = 32;

using Bytes = std::vector<std::uint8_t>;

#define CUPILOT_CUPTI(library, function, parameters) \
  CUPILOT_CHECKED((library).check((library).function(&(parameters)), #function))

/// Host side: metric names, the configuration image, and values from the counter data.
class HostProfiler {
public:
  static Result<std::unique_ptr<HostProfiler>> open(const CuptiLibrary &cupti, const std::string &chip,
                                                    Bytes availability) {
    std::unique_ptr<HostProfiler> profiler(new HostProfiler(cupti, std::move(availability)));
    const Bytes &image = profiler->availability_;
    CUpti_Profiler_Host_Initialize_Params init{CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE};
    init.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    init.pChipName = chip.c_str();
    init.pCounterAvailabilityImage = image.empty() ? nullptr : image.data();
    CUPILOT_CUPTI(cupti, cuptiProfilerHostInitialize, init);
    profiler->host_ = init.pHostObject;
    return profiler;
  }
  ~HostProfiler() {
    if (!host_) return;
    CUpti_Profiler_Host_Deinitialize_Params deinit{CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE};
    deinit.pHostObject = host_;
    (void)cupti_.cuptiProfilerHostDeinitialize(&deinit);
  }
  HostProfiler(const HostProfiler &) = delete;
  HostProfiler &operator=(const HostProfiler &) = delete;

  bool has(const std::string &metric) const {
    CUpti_Profiler_Host_GetMetricProperties_Params ask{
        CUpti_Profiler_Host_GetMetricProperties_Params_STRUCT_SIZE};
    ask.pHostObject = host_;
    ask.pMetricName = metric.c_str();
    return cupti_.cuptiProfilerHostGetMetricProperties(&ask) == CUPTI_SUCCESS;
  }

  Result<Bytes> configuration(std::vector<const char *> &names) {
    CUpti_Profiler_Host_ConfigAddMetrics_Params add{CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE};
    add.pHostObject = host_;
    add.ppMetricNames = names.data();
    add.numMetrics = names.size();
    CUPILOT_CUPTI(cupti_, cuptiProfilerHostConfigAddMetrics, add);
    CUpti_Profiler_Host_GetConfigImageSize_Params size{
        CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE};
    size.pHostObject = host_;
    CUPILOT_CUPTI(cupti_, cuptiProfilerHostGetConfigImageSize, size);
    Bytes image(size.configImageSize);
    CUpti_Profiler_Host_GetConfigImage_Params get{CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE};
    get.pHostObject = host_;
    get.configImageSize = image.size();
    get.pConfigImage = image.data();
    CUPILOT_CUPTI(cupti_, cuptiProfilerHostGetConfigImage, get);
    return image;
  }

  Result<std::size_t> passes(Bytes &configuration) {
    CUpti_Profiler_Host_GetNumOfPasses_Params ask{CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE};
    ask.configImageSize = configuration.size();
    ask.pConfigImage = configuration.data();
    CUPILOT_CUPTI(cupti_, cuptiProfilerHostGetNumOfPasses, ask);
    return ask.numOfPasses;
  }

  Result<std::vector<double>> values(std::vector<const char *> &names, const Bytes &counter_data) {
    std::vector<double> all(names.size());
    CUpti_Profiler_Host_EvaluateToGpuValues_Params ask{
        CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE};
    ask.pHostObject = host_;
    ask.pCounterDataImage = counter_data.data();
    ask.counterDataImageSize = counter_data.size();
    ask.ppMetricNames = names.data();
    ask.numMetrics = names.size();
    ask.pMetricValues = all.data();
    CUPILOT_CUPTI(cupti_, cuptiProfilerHostEvaluateToGpuValues, ask);
    return all;
  }

private:
  HostProfiler(const CuptiLibrary &cupti, Bytes availability)
      : cupti_(cupti), availability_(std::move(availability)) {}
  const CuptiLibrary &cupti_;
  Bytes availability_;  ///< the host object keeps a pointer into it
  CUpti_Profiler_Host_Object *host_ = nullptr;
};

/// Target side: collects one range over as many launches as there are passes.
class RangeProfiler {
public:
  static Result<std::unique_ptr<RangeProfiler>> open(const CuptiLibrary &cupti, CUcontext context) {
    CUpti_RangeProfiler_Enable_Params enable{CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE};
    enable.ctx = context;
    CUPILOT_CUPTI(cupti, cuptiRangeProfilerEnable, enable);
    return std::unique_ptr<RangeProfiler>(new RangeProfiler(cupti, enable.pRangeProfilerObject));
  }
  ~RangeProfiler() {
    CUpti_RangeProfiler_Disable_Params disable{CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE};
    disable.pRangeProfilerObject = range_;
    (void)cupti_.cuptiRangeProfilerDisable(&disable);
  }
  RangeProfiler(const RangeProfiler &) = delete;
  RangeProfiler &operator=(const RangeProfiler &) = delete;

  Result<> configure(const Bytes &configuration, std::vector<const char *> &names) {
    CUpti_RangeProfiler_GetCounterDataSize_Params size{
        CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE};
    size.pRangeProfilerObject = range_;
    size.pMetricNames = names.data();
    size.numMetrics = names.size();
    size.maxNumOfRanges = 1;
    size.maxNumRangeTreeNodes = 1;
    CUPILOT_CUPTI(cupti_, cuptiRangeProfilerGetCounterDataSize, size);
    data_.assign(size.counterDataSize, 0);
    CUpti_RangeProfiler_CounterDataImage_Initialize_Params init{
        CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE};
    init.pRangeProfilerObject = range_;
    init.counterDataSize = data_.size();
    init.pCounterData = data_.data();
    CUPILOT_CUPTI(cupti_, cuptiRangeProfilerCounterDataImageInitialize, init);
    CUpti_RangeProfiler_SetConfig_Params set{CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE};
    set.pRangeProfilerObject = range_;
    set.configSize = configuration.size();
    set.pConfig = configuration.data();
    set.counterDataImageSize = data_.size();
    set.pCounterDataImage = data_.data();
    set.range = CUPTI_UserRange;
    set.replayMode = CUPTI_UserReplay;
    set.maxRangesPerPass = 1;
    set.numNestingLevels = 1;
    set.minNestingLevel = 1;
    set.targetNestingLevel = 1;
    CUPILOT_CUPTI(cupti_, cuptiRangeProfilerSetConfig, set);
    return {};
  }

  /// True when every pass has been collected.
  Result<bool> collect_pass(const std::function<Result<>()> &launch) {
    CUpti_RangeProfiler_Start_Params start{CUpti_RangeProfiler_Start_Params_STRUCT_SIZE};
    start.pRangeProfilerObject = range_;
    CUPILOT_CUPTI(cupti_, cuptiRangeProfilerStart, start);
    CUpti_RangeProfiler_PushRange_Params push{CUpti_RangeProfiler_PushRange_Params_STRUCT_SIZE};
    push.pRangeProfilerObject = range_;
    push.pRangeName = "launch";
    CUPILOT_CUPTI(cupti_, cuptiRangeProfilerPushRange, push);
    CUPILOT_CHECKED(launch());
    CUpti_RangeProfiler_PopRange_Params pop{CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE};
    pop.pRangeProfilerObject = range_;
    CUPILOT_CUPTI(cupti_, cuptiRangeProfilerPopRange, pop);
    CUpti_RangeProfiler_Stop_Params stop{CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE};
    stop.pRangeProfilerObject = range_;
    CUPILOT_CUPTI(cupti_, cuptiRangeProfilerStop, stop);
    return stop.isAllPassSubmitted != 0;
  }

  Result<const Bytes *> decode() {
    CUpti_RangeProfiler_DecodeData_Params decode{CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE};
    decode.pRangeProfilerObject = range_;
    CUPILOT_CUPTI(cupti_, cuptiRangeProfilerDecodeData, decode);
    return &data_;
  }

private:
  RangeProfiler(const CuptiLibrary &cupti, CUpti_RangeProfiler_Object *range)
      : cupti_(cupti), range_(range) {}
  const CuptiLibrary &cupti_;
  CUpti_RangeProfiler_Object *range_;
  Bytes data_;
};

Result<CUcontext> current_context() {
  using Function = CUresult (*)(CUcontext *);
  void *function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  CUPILOT_CUDA("finding cuCtxGetCurrent", cudaGetDriverEntryPointByVersion("cuCtxGetCurrent", &function,
                                                                           12000, cudaEnableDefault, &found));
  CUcontext context = nullptr;
  if (!function || reinterpret_cast<Function>(function)(&context) != CUDA_SUCCESS || !context)
    return fail("no hardware counters: no current context");
  return context;
}

/// The counters that are available on this device; empty when the driver does not say.
Bytes counter_availability(const CuptiLibrary &cupti, CUcontext context) {
  CUpti_Profiler_GetCounterAvailability_Params ask{CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE};
  ask.ctx = context;
  if (cupti.cuptiProfilerGetCounterAvailability(&ask) != CUPTI_SUCCESS) return {};
  Bytes image(ask.counterAvailabilityImageSize);
  ask.pCounterAvailabilityImage = image.data();
  if (cupti.cuptiProfilerGetCounterAvailability(&ask) != CUPTI_SUCCESS) return {};
  return image;
}

Result<std::string> chip_name(const CuptiLibrary &cupti) {
  CUpti_Device_GetChipName_Params ask{CUpti_Device_GetChipName_Params_STRUCT_SIZE};
  CUPILOT_CUPTI(cupti, cuptiDeviceGetChipName, ask);
  return std::string(ask.pChipName);
}

Result<> initialize(const CuptiLibrary &cupti) {
  CUpti_Profiler_Initialize_Params init{CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
  CUPILOT_CUPTI(cupti, cuptiProfilerInitialize, init);
  return {};
}

}  // namespace

Result<std::vector<std::string>> known_metrics(const std::string &chip,
                                               const std::vector<std::string> &metrics) {
  CUPILOT_TRY(cupti, CuptiLibrary::get());
  CUPILOT_TRY(host, HostProfiler::open(*cupti, chip, {}));
  std::vector<std::string> known;
  std::copy_if(metrics.begin(), metrics.end(), std::back_inserter(known),
               [&](const auto &m) { return host->has(m); });
  return known;
}

Result<Counters> collect_counters(const std::vector<std::string> &metrics,
                                  const std::function<Result<>()> &prepare,
                                  const std::function<Result<>()> &launch) {
  CUPILOT_TRY(cupti, CuptiLibrary::get());
  CUPILOT_CHECKED(initialize(*cupti));
  CUPILOT_TRY(context, current_context());
  CUPILOT_TRY(chip, chip_name(*cupti));
  CUPILOT_TRY(host, HostProfiler::open(*cupti, chip, counter_availability(*cupti, context)));

  Counters counters;
  std::vector<const char *> names;
  for (const std::string &metric : metrics) {
    if (host->has(metric))
      names.push_back(metric.c_str());
    else
      counters.unknown.push_back(metric);
  }
  CUPILOT_TRY(configuration, host->configuration(names));
  CUPILOT_TRY(passes, host->passes(configuration));
  if (passes > kMostPasses) return fail(fmt::format("no hardware counters: {} passes needed", passes));
  counters.passes = passes;

  CUPILOT_TRY(range, RangeProfiler::open(*cupti, context));
  CUPILOT_CHECKED(range->configure(configuration, names));
  for (std::size_t pass = 0; pass < kMostPasses; ++pass) {
    CUPILOT_CHECKED(prepare());
    CUPILOT_TRY(complete, range->collect_pass(launch));
    if (complete) break;
  }
  CUPILOT_TRY(data, range->decode());
  CUPILOT_TRY(values, host->values(names, *data));
  for (std::size_t i = 0; i < names.size(); ++i) counters.values[names[i]] = values[i];
  return counters;
}

}  // namespace cupilot::device::counters
