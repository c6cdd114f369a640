// SPDX-License-Identifier: Apache-2.0
//
// Decides from timing samples which kernel is faster. The functions are pure: the worker measures, and stored
// samples can be judged again. The decision compares the intervals [min, q3] of original and candidate,
// because the lower part of the samples reflects the kernel and the upper tail reflects disturbances by the
// machine.
//
// Single launches scatter by one or two percent, more than the differences of interest. From 20 samples on
// they are therefore distributed over ten groups, each of which spans the whole run. The value of a group is
// its mean without late samples. The intervals are those of the group values, so they become narrower with
// more samples. The disagreement between groups of the same kernel is the noise of the run; a difference
// below it does not count.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "evolution/model/verdict.h"

namespace cupilot::judge::time {

/// With fewer samples than this the answer is always `unsure`.
inline constexpr std::size_t kLeastSamples = 10;
/// Number of groups of samples; used if each group gets at least two.
inline constexpr std::size_t kGroups = 10;
/// For `faster` or `slower` the relative gap between the intervals must be at least this, or the noise if
/// that is larger.
inline constexpr double kIntervalGap = 0.005;
/// Medians with a smaller relative difference than this, or than the noise if that is larger, are `same`.
inline constexpr double kSameCentre = 0.005;
/// Overlapping intervals narrower than this (relative to the median) are `same`; wider ones are `unsure`. It
/// is also the largest noise that counts for kSameCentre.
inline constexpr double kNarrowInterval = 0.02;
/// A sample whose SM clock is below this share of the device's rated clock was throttled.
inline constexpr double kThrottledShare = 0.75;
/// A launch shorter than this is comparable to the overhead of starting and timing it, see
/// Measurement::launches.
inline constexpr double kShortUs = 10;

/// Interpolates linearly between the two nearest ranks. `sorted` must be ascending and not empty.
double quantile(std::span<const double> sorted, double share);

/// Computes minimum, quartiles, mean and standard deviation from the samples; they stay 0 without samples.
void summarise(model::SampleSet &set);

/// Standard error of the mean divided by the mean; infinite for fewer than two samples.
double relative_error(std::span<const double> samples);

/// The interval of the samples that the decision uses.
struct TimeInterval {
  double low = 0, centre = 0, high = 0;  ///< minimum, median and upper quartile of the group values
  double error = 0;                      ///< standard error of the centre
  double noise = 0;                      ///< relative difference between one half of the groups and the other
};
/// `samples` must be in the order they were taken and not empty.
TimeInterval interval_of(std::span<const double> samples);

/// Whether the candidate is faster, slower, same or unsure.
model::VerdictKind compare_times(const model::SampleSet &original, const model::SampleSet &candidate);

/// Whether more samples are unlikely to change compare_times().
bool is_settled(const model::SampleSet &original, const model::SampleSet &candidate);

/// Sets verdict, speedup, its bounds and the noise from the two sample sets.
void judge_times(model::Measurement &measurement);

/// One answer for all timed workloads of weight > 0, without hold-outs. It is faster if at least one workload
/// is faster (dispatch_of() says on which), else slower if at least one is slower, else unsure if at least
/// one is unsure, else same.
model::VerdictKind overall_kind(const std::vector<model::Measurement> &measurements);

/// The workloads on which the candidate is faster, if it is not faster on all; else none.
std::vector<std::string> dispatch_of(const std::vector<model::Measurement> &measurements);

/// Whether the lower bound of the speed-up is above 1 + margin on all workloads where the candidate would be
/// used. A winner must show this in a new process on new data, since the best of many measurements is partly
/// luck.
bool confirms_speedup(const std::vector<model::Measurement> &measurements, double margin);

/// The result of each workload with its numbers: "llama faster 2.10x (41.30 us -> 19.70 us); tiny same 1.00x
/// (3.10 us -> 3.10 us)".
std::string describe_times(const std::vector<model::Measurement> &measurements);

/// The minimum time for the workload's memory traffic: reads come from memory (the cache is cold), writes may
/// stay in the cache. 0 means that there is no such limit (the data fit in the cache, or the bandwidth is
/// unknown). kBandwidthSlack allows for kernels that read faster than the copy kernel that measured the
/// bandwidth.
double floor_microseconds(double bytes_in, double bytes_out, double l2_bytes, double copy_bandwidth_gbs);
inline constexpr double kBandwidthSlack = 1.15;

}  // namespace cupilot::judge::time
