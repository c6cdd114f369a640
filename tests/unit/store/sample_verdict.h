// SPDX-License-Identifier: Apache-2.0
//
// A run, a bundle and a verdict with every member set, for the tests of the run database.

#pragma once

#include <string>

#include "evolution/store/database.h"

namespace cupilot {
using namespace model;
using namespace store;

inline RunInfo sample_run() {
  return {.kernel = "rms_norm",
          .kernel_id = "kid",
          .workload_id = "wid",
          .architecture = "sm_90",
          .spec_sha256 = "spec",
          .flags = "-O3\n-DN=1",
          .policy = "rules",
          .seed = 7};
}

inline Individual sample_individual(const std::string &id, const std::string &variant) {
  Individual individual;
  individual.id = id;
  individual.strategies = {"block-size", "wide-access"};
  individual.variant = variant;
  individual.knobs = {{.name = "kThreads", .values = {64, 128}, .value = 128}};
  individual.provider = "builtin";
  return individual;
}

inline SampleSet sample_set(double scale) {
  SampleSet set;
  set.samples_us = {scale * 10.1, scale * 10.2, scale / 3};
  set.sm_clock_mhz = {1980, 1980, 1965};
  set.dropped = {{40.25, "sm clock 61 % of the default"}};
  set.min_us = scale / 3;
  set.q1_us = scale;
  set.median_us = scale * 10.1;
  set.q3_us = scale * 10.2;
  set.mean_us = scale * 7;
  set.stdev_us = 0.125;
  return set;
}

inline Verdict sample_verdict(const std::string &candidate, VerdictKind kind = VerdictKind::faster) {
  Verdict verdict;
  verdict.candidate = candidate;
  verdict.kind = kind;
  verdict.stage = "time";
  verdict.reason = "2.0 times as fast";
  verdict.device.name = "NVIDIA H200";
  verdict.device.driver = "580.1";
  Measurement measurement;
  measurement.workload = "llama";
  measurement.original = sample_set(2);
  measurement.candidate = sample_set(1);
  measurement.verdict = kind;
  measurement.speedup = 2;
  measurement.speedup_low = 1.9;
  measurement.speedup_high = 2.1;
  measurement.bytes_moved = 1e9;
  measurement.bandwidth_share = 0.91;
  measurement.stopped_because = "relative error 0.4 %";
  verdict.measurements = {measurement};
  return verdict;
}

inline VerdictKey sample_key(const std::string &variant_sha256) {
  return {.kernel_id = "kid",
          .workload_id = "wid",
          .architecture = "sm_90",
          .flags = "-O3\n-DN=1",
          .variant_sha256 = variant_sha256,
          .seed = 7,
          .device = "NVIDIA H200"};
}

}  // namespace cupilot
