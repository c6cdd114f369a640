// SPDX-License-Identifier: Apache-2.0
//
// Original and candidate, turn by turn in random order, each on a cold cache, until both means are known well
// enough. Throttled samples are put aside with the numbers that condemned them.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "evolution/device/cuda_call.h"
#include "evolution/device/input_rule.h"
#include "evolution/device/session_cuda.h"
#include "evolution/judge/statistics.h"

namespace cupilot {

namespace {

using Clock = std::chrono::steady_clock;

/// After this many throttled pairs in a row the device just is that slow: samples are kept from then on.
constexpr int kMostThrottled = 20;
/// The cap is kept within a factor, even if that leaves too few samples for an answer.
constexpr double kCapSlack = 3;
constexpr std::size_t kMostSamples = 2000;
/// Raises the clocks before the first sample; an idle device needs some tens of milliseconds.
constexpr auto kWarmUp = std::chrono::milliseconds(50);
/// A batch long enough that the host's own latencies do not matter.
constexpr double kBatchUs = 5000;
constexpr int kLeastBatch = 4, kMostBatch = 200;

std::string percent(const char *format, double value) {
  char text[80];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What one pair of samples adds, and when the pairs are enough.
class Samples {
public:
  Samples(TimingReport &report, const TimingOptions &options, double rated_mhz)
      : report_(report), options_(options), rated_mhz_(rated_mhz) {}

  void add(const Sample &original, const Sample &candidate) {
    const bool throttled = is_throttled(original) || is_throttled(candidate);
    throttled_in_a_row_ = throttled ? throttled_in_a_row_ + 1 : 0;
    if (throttled_in_a_row_ > kMostThrottled) keep_all_ = true;
    put(report_.original, original);
    put(report_.candidate, candidate);
  }

  bool enough() {
    const double error =
        std::max(relative_error(report_.original.samples_us), relative_error(report_.candidate.samples_us));
    const std::size_t samples =
        std::min(report_.original.samples_us.size(), report_.candidate.samples_us.size());
    const double spent = seconds_since(start_);
    if (samples >= kLeastSamples && error <= options_.relative_error)
      return stop(percent("relative error %.2f %%", 100 * error));
    if (samples >= kLeastSamples && spent >= options_.seconds)
      return stop(percent("time cap %.3g s", options_.seconds) +
                  percent(" at relative error %.2f %%", 100 * error));
    if (spent >= kCapSlack * options_.seconds)
      return stop(percent("time cap %.3g s, too few samples", spent));
    if (samples >= kMostSamples)
      return stop(std::to_string(samples) + " samples" + percent(" at relative error %.2f %%", 100 * error));
    return false;
  }

private:
  bool is_throttled(const Sample &sample) const {
    return sample.sm_clock_mhz > 0 && sample.sm_clock_mhz < kThrottledShare * rated_mhz_;
  }
  void put(SampleSet &set, const Sample &sample) {
    if (is_throttled(sample) && !keep_all_) {
      set.dropped.push_back(
          {sample.time_us, percent("sm clock %.0f MHz,", sample.sm_clock_mhz) +
                               percent(" %.0f %% of the rated one", 100 * sample.sm_clock_mhz / rated_mhz_)});
      return;
    }
    set.samples_us.push_back(sample.time_us);
    set.sm_clock_mhz.push_back(sample.sm_clock_mhz);
  }
  bool stop(std::string reason) {
    report_.stopped_because = std::move(reason) + (keep_all_ ? ", throttled samples kept" : "");
    return true;
  }

  TimingReport &report_;
  const TimingOptions &options_;
  double rated_mhz_;
  Clock::time_point start_ = Clock::now();
  int throttled_in_a_row_ = 0;
  bool keep_all_ = false;
};

}  // namespace

Stopwatch::Launch CudaSession::launcher(Entry &entry, const Case &which, CaseMemory &memory) {
  return [this, &entry, &which, &memory]() -> Result<> {
    CUPILOT_TRY(answer, call(entry, which, memory));
    if (answer == Answer::declined) return fail("declined");
    return {};
  };
}

/// The first launches load modules and grow pools, both of which wait for the device: they must not be held.
Result<> CudaSession::warm_up(Entry &original, Entry &candidate, const Case &which, TimingReport &report) {
  CUPILOT_TRY(answer, call(candidate, which));
  report.declined = answer == Answer::declined;
  if (report.declined) return {};
  const auto end = Clock::now() + kWarmUp;
  do {
    CUPILOT_CHECKED(memory_->restore());
    CUPILOT_CHECKED(launcher(original, which)());
    CUPILOT_CHECKED(memory_->restore());
    CUPILOT_CHECKED(launcher(candidate, which)());
    CUPILOT_CHECKED(stopwatch_->flush());
    CUPILOT_CUDA("warming up", cudaStreamSynchronize(stream_));
  } while (Clock::now() < end);
  return {};
}

/// Buffers that are read and written get their first content before every launch (a counter in one would run
/// away); the batch then holds more than launches, and its time a launch says nothing.
Result<> CudaSession::check_batch(Entry &candidate, const Case &which, TimingReport &report) {
  const double median = std::max(report.candidate.median_us, 0.5);
  const int count = std::clamp(static_cast<int>(kBatchUs / median), kLeastBatch, kMostBatch);
  const bool restoring = memory_->has_inouts();
  const Stopwatch::Launch launch = launcher(candidate, which);
  const Stopwatch::Launch launch_restored = [&]() -> Result<> {
    CUPILOT_CHECKED(memory_->restore());
    return launch();
  };
  CUPILOT_TRY(batch, stopwatch_->batch(restoring ? launch_restored : launch, count));
  report.events_us = batch.events_us;
  report.wall_us = batch.wall_us;
  report.batch = restoring ? 0 : count;
  return {};
}

Result<TimingReport> CudaSession::time(Entry &original, Entry &candidate,
                                       const std::vector<Parameter> &parameters, const Setting &setting,
                                       const TimingOptions &options, std::span<std::byte> dump) {
  TimingReport report;
  CUPILOT_CHECKED(start_stopwatch());
  CUPILOT_CHECKED(memory_->prepare(parameters, setting));
  CUPILOT_CHECKED(memory_->keep_inouts());
  const Case &which = *setting.which;
  CUPILOT_CHECKED(warm_up(original, candidate, which, report));
  if (report.declined) return report;

  const auto sample = [&](Entry &entry) -> Result<Sample> {
    CUPILOT_CHECKED(memory_->restore());
    return stopwatch_->cold(launcher(entry, which));
  };
  Samples samples(report, options, report_.sm_clock_mhz);
  for (std::uint64_t pair = 0; !samples.enough(); ++pair) {
    const bool original_first = input_bits(options.order_seed, pair) & 1;
    CUPILOT_TRY(first, sample(original_first ? original : candidate));
    CUPILOT_TRY(second, sample(original_first ? candidate : original));
    report.synchronised = (original_first ? second : first).synchronised;
    if (report.synchronised) return report;
    samples.add(original_first ? first : second, original_first ? second : first);
  }
  summarise(report.original);
  summarise(report.candidate);
  CUPILOT_CHECKED(check_batch(candidate, which, report));
  CUPILOT_TRY(last, sample(candidate));
  report.synchronised = last.synchronised;
  CUPILOT_CHECKED(memory_->dump(dump));
  return report;
}

}  // namespace cupilot
