// SPDX-License-Identifier: Apache-2.0
//
// From timing samples to an answer. Pure functions: the worker measures, this decides, and stored samples can
// be judged again. The decision compares the intervals [min, q3] of original and candidate: the lower part of
// the samples is the kernel, the upper tail is the machine.
//
// One launch scatters by a percent or two, more than the differences that are looked for. From 20 samples on
// they are therefore taken together: dealt into ten groups so that each group spans the whole run, a group's
// value being the mean without late samples. The intervals are those of the group values, and become
// narrower the longer is measured. How far the groups of the original disagree among themselves is the noise
// of this run: a difference below it is no difference.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "evolution/model/verdict.h"

namespace cupilot {

/// Fewer samples than this are `unsure`, whatever they say.
inline constexpr std::size_t kLeastSamples = 10;
/// Groups of samples, from two in each group on.
inline constexpr std::size_t kGroups = 10;
/// Intervals must lie this far apart (relative) for `faster` or `slower`, or the noise when that is more.
inline constexpr double kIntervalGap = 0.005;
/// Medians nearer than this are `same`, or than the noise when that is more.
inline constexpr double kSameCentre = 0.005;
/// Overlapping intervals narrower than this (relative to the median) are `same`; wider ones say nothing. Also
/// the largest noise that an answer `same` may have.
inline constexpr double kNarrowInterval = 0.02;
/// A sample whose SM clock is below this share of the device's rated clock was throttled.
inline constexpr double kThrottledShare = 0.75;
/// Below this a single launch is within what starting and timing it takes: see Measurement::launches.
inline constexpr double kShortUs = 10;

/// Linear between the two nearest ranks; `sorted` is ascending and not empty.
double quantile(std::span<const double> sorted, double share);

/// Fills min, quartiles, mean and standard deviation from the samples; leaves zeros when there are none.
void summarise(SampleSet &set);

/// Standard error of the mean over the mean; infinite below two samples.
double relative_error(std::span<const double> samples);

/// The samples' interval as the decision sees it.
struct TimeInterval {
  double low = 0, centre = 0, high = 0;  ///< minimum, median and upper quartile of the group values
  double error = 0;                      ///< standard error of the centre
  double noise = 0;                      ///< one half of the groups against the other, relative
};
/// `samples` in the order they were taken; not empty.
TimeInterval interval_of(std::span<const double> samples);

/// faster, slower, same or unsure, seen from the candidate.
VerdictKind compare_times(const SampleSet &original, const SampleSet &candidate);

/// More samples would not change compare_times().
bool is_settled(const SampleSet &original, const SampleSet &candidate);

/// Sets verdict, speedup, its bounds and the noise from the two summarised sets.
void judge_times(Measurement &measurement);

/// One answer over all timed workloads of weight > 0, without hold-outs: faster when all are, and also when
/// some are and others are not (then `dispatch_of` says where); slower when none is faster and any is slower.
VerdictKind overall_kind(const std::vector<Measurement> &measurements);

/// The workloads where the candidate is faster, when there are others where it is not; else none.
std::vector<std::string> dispatch_of(const std::vector<Measurement> &measurements);

/// The lower bound of the speed-up is above 1 + margin wherever the candidate is to be used. What a winner
/// must show in a fresh process on fresh data: the best of many measurements is partly luck.
bool confirms_speedup(const std::vector<Measurement> &measurements, double margin);

/// A sentence with the numbers: "llama 2.10x faster (41.3 us -> 19.7 us); tiny same (3.1 us -> 3.1 us)".
std::string describe_times(const std::vector<Measurement> &measurements);

/// Least time the workload's bytes can take: what is read comes from memory (the cache is cold), what is
/// written may stay in the cache. 0: no statement (too small to be bound by memory). `slack` allows for a
/// copy kernel that is not the fastest reader.
double floor_microseconds(double bytes_in, double bytes_out, double l2_bytes, double copy_bandwidth_gbs);
inline constexpr double kBandwidthSlack = 1.15;

}  // namespace cupilot
