// SPDX-License-Identifier: Apache-2.0
//
// Samples of an H200, as tests/gpu/timing_trial writes them, judged again: a kernel against itself, and
// against the same with one percent less work.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "evolution/judge/time/statistics.h"

namespace cupilot {
using namespace judge::time;
using namespace model;
namespace {

struct Trial {
  std::string kernel;
  int original_units = 0, candidate_units = 0;
  Measurement measurement;
};

std::vector<Trial> stored_trials() {
  std::vector<Trial> trials;
  std::ifstream file(STORED_SAMPLES);
  for (std::string line; std::getline(file, line);) {
    const auto json = nlohmann::json::parse(line);
    Trial trial{json.at("kernel"), json.at("original_units"), json.at("candidate_units"), {}};
    json.at("original_us").get_to(trial.measurement.original.samples_us);
    json.at("original_mhz").get_to(trial.measurement.original.sm_clock_mhz);
    json.at("candidate_us").get_to(trial.measurement.candidate.samples_us);
    json.at("candidate_mhz").get_to(trial.measurement.candidate.sm_clock_mhz);
    summarise(trial.measurement.original);
    summarise(trial.measurement.candidate);
    trials.push_back(std::move(trial));
  }
  EXPECT_GE(trials.size(), 10u) << STORED_SAMPLES;
  return trials;
}

std::string name_of(const Trial &trial) {
  return trial.kernel + ", " + std::to_string(trial.original_units) + " units to " +
         std::to_string(trial.candidate_units);
}

TEST(StoredSamples, OneKernelIsTheSameAsItself) {
  for (Trial trial : stored_trials()) {
    if (trial.original_units != trial.candidate_units) continue;
    judge_times(trial.measurement);
    EXPECT_EQ(trial.measurement.verdict, VerdictKind::same) << name_of(trial);
    EXPECT_NEAR(trial.measurement.speedup, 1, 0.006) << name_of(trial);
    EXPECT_LT(trial.measurement.noise, 0.01) << name_of(trial);
  }
}

TEST(StoredSamples, OnePercentLessWorkIsSeenWhereSamplesAreQuiet) {
  int quiet = 0;
  for (Trial trial : stored_trials()) {
    if (trial.original_units == trial.candidate_units) continue;
    judge_times(trial.measurement);
    EXPECT_NE(trial.measurement.verdict, VerdictKind::slower) << name_of(trial);
    EXPECT_GT(trial.measurement.speedup, 1) << name_of(trial);
    if (trial.kernel != "multiply-100us") continue;
    ++quiet;
    EXPECT_EQ(trial.measurement.verdict, VerdictKind::faster) << name_of(trial);
    EXPECT_NEAR(trial.measurement.speedup, 1.01, 0.002) << name_of(trial);
    EXPECT_TRUE(is_settled(trial.measurement.original, trial.measurement.candidate)) << name_of(trial);
  }
  EXPECT_GT(quiet, 0);
}

TEST(StoredSamples, AreTheReverseWhenSidesAreExchanged) {
  for (Trial trial : stored_trials()) {
    Measurement exchanged;
    exchanged.original = trial.measurement.candidate;
    exchanged.candidate = trial.measurement.original;
    judge_times(trial.measurement);
    judge_times(exchanged);
    EXPECT_DOUBLE_EQ(exchanged.speedup * trial.measurement.speedup, 1) << name_of(trial);
    EXPECT_EQ(exchanged.verdict == VerdictKind::slower, trial.measurement.verdict == VerdictKind::faster)
        << name_of(trial);
  }
}

/// Half of a sample set knows less, but nothing else.
TEST(StoredSamples, HalvesOfOneKernelAreNeverFaster) {
  for (const Trial &trial : stored_trials())
    for (const SampleSet *set : {&trial.measurement.original, &trial.measurement.candidate}) {
      SampleSet even, odd;
      for (std::size_t i = 0; i < set->samples_us.size(); ++i)
        (i % 2 ? odd : even).samples_us.push_back(set->samples_us[i]);
      summarise(even);
      summarise(odd);
      const VerdictKind kind = compare_times(even, odd);
      EXPECT_TRUE(kind == VerdictKind::same || kind == VerdictKind::unsure) << trial.kernel;
    }
}

}  // namespace
}  // namespace cupilot
