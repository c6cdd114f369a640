// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/time/sampling.h"

#include <fmt/format.h>

#include <algorithm>

#include "evolution/judge/time/statistics.h"

namespace cupilot::judge::time {

namespace {

/// After this many throttled pairs in a row the device is taken to be that slow, and all samples are kept.
constexpr int kMostThrottled = 20;
/// The time limit may be exceeded by this factor to get enough samples; then measuring ends in any case.
constexpr double kCapSlack = 3;
/// Evaluating the samples costs time, and every evaluation is another chance of a random result. The next one
/// comes after this many more samples, or this share more.
constexpr std::size_t kBetweenLooks = 10, kLookShare = 8;

/// The error of the interval centre, which the decision uses. The mean is too sensitive to single late
/// samples.
double error_of(const model::SampleSet &set) {
  if (set.samples_us.empty()) return 1;
  const TimeInterval interval = interval_of(set.samples_us);
  return interval.centre > 0 ? interval.error / interval.centre : 1;
}

}  // namespace

bool Sampling::is_throttled(const Sample &sample) const {
  return sample.sm_clock_mhz > 0 && sample.sm_clock_mhz < kThrottledShare * limits_.rated_mhz;
}

void Sampling::add(const Sample &original, const Sample &candidate) {
  const bool throttled = is_throttled(original) || is_throttled(candidate);
  throttled_in_a_row_ = throttled ? throttled_in_a_row_ + 1 : 0;
  if (throttled_in_a_row_ > kMostThrottled) keep_all_ = true;
  const auto put = [&](model::SampleSet &set, const Sample &sample) {
    if (!throttled || keep_all_) {
      set.samples_us.push_back(sample.time_us);
      set.sm_clock_mhz.push_back(sample.sm_clock_mhz);
      return;
    }
    const Sample &slow = is_throttled(original) ? original : candidate;
    set.dropped.push_back(
        {sample.time_us, fmt::format("sm clock of the pair {:.0f} MHz, {:.0f} % of the rated one",
                                     slow.sm_clock_mhz, 100 * slow.sm_clock_mhz / limits_.rated_mhz)});
  };
  put(original_, original);
  put(candidate_, candidate);
}

bool Sampling::enough(double seconds) {
  const std::size_t samples = original_.samples_us.size();
  const bool out_of_time = seconds >= (samples >= kLeastSamples ? 1 : kCapSlack) * limits_.seconds;
  if (samples < next_look_ && samples < kMostSamples && !out_of_time) return false;
  if (samples < kLeastSamples && !out_of_time) return false;
  next_look_ = samples + std::max(kBetweenLooks, samples / kLookShare);
  const double error = std::max(error_of(original_), error_of(candidate_));
  const std::string told = fmt::format("relative error {:.2f} %", 100 * error);
  if (out_of_time && samples < kLeastSamples)
    return stop(fmt::format("time cap {:.3g} s, too few samples", seconds));
  if (error <= limits_.relative_error && is_settled(original_, candidate_)) return stop(told);
  if (out_of_time) return stop(fmt::format("time cap {:.3g} s at {}", limits_.seconds, told));
  if (samples >= kMostSamples) return stop(fmt::format("{} samples at {}", samples, told));
  return false;
}

bool Sampling::stop(std::string reason) {
  stopped_because_ = std::move(reason) + (keep_all_ ? ", throttled samples kept" : "");
  return true;
}

}  // namespace cupilot::judge::time
