// SPDX-License-Identifier: Apache-2.0
//
// From timing samples to an answer. Pure functions: the worker measures, this decides, and stored samples can
// be judged again. The decision compares the intervals [min, q3] of original and candidate: the lower part of
// the samples is the kernel, the upper tail is the machine.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "evolution/model/verdict.h"

namespace cupilot {

/// Fewer samples than this are `unsure`, whatever they say.
inline constexpr std::size_t kLeastSamples = 10;
/// Intervals must lie this far apart (relative) for `faster` or `slower`.
inline constexpr double kIntervalGap = 0.005;
/// Medians nearer than this, with overlapping intervals, are `same`.
inline constexpr double kSameCentre = 0.005;
/// Overlapping intervals narrower than this (relative to the median) are `same`; wider ones say nothing.
inline constexpr double kNarrowInterval = 0.02;
/// A sample whose SM clock is below this share of the device's rated clock was throttled.
inline constexpr double kThrottledShare = 0.75;

/// Linear between the two nearest ranks; `sorted` is ascending and not empty.
double quantile(std::span<const double> sorted, double share);

/// Fills min, quartiles, mean and standard deviation from the samples; leaves zeros when there are none.
void summarise(SampleSet &set);

/// Standard error of the mean over the mean; infinite below two samples.
double relative_error(std::span<const double> samples);

/// faster, slower, same or unsure, seen from the candidate.
VerdictKind compare_times(const SampleSet &original, const SampleSet &candidate);

/// Sets verdict, speedup and its bounds from the two summarised sets.
void judge_times(Measurement &measurement);

/// One answer over all timed workloads: faster only when none is slower and at least one is faster.
VerdictKind overall_kind(const std::vector<Measurement> &measurements);

/// A sentence with the numbers: "llama 2.10x faster (41.3 us -> 19.7 us); tiny same (3.1 us -> 3.1 us)".
std::string describe_times(const std::vector<Measurement> &measurements);

/// Least time the workload's bytes can take: what is read comes from memory (the cache is cold), what is
/// written may stay in the cache. 0: no statement (too small to be bound by memory). `slack` allows for a
/// copy kernel that is not the fastest reader.
double floor_microseconds(double bytes_in, double bytes_out, double l2_bytes, double copy_bandwidth_gbs);
inline constexpr double kBandwidthSlack = 1.15;

}  // namespace cupilot
