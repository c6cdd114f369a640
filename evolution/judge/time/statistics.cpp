// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/time/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace cupilot::judge::time {

namespace {

double mean_of(std::span<const double> samples) {
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

double deviation_of(std::span<const double> samples, double mean) {
  if (samples.size() < 2) return 0;
  double squares = 0;
  for (const double sample : samples) squares += (sample - mean) * (sample - mean);
  return std::sqrt(squares / static_cast<double>(samples.size() - 1));
}

/// Ratio of the standard error of the median to that of the mean, for normal data: sqrt(pi / 2).
constexpr double kMedianFactor = 1.2533;
/// Number of standard errors that count as certain: to stop measuring, and to tell clocks or means apart.
constexpr double kSurely = 2.5, kClearly = 2;
/// A difference is reported when it is known to a tenth of itself, or with this error. The first evaluation
/// that finds a difference tends to overestimate it.
constexpr double kShareOfDifference = 0.1, kClearError = 0.0015;
/// With an error this small, more samples do not help.
constexpr double kFineError = 0.0004;
/// A sample is late if it exceeds the upper quartile by this many interquartile ranges and by this share. The
/// cause is an interrupt or another process, not the kernel.
constexpr double kLateRanges = 3, kLateShare = 0.1;

double mean_below(std::vector<double> samples, double limit) {
  const double least = *std::ranges::min_element(samples);
  std::erase_if(samples, [&](double sample) { return sample > limit; });
  return samples.empty() ? least : mean_of(samples);
}

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return quantile(values, 0.5);
}

/// Returns the limit for late samples, relative to the median of their side. Both sides share one limit. With
/// separate limits, a slow mode with a quarter of the samples could count as kernel time on one side and as
/// late on the other.
double lateness(std::span<const double> one, std::span<const double> other) {
  std::vector<double> relative;
  for (const auto &samples : {one, other}) {
    const double median = median_of({samples.begin(), samples.end()});
    for (const double sample : samples) relative.push_back(sample / median);
  }
  std::sort(relative.begin(), relative.end());
  const double q1 = quantile(relative, 0.25), q3 = quantile(relative, 0.75);
  return q3 + std::max(kLateRanges * (q3 - q1), kLateShare * q3);
}

/// Two consecutive samples (each side was launched first in one of them) go into the same group, the next two
/// into another. The order of groups changes from round to round, so periodic effects (such as rotating sets
/// of buffers) are spread over all groups.
std::vector<double> group_values(std::span<const double> samples, double late) {
  if (samples.size() < 2 * kGroups) return {samples.begin(), samples.end()};
  std::vector<std::vector<double>> groups(kGroups);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::size_t two = i / 2, round = two / kGroups;
    groups[(two + round * (round + 1) / 2) % kGroups].push_back(samples[i]);
  }
  std::vector<double> values;
  const double limit = late * median_of({samples.begin(), samples.end()});
  for (auto &group : groups) values.push_back(mean_below(std::move(group), limit));
  return values;
}

double apart(double a, double b) {
  return std::max(a, b) / std::min(a, b) - 1;
}

TimeInterval grouped_interval(std::span<const double> samples, double late) {
  const std::vector<double> values = group_values(samples, late);
  std::vector<double> sorted = values, even, odd;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < values.size(); ++i) (i % 2 ? odd : even).push_back(values[i]);
  TimeInterval interval{sorted.front(), quantile(sorted, 0.5), quantile(sorted, 0.75)};
  interval.error =
      kMedianFactor * deviation_of(values, mean_of(values)) / std::sqrt(static_cast<double>(values.size()));
  if (!odd.empty()) interval.noise = apart(median_of(even), median_of(odd));
  return interval;
}

/// Both sides of one comparison.
struct Pair {
  TimeInterval original, candidate;
  double difference = 0;  ///< relative difference of the centres, symmetric
  double error = 0;       ///< standard error of the difference
  double noise = 0;
};

Pair pair_of(const model::SampleSet &original, const model::SampleSet &candidate) {
  const double late = lateness(original.samples_us, candidate.samples_us);
  Pair pair{grouped_interval(original.samples_us, late), grouped_interval(candidate.samples_us, late)};
  pair.difference = apart(pair.original.centre, pair.candidate.centre);
  pair.error =
      std::hypot(pair.original.error / pair.original.centre, pair.candidate.error / pair.candidate.centre);
  pair.noise = std::max(pair.original.noise, pair.candidate.noise);
  return pair;
}

