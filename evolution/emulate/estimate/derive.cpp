// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/estimate/derive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cupilot::emulate::estimate {

namespace {

using Place = std::map<std::string, double>;

/// L1 bytes that remain with the largest shared memory, the same on every architecture so far.
constexpr double kLeastL1 = 28 << 10;
/// Cycles that the instructions of a block take in a kernel that stores one word per thread.
constexpr double kShortBlockCycles = 150;
/// Latency grows with the square of memory's utilisation u: (1 + kQueue u^2). From dram_read, "persistent",
/// width 4, two loads: 841, 889, 1010 cycles a turn of the loop at u = 0.14, 0.26, 0.46.
constexpr double kQueue = 0.9;
/// Cycles that the loop around a chain of dependent instructions adds to each of them, in the latency
/// experiments.
constexpr double kLoopCycles = 2.5;

class Derivation {
public:
  explicit Derivation(const CalibrationFigures &calibration) : from_(calibration) {}

  void sizes();
  void memory();
  void caches();
  void units();
  void latencies();
  void sequences();
  void tensor();
  void blocks();
  void atomics();

  std::map<std::string, double> values;
  std::string missing;

private:
  double figure(const std::string &name, const Place &at = {}) {
    for (const auto &one : from_.figures)
      if (one.name == name && std::ranges::all_of(at, [&](const auto &wanted) {
            const auto found = one.at.find(wanted.first);
            return found != one.at.end() && std::abs(found->second - wanted.second) < 0.5;
          }))
        return one.value;
    if (missing.empty()) missing = name;
    return 1;
  }
  double property(const std::string &name) {
    const auto found = from_.properties.find(name);
    if (found == from_.properties.end() && missing.empty()) missing = name;
    return found == from_.properties.end() ? 1 : found->second;
  }
  double launch_ns() { return figure("launch_empty") * 1e3; }
  /// A rate (work per nanosecond) without the time of the launch itself.
  double without_launch(double rate, double work) { return work / std::max(1.0, work / rate - launch_ns()); }

