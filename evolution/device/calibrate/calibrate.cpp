// SPDX-License-Identifier: Apache-2.0
#include "evolution/device/calibrate/calibrate.h"

#include <algorithm>

#include "evolution/device/calibrate/calibrate_experiment.h"
#include "evolution/device/kernels/cuda_call.h"
#include "evolution/device/timing/stopwatch.h"
#include "evolution/judge/launches/device_turn.h"
#include "evolution/judge/launches/session.h"

namespace cupilot::device::calibrate {

namespace {

constexpr int kSamples = 5;
constexpr std::uint64_t kMostBytes = 512u << 20;

/// Memory, stream and clocks of all experiments.
class Laboratory {
public:
  static Result<std::unique_ptr<Laboratory>> make(const model::DeviceReport &device);
  ~Laboratory();
  Laboratory(const Laboratory &) = delete;
  Laboratory &operator=(const Laboratory &) = delete;

  const Bench &bench() const { return bench_; }
  Result<double> value_of(const Experiment &experiment);

private:
  Laboratory() = default;
  Result<double> sample(const Experiment &experiment);  ///< seconds, or cycles
  Result<double> warm_seconds(const Experiment &experiment);

  Bench bench_;
  std::unique_ptr<timing::Stopwatch> stopwatch_;
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

Result<int> attribute(cudaDeviceAttr which) {
  int value = 0;
  CUPILOT_CUDA("asking for a device attribute", cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

Result<std::unique_ptr<Laboratory>> Laboratory::make(const model::DeviceReport &device) {
  std::unique_ptr<Laboratory> made(new Laboratory);
  Bench &bench = made->bench_;
  bench.bytes = std::min<std::uint64_t>(kMostBytes, device.memory_bytes / 8 >> 20 << 20);
  bench.multiprocessors = device.multiprocessors;
  bench.l2_bytes = device.l2_bytes;
  CUPILOT_TRY(threads, attribute(cudaDevAttrMaxThreadsPerMultiProcessor));
  CUPILOT_TRY(shared, attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor));
  CUPILOT_TRY(block, attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  bench.threads_per_multiprocessor = threads;
  bench.shared_per_multiprocessor = shared;
  bench.shared_per_block = block;
  CUPILOT_CUDA("creating a stream", cudaStreamCreateWithFlags(&bench.stream, cudaStreamNonBlocking));
  CUPILOT_CUDA("allocating buffers", kernels::device_allocate(&bench.from, bench.bytes));
  CUPILOT_CUDA("allocating buffers", kernels::device_allocate(&bench.to, bench.bytes));
  CUPILOT_CUDA("allocating the counter", kernels::device_allocate(&bench.cycles, sizeof(long long)));
  CUPILOT_CUDA("clearing buffers", cudaMemsetAsync(bench.to, 0, bench.bytes, bench.stream));
  CUPILOT_CUDA("creating events", cudaEventCreate(&made->start_));
  CUPILOT_CUDA("creating events", cudaEventCreate(&made->stop_));
  CUPILOT_TRY(watch, timing::Stopwatch::make(bench.stream, device.l2_bytes, device.multiprocessors));
  made->stopwatch_ = std::move(watch);
  return made;
}

Laboratory::~Laboratory() {
  (void)cudaFree(bench_.from);
  (void)cudaFree(bench_.to);
  (void)cudaFree(bench_.cycles);
  (void)cudaEventDestroy(start_);
  (void)cudaEventDestroy(stop_);
  stopwatch_.reset();
  (void)cudaStreamDestroy(bench_.stream);
}

/// The first launch warms the caches and keeps the device busy until everything is queued.
Result<double> Laboratory::warm_seconds(const Experiment &experiment) {
  CUPILOT_CUDA("launching", experiment.launch(bench_));
  CUPILOT_CUDA("recording an event", cudaEventRecord(start_, bench_.stream));
  CUPILOT_CUDA("launching", experiment.launch(bench_));
  CUPILOT_CUDA("recording an event", cudaEventRecord(stop_, bench_.stream));
  CUPILOT_CUDA("running an experiment", cudaStreamSynchronize(bench_.stream));
  float milliseconds = 0;
  CUPILOT_CUDA("reading events", cudaEventElapsedTime(&milliseconds, start_, stop_));
  return static_cast<double>(milliseconds) * 1e-3;
}

Result<double> Laboratory::sample(const Experiment &experiment) {
  if (experiment.timing == Timing::warm) return warm_seconds(experiment);
  CUPILOT_TRY(cold,
              stopwatch_->cold([&] { return kernels::cuda_result(experiment.launch(bench_), "launching"); }));
  if (experiment.timing == Timing::cold) return cold.time_us * 1e-6;
  long long cycles = 0;
  CUPILOT_CUDA("reading the counter",
               cudaMemcpy(&cycles, bench_.cycles, sizeof cycles, cudaMemcpyDeviceToHost));
  return static_cast<double>(cycles);
}

Result<double> Laboratory::value_of(const Experiment &experiment) {
  if (experiment.prepare) CUPILOT_CUDA("preparing an experiment", experiment.prepare(bench_));
  CUPILOT_CUDA("launching", experiment.launch(bench_));  // loads the module outside the timing
  std::vector<double> samples;
  for (int i = 0; i < kSamples; ++i) {
    CUPILOT_TRY(one, sample(experiment));
    samples.push_back(one);
  }
  std::ranges::nth_element(samples, samples.begin() + kSamples / 2);
  const double median = std::max(samples[kSamples / 2], 1e-12);
  return (experiment.rate ? experiment.work / median : median / experiment.work) * experiment.scale;
}

Result<std::map<std::string, double>> device_properties() {
  cudaDeviceProp properties{};
  CUPILOT_CUDA("asking for the device's properties", cudaGetDeviceProperties(&properties, 0));
  std::map<std::string, double> found{
      {"multiprocessors", properties.multiProcessorCount},
      {"max_threads_per_multiprocessor", properties.maxThreadsPerMultiProcessor},
      {"max_blocks_per_multiprocessor", properties.maxBlocksPerMultiProcessor},
      {"registers_per_multiprocessor", properties.regsPerMultiprocessor},
      {"shared_bytes_per_multiprocessor", static_cast<double>(properties.sharedMemPerMultiprocessor)},
      {"shared_bytes_per_block", static_cast<double>(properties.sharedMemPerBlockOptin)},
      {"reserved_shared_bytes_per_block", static_cast<double>(properties.reservedSharedMemPerBlock)},
      {"l2_bytes", properties.l2CacheSize},
      {"memory_bytes", static_cast<double>(properties.totalGlobalMem)},
      {"memory_bus_bits", properties.memoryBusWidth},
  };
  for (const auto &[name, which] : {std::pair{"rated_sm_clock_mhz", cudaDevAttrClockRate},
                                    std::pair{"rated_memory_clock_mhz", cudaDevAttrMemoryClockRate}}) {
    CUPILOT_TRY(khz, attribute(which));
    found[name] = khz / 1e3;
  }
  return found;
}

/// Returns false when the device no longer answers: after such an error CUDA is unusable in this process.
bool run_group(const std::vector<Experiment> &group, Laboratory &laboratory,
               const std::function<void(const std::string &)> &progress, Calibration &found) {
  if (fill_random(laboratory.bench()) != cudaSuccess) return false;
  for (const Experiment &experiment : group) {
    progress(experiment.name);
    const auto value = laboratory.value_of(experiment);
    if (value)
      found.figures.push_back({experiment.name, experiment.at, experiment.unit, *value});
    else
      found.failed.push_back(experiment.name + ": " + value.error().message);
    if (!value && cudaStreamSynchronize(laboratory.bench().stream) != cudaSuccess) return false;
  }
  return true;
}

}  // namespace

Result<Calibration> calibrate(judge::launches::DeviceSession &session,
                              const std::function<void(const std::string &)> &progress) {
  using judge::launches::DeviceTurn;
  const auto turn = DeviceTurn::take(session.report().bus_id, DeviceTurn::Use::alone);
  Calibration found;
  CUPILOT_TRY(bandwidth, session.copy_bandwidth_gbs());
  found.device = session.report();
  found.device.copy_bandwidth_gbs = bandwidth;
  found.device.bus_id.clear();  // the figures are of all devices of this model
  CUPILOT_TRY(properties, device_properties());
  found.properties = std::move(properties);
  CUPILOT_TRY(laboratory, Laboratory::make(found.device));
  constexpr std::vector<Experiment> (*kGroups[])(const Bench &) = {
      launch_experiments,  compute_experiments, cache_experiments,  stream_experiments,
      pattern_experiments, atomic_experiments,  latency_experiments};
  for (const auto group : kGroups)
    if (!run_group(group(laboratory->bench()), *laboratory, progress, found)) break;
  return found;
}

}  // namespace cupilot::device::calibrate