/// The factor by which the clock of `set` was certainly higher than that of `other`; at least 1.
double clock_advantage(const model::SampleSet &set, const model::SampleSet &other) {
  const auto known = [](const model::SampleSet &of) {
    std::vector<double> clocks;
    for (const double clock : of.sm_clock_mhz)
      if (clock > 0) clocks.push_back(clock);
    return clocks;
  };
  const auto mine = known(set), theirs = known(other);
  if (std::min(mine.size(), theirs.size()) < kLeastSamples) return 1;
  const double error = std::hypot(relative_error(mine), relative_error(theirs));
  return std::max(1.0, mean_of(mine) / mean_of(theirs) - kClearly * error);
}

/// The upper tail usually comes from the machine. If it is much heavier on one side, it comes from the
/// kernel: a kernel that is slow in every fourth launch also has a low interval.
bool has_clearly_higher_mean(const model::SampleSet &set, const model::SampleSet &other) {
  const double mean = mean_of(set.samples_us), others = mean_of(other.samples_us);
  const double error =
      std::hypot(relative_error(set.samples_us) * mean, relative_error(other.samples_us) * others);
  return mean - others > kClearly * error;
}

/// Whether `fast` takes less time than `slow`: the intervals are apart, also in clock cycles, and the means
/// agree.
bool is_faster(const model::SampleSet &fast, const TimeInterval &fast_interval, const model::SampleSet &slow,
               const TimeInterval &slow_interval, double gap) {
  const double high = fast_interval.high * (1 + gap) * clock_advantage(fast, slow);
  return high <= slow_interval.low && !has_clearly_higher_mean(fast, slow);
}

bool are_narrow_and_overlap(const TimeInterval &a, const TimeInterval &b) {
  const auto narrow = [](const TimeInterval &i) { return i.high - i.low <= kNarrowInterval * i.centre; };
  return narrow(a) && narrow(b) && a.low <= b.high && b.low <= a.high;
}

bool are_times(const model::SampleSet &set) {
  return !set.samples_us.empty() &&
         std::ranges::all_of(set.samples_us, [](double us) { return std::isfinite(us) && us > 0; });
}

bool is_measurable(const model::SampleSet &original, const model::SampleSet &candidate) {
  return are_times(original) && are_times(candidate) &&
         std::min(original.samples_us.size(), candidate.samples_us.size()) >= kLeastSamples;
}

}  // namespace