  const CalibrationFigures &from_;
};

void Derivation::sizes() {
  for (const char *same : {"multiprocessors", "max_threads_per_multiprocessor",
                           "max_blocks_per_multiprocessor", "registers_per_multiprocessor",
                           "shared_bytes_per_multiprocessor", "reserved_shared_bytes_per_block", "l2_bytes"})
    values[same] = property(same);
  values["l1_bytes"] = property("shared_bytes_per_multiprocessor") + kLeastL1;
  values["clock_ghz"] = figure("clock");
}

void Derivation::memory() {
  constexpr double kBytes = 256 << 20, kStride = 32;
  values["dram_gbs"] = from_.copy_bandwidth_gbs;
  double best = 0;
  for (const auto &one : from_.figures)
    if (one.name == "dram_read") best = std::max(best, one.value);
  // During the reads, the lines written by the flush are evicted from the L2.
  const double dirty = kDirtyL2 * property("l2_bytes"), time = kBytes / std::max(best, 1.0) - launch_ns();
  values["dram_read_gbs"] = std::max(from_.copy_bandwidth_gbs, (kBytes + dirty) / std::max(time, 1.0));
  const double isolated = without_launch(figure("stride_read", {{"stride", kStride}}), kBytes / 4 / kStride);
  values["dram_isolated_bytes"] = std::max(32.0, values["dram_read_gbs"] / isolated);
  values["dram_latency_cycles"] = figure("latency_dram");
  values["dram_queue_cycles"] = kQueue * figure("latency_dram");
}

void Derivation::caches() {
  // The largest size that fits, where the fixed costs of a launch matter least.
  double largest = 0;
  for (const auto &one : from_.figures)
    if (one.name == "l2_read" && one.at.contains("bytes") && one.at.at("bytes") < 0.85 * property("l2_bytes"))
      largest = std::max(largest, one.at.at("bytes"));
  constexpr double kRounds = 8;
  const Place at{{"bytes", largest}, {"width", 16}};
  values["l2_read_gbs"] = without_launch(figure("l2_read", at), largest * kRounds);
  values["l2_write_gbs"] = without_launch(figure("l2_write", at), largest * kRounds);
  values["l2_partial_writes_per_ns"] = figure("column_write", {{"stride", 8192}});
  values["l2_isolated_per_ns"] = figure("random_read", {{"words", 4 << 20}});
  values["l2_share"] = 0.7;
  values["l2_latency_cycles"] = figure("latency_l2");
  values["l1_latency_cycles"] = figure("latency_l1");
  values["l1_wavefront_cycles"] = figure("l1_read", {{"width", 4}, {"stride", 32}}) / program::kLanes;
  values["shared_wavefront_cycles"] = figure("shared_read", {{"width", 4}, {"stride", 32}}) / program::kLanes;
  values["lsu_request_cycles"] = std::max(
      0.0, figure("shared_read", {{"width", 16}, {"stride", 1}}) - 4 * values["shared_wavefront_cycles"]);
  values["shared_latency_cycles"] = figure("latency_shared");
}

void Derivation::units() {
  constexpr std::pair<const char *, const char *> kSame[] = {
      {"fma_cycles", "throughput_f32_fma"},        {"alu_cycles", "throughput_f32_max"},
      {"imad_cycles", "throughput_s32_mad"},       {"fp64_cycles", "throughput_f64_fma"},
      {"half2_cycles", "throughput_f16x2_fma"},    {"special_cycles", "throughput_f32_sin_fast"},
      {"convert_cycles", "throughput_f32_to_s32"}, {"bits_cycles", "throughput_popcount"},
      {"shuffle_cycles", "throughput_shuffle"},    {"reduce_cycles", "throughput_reduce_add"}};
  for (const auto &[key, name] : kSame) values[key] = figure(name);
}

void Derivation::latencies() {
  const auto chain = [&](const char *name) { return std::max(1.0, figure(name) - kLoopCycles); };
  values["alu_latency_cycles"] = chain("latency_f32_fma");
  values["fp64_latency_cycles"] = chain("latency_f64_fma");
  values["special_latency_cycles"] = chain("latency_f32_sin_fast");
  values["shuffle_latency_cycles"] = chain("latency_shuffle");
}

void Derivation::sequences() {
  const double slots = 4;  // a multiprocessor issues four instructions a cycle
  values["f32_division_issues"] = figure("throughput_f32_div") * slots;
  values["f32_root_issues"] = figure("throughput_f32_sqrt") * slots;
  values["f64_division_issues"] = figure("throughput_f64_div") / std::max(0.1, figure("throughput_f64_fma"));
  const double division =
      (figure("throughput_s32_div") + figure("throughput_u32_div") + figure("throughput_u32_mod")) / 3;
  values["integer_division_issues"] = 2 * division / std::max(0.1, figure("throughput_f32_max"));
  // The experiment's small numbers take the short path of the routine; the full path is a little over twice
  // as long.
  values["long_division_issues"] = 2.3 * values["integer_division_issues"];
}

void Derivation::tensor() {
  for (const char *kind : {"f16", "tf32", "f64", "s8"})
    for (const auto &one : from_.figures)
      if (one.name == std::string("mma_") + kind && one.at.contains("operations"))
        values[fmt::format("mma_{}_flops_per_cycle", kind)] =
            one.at.at("operations") / std::max(one.value, 1e-3);
  if (!values.contains("mma_f16_flops_per_cycle") && missing.empty()) missing = "mma_f16";
}

void Derivation::blocks() {
  const double one_warp = figure("barrier", {{"threads", 32}}), all = figure("barrier", {{"threads", 1024}});
  values["barrier_warp_cycles"] = (all - one_warp) / 31;
  values["barrier_cycles"] = std::max(1.0, one_warp - values["barrier_warp_cycles"]);
  values["blocks_per_ns"] = figure("blocks_empty", {{"threads", 256}, {"shared", 0}});
  values["launch_us"] = figure("launch_empty");
  // Blocks that store one word per thread, one resident at a time: a block's time is mostly its start.
  constexpr double kBytes = 256 << 20, kThreads = 256;
  const double rate = figure("dram_write", {{"width", 4}, {"loads", 1}, {"warps", 8}, {"persistent", 0}});
  const double each = (kBytes / rate - launch_ns()) / (kBytes / 4 / kThreads / property("multiprocessors"));
  values["block_start_cycles"] = std::max(50.0, each * figure("clock") - kShortBlockCycles);
}

void Derivation::atomics() {
  values["atomic_same_integer_ns"] = 1 / figure("atomic_add_s32", {{"places", 1}});
  values["atomic_same_float_ns"] = 1 / figure("atomic_add_f32", {{"places", 1}});
  values["atomics_per_ns"] = figure("atomic_add_s32", {{"places", 1 << 20}});
  values["shared_atomic_cycles"] = figure("shared_add_s32", {{"places", 4096}});
  values["shared_atomic_same_cycles"] = figure("shared_add_s32", {{"places", 1}}) / program::kLanes;
  values["shared_float_atomic_cycles"] = figure("shared_add_f32", {{"places", 4096}});
  values["shared_float_atomic_same_cycles"] =
      std::max(0.0,
               figure("shared_add_f32", {{"places", 1}}) - figure("shared_add_f32", {{"places", 4096}})) /
      (program::kLanes - 1);
}

}  // namespace

Result<DeviceTable> derive_table(const CalibrationFigures &calibration, std::string source) {
  Derivation derivation(calibration);
  derivation.sizes();
  derivation.memory();
  derivation.caches();
  derivation.units();
  derivation.latencies();
  derivation.sequences();
  derivation.tensor();
  derivation.blocks();
  derivation.atomics();
  if (!derivation.missing.empty())
    return fail(
        fmt::format("the calibration has no figure '{}'; run 'cupilot calibrate' again", derivation.missing));
  DeviceTable table{calibration.device, calibration.architecture, std::move(source),
                    std::move(derivation.values)};
  for (const DeviceKey &key : device_keys())
    if (!table.values.contains(key.name))
      return fail(fmt::format("the calibration gives no value for '{}'", key.name));
  return table;
}

}  // namespace cupilot::emulate::estimate
