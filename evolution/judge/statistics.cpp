// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>

namespace cupilot {

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

double width(const SampleSet &set) {
  return set.median_us > 0 ? (set.q3_us - set.min_us) / set.median_us : 0;
}

std::string number(const char *format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

double quantile(std::span<const double> sorted, double share) {
  const double rank = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (rank - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

void summarise(SampleSet &set) {
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

VerdictKind compare_times(const SampleSet &original, const SampleSet &candidate) {
  if (std::min(original.samples_us.size(), candidate.samples_us.size()) < kLeastSamples)
    return VerdictKind::unsure;
  if (candidate.q3_us * (1 + kIntervalGap) <= original.min_us) return VerdictKind::faster;
  if (original.q3_us * (1 + kIntervalGap) <= candidate.min_us) return VerdictKind::slower;
  const double centres = std::abs(candidate.median_us - original.median_us);
  if (centres <= kSameCentre * original.median_us) return VerdictKind::same;
  const bool overlap = candidate.min_us <= original.q3_us && original.min_us <= candidate.q3_us;
  const bool narrow = width(original) <= kNarrowInterval && width(candidate) <= kNarrowInterval;
  return overlap && narrow ? VerdictKind::same : VerdictKind::unsure;
}

void judge_times(Measurement &measurement) {
  const SampleSet &original = measurement.original, &candidate = measurement.candidate;
  measurement.verdict = compare_times(original, candidate);
  if (candidate.median_us <= 0 || original.median_us <= 0) return;
  measurement.speedup = original.median_us / candidate.median_us;
  measurement.speedup_low = original.min_us / candidate.q3_us;
  measurement.speedup_high = original.q3_us / candidate.min_us;
}

VerdictKind overall_kind(const std::vector<Measurement> &measurements) {
  if (measurements.empty()) return VerdictKind::same;
  const auto any = [&](VerdictKind kind) {
    return std::any_of(measurements.begin(), measurements.end(),
                       [&](const auto &m) { return m.verdict == kind; });
  };
  if (any(VerdictKind::slower)) return VerdictKind::slower;
  if (any(VerdictKind::faster)) return VerdictKind::faster;
  return any(VerdictKind::unsure) ? VerdictKind::unsure : VerdictKind::same;
}

std::string describe_times(const std::vector<Measurement> &measurements) {
  std::string text;
  for (const auto &m : measurements) {
    if (!text.empty()) text += "; ";
    text += m.workload + " " + to_string(m.verdict) + " " + number("%.2fx", m.speedup) + " (" +
            number("%.2f us", m.original.median_us) + " -> " + number("%.2f us", m.candidate.median_us) + ")";
  }
  return text;
}

double floor_microseconds(double bytes_in, double bytes_out, double l2_bytes, double copy_bandwidth_gbs) {
  if (copy_bandwidth_gbs <= 0 || bytes_in + bytes_out <= l2_bytes) return 0;
  const double from_memory = bytes_in + std::max(0.0, bytes_out - l2_bytes);
  return from_memory / (copy_bandwidth_gbs * kBandwidthSlack * 1e3);
}

}  // namespace cupilot