double quantile(std::span<const double> sorted, double share) {
  const double rank = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (rank - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

void summarise(model::SampleSet &set) {
  if (set.samples_us.empty()) return;
  std::vector<double> sorted = set.samples_us;
  std::sort(sorted.begin(), sorted.end());
  set.min_us = sorted.front();
  set.q1_us = quantile(sorted, 0.25);
  set.median_us = quantile(sorted, 0.5);
  set.q3_us = quantile(sorted, 0.75);
  set.mean_us = mean_of(sorted);
  set.stdev_us = deviation_of(sorted, set.mean_us);
}

double relative_error(std::span<const double> samples) {
  if (samples.size() < 2) return std::numeric_limits<double>::infinity();
  const double mean = mean_of(samples);
  if (mean <= 0) return std::numeric_limits<double>::infinity();
  return deviation_of(samples, mean) / std::sqrt(static_cast<double>(samples.size())) / mean;
}

TimeInterval interval_of(std::span<const double> samples) {
  return grouped_interval(samples, lateness(samples, samples));
}

model::VerdictKind compare_times(const model::SampleSet &original, const model::SampleSet &candidate) {
  if (!is_measurable(original, candidate)) return model::VerdictKind::unsure;
  const Pair pair = pair_of(original, candidate);
  const double gap = std::max(kIntervalGap, pair.noise);
  if (is_faster(candidate, pair.candidate, original, pair.original, gap)) return model::VerdictKind::faster;
  if (is_faster(original, pair.original, candidate, pair.candidate, gap)) return model::VerdictKind::slower;
  if (pair.difference <= std::max(kSameCentre, std::min(pair.noise, kNarrowInterval)))
    return model::VerdictKind::same;
  return are_narrow_and_overlap(pair.original, pair.candidate) ? model::VerdictKind::same
                                                               : model::VerdictKind::unsure;
}

bool is_settled(const model::SampleSet &original, const model::SampleSet &candidate) {
  if (!is_measurable(original, candidate)) return false;
  if (std::min(original.samples_us.size(), candidate.samples_us.size()) < 2 * kGroups) return false;
  const model::VerdictKind kind = compare_times(original, candidate);
  const Pair pair = pair_of(original, candidate);
  if (pair.error <= kFineError) return true;
  if (kind == model::VerdictKind::faster || kind == model::VerdictKind::slower)
    return pair.error <= std::max(kClearError, kShareOfDifference * pair.difference);
  return kind == model::VerdictKind::same && pair.difference + kSurely * pair.error <= kSameCentre;
}

void judge_times(model::Measurement &measurement) {
  const model::SampleSet &original = measurement.original, &candidate = measurement.candidate;
  measurement.verdict = compare_times(original, candidate);
  if (!are_times(original) || !are_times(candidate)) return;
  const Pair pair = pair_of(original, candidate);
  measurement.noise = pair.original.noise;
  measurement.speedup = pair.original.centre / pair.candidate.centre;
  measurement.speedup_low = pair.original.low / pair.candidate.high;
  measurement.speedup_high = pair.original.high / pair.candidate.low;
}

/// Hold-outs belong to the last stage; a gain on them alone is no reason to publish.
static bool counts(const model::Measurement &m) {
  return m.weight > 0 && !m.holdout;
}

model::VerdictKind overall_kind(const std::vector<model::Measurement> &measurements) {
  const auto any = [&](model::VerdictKind kind) {
    return std::ranges::any_of(measurements, [&](const auto &m) { return counts(m) && m.verdict == kind; });
  };
  for (const model::VerdictKind kind :
       {model::VerdictKind::faster, model::VerdictKind::slower, model::VerdictKind::unsure})
    if (any(kind)) return kind;
  return model::VerdictKind::same;
}

std::vector<std::string> dispatch_of(const std::vector<model::Measurement> &measurements) {
  if (overall_kind(measurements) != model::VerdictKind::faster) return {};
  std::vector<std::string> faster;
  bool others = false;
  for (const model::Measurement &m : measurements) {
    if (m.holdout) continue;
    if (m.verdict == model::VerdictKind::faster)
      faster.push_back(m.workload);
    else
      others |= m.weight > 0 || m.verdict == model::VerdictKind::slower;
  }
  return others ? faster : std::vector<std::string>{};
}

bool confirms_speedup(const std::vector<model::Measurement> &measurements, double margin) {
  bool any = false;
  const auto only = dispatch_of(measurements);
  for (const model::Measurement &m : measurements) {
    if (!counts(m)) continue;
    if (!only.empty() && std::ranges::find(only, m.workload) == only.end()) continue;
    if (m.verdict != model::VerdictKind::faster || m.speedup_low <= 1 + margin) return false;
    any = true;
  }
  return any;
}

std::string describe_times(const std::vector<model::Measurement> &measurements) {
  std::string text;
  for (const auto &m : measurements) {
    if (!text.empty()) text += "; ";
    text += fmt::format("{} {} {:.2f}x ({:.2f} us -> {:.2f} us)", m.workload, model::to_string(m.verdict),
                        m.speedup, m.original.median_us, m.candidate.median_us);
    if (!m.note.empty()) text += ": " + m.note;
  }
  const auto only = dispatch_of(measurements);
  for (std::size_t i = 0; i < only.size(); ++i) text += (i ? ", " : "; to be used only on ") + only[i];
  return text;
}

double floor_microseconds(double bytes_in, double bytes_out, double l2_bytes, double copy_bandwidth_gbs) {
  if (copy_bandwidth_gbs <= 0 || bytes_in + bytes_out <= l2_bytes) return 0;
  const double from_memory = bytes_in + std::max(0.0, bytes_out - l2_bytes);
  return from_memory / (copy_bandwidth_gbs * kBandwidthSlack * 1e3);
}

}  // namespace cupilot::judge::time
