// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/time/roofline.h"

#include <algorithm>

#include "evolution/model/limits.h"

namespace cupilot::judge::time {

namespace {

struct OperationMetric {
  const char *name;
  double operations;   ///< per counted instruction of a thread
  double peak_factor;  ///< peak rate relative to that of single-precision adds
};
/// Half-precision operations are counted per instruction. Packed instructions do two, so this is a lower
/// bound.
constexpr OperationMetric kOperations[] = {
    {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 1, 1},
    {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 1, 1},
    {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 2, 1},
    {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", 1, 0.5},
    {"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", 1, 0.5},
    {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", 2, 0.5},
    {"smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", 1, 2},
    {"smsp__sass_thread_inst_executed_op_hmul_pred_on.sum", 1, 2},
    {"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", 2, 2},
};
constexpr const char *kTime = "gpu__time_duration.sum";  // nanoseconds
constexpr const char *kDramBytes = "dram__bytes.sum";
constexpr const char *kIssueShare = "smsp__issue_active.avg.pct_of_peak_sustained_active";
constexpr const char *kTensorShare = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active";

struct Lanes {
  const char *architecture;
  int lanes;  ///< single-precision lanes of one multiprocessor
};
constexpr Lanes kLanes[] = {{"sm_70", 64},   {"sm_75", 64},  {"sm_80", 64},  {"sm_86", 128},
                            {"sm_87", 128},  {"sm_89", 128}, {"sm_90", 128}, {"sm_100", 128},
                            {"sm_103", 128}, {"sm_120", 128}};

double value_of(const model::Profile &profile, const char *name) {
  const auto found = profile.counters.find(name);
  return found == profile.counters.end() ? 0 : found->second;
}

/// Utilisation of the busiest of arithmetic units, instruction issue and tensor cores.
double compute_share(const model::Profile &profile, const model::DeviceReport &device, double seconds) {
  const double peak = peak_flops(device);
  double arithmetic = 0;
  for (const OperationMetric &metric : kOperations)
    if (peak > 0)
      arithmetic += value_of(profile, metric.name) * metric.operations / (peak * metric.peak_factor);
  const double issue = value_of(profile, kIssueShare) / 100, tensor = value_of(profile, kTensorShare) / 100;
  return std::max({seconds > 0 ? arithmetic / seconds : 0, issue, tensor});
}

std::string class_of(double memory, double compute) {
  // If both shares are below this, the kernel is latency-bound.
  if (std::max(memory, compute) < model::kBoundShare) return "latency-bound";
  return memory >= compute ? "memory-bound" : "compute-bound";
}

}  // namespace

const std::vector<std::string> &profile_metrics() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{kTime,
                                 "sm__cycles_elapsed.avg",
                                 kDramBytes,
                                 "lts__t_bytes.sum",
                                 "l1tex__t_bytes.sum",
                                 "l1tex__t_sector_hit_rate.pct",
                                 "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
                                 "dram__throughput.avg.pct_of_peak_sustained_elapsed",
                                 "sm__warps_active.avg.pct_of_peak_sustained_active",
                                 kIssueShare,
                                 kTensorShare};
    for (const OperationMetric &metric : kOperations) all.emplace_back(metric.name);
    return all;
  }();
  return names;
}

double peak_flops(const model::DeviceReport &device) {
  const auto known = std::find_if(std::begin(kLanes), std::end(kLanes), [&](const Lanes &lanes) {
    return device.architecture == lanes.architecture;
  });
  if (known == std::end(kLanes)) return 0;
  return 2.0 * known->lanes * device.multiprocessors * device.sm_clock_mhz * 1e6;
}

void digest(model::Profile &profile, const model::DeviceReport &device, const TimedTraffic &traffic) {
  const bool counted = !profile.counters.empty();
  const double seconds = traffic.time_us > 0 ? traffic.time_us * 1e-6 : value_of(profile, kTime) * 1e-9;
  if (seconds <= 0) return;
  const double bytes = std::max(value_of(profile, kDramBytes), traffic.bytes_moved);
  if (device.copy_bandwidth_gbs > 0)
    profile.memory_share = bytes / seconds / (device.copy_bandwidth_gbs * 1e9);
  if (counted) profile.compute_share = compute_share(profile, device, seconds);
  profile.roofline_class = class_of(profile.memory_share, profile.compute_share);
}

}  // namespace cupilot::judge::time
