// SPDX-License-Identifier: Apache-2.0
//
// Machines that time two kernels badly in one way each, for tests of the decision: sampled as the real one
// is, pair by pair until it is enough.

#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "evolution/judge/time/sampling.h"
#include "evolution/judge/time/statistics.h"

namespace cupilot {
using namespace judge::time;
using namespace model;

/// The time of one launch that would take `us` on a quiet machine.
struct SimulatedMachine {
  std::string name;
  std::function<Sample(double us, std::size_t pair, std::mt19937_64 &random)> launch;
  double seconds_per_pair = 4e-4;
};

inline double gaussian(std::mt19937_64 &random) {
  return std::normal_distribution<double>(0, 1)(random);
}
inline double uniform(std::mt19937_64 &random) {
  return std::uniform_real_distribution<double>(0, 1)(random);
}

inline constexpr double kRatedMhz = 1980;

inline std::vector<SimulatedMachine> simulated_machines() {
  const auto quiet = [](double us, std::mt19937_64 &random) {
    return us * (1 + 0.003 * std::abs(gaussian(random)));
  };
  return {
      {"quiet", [=](double us, std::size_t, auto &random) { return Sample{quiet(us, random), kRatedMhz}; }},
      {"noisy, 1.5 %",
       [](double us, std::size_t, auto &random) {
         return Sample{us * (1 + 0.015 * std::abs(gaussian(random))), kRatedMhz};
       }},
      {"drifts by 5 %",
       [=](double us, std::size_t pair, auto &random) {
         return Sample{quiet(us, random) * (1 + 0.05 * std::min(1.0, static_cast<double>(pair) / 400)),
                       kRatedMhz};
       }},
      {"two clocks, 3 % apart",
       [=](double us, std::size_t, auto &random) {
         const bool low = uniform(random) < 0.4;
         return Sample{quiet(us, random) * (low ? 1.03 : 1), low ? kRatedMhz / 1.03 : kRatedMhz};
       }},
      {"outliers, one in ten",
       [=](double us, std::size_t, auto &random) {
         const double late = uniform(random) < 0.1 ? us * (1 + 5 * uniform(random)) : 0;
         return Sample{quiet(us, random) + late, kRatedMhz};
       }},
      {"a quarter 15 % slower",
       [=](double us, std::size_t, auto &random) {
         return Sample{quiet(us, random) * (uniform(random) < 0.25 ? 1.15 : 1), kRatedMhz};
       }},
      {"throttles for a while",
       [=](double us, std::size_t pair, auto &random) {
         const bool low = pair % 60 >= 40 && pair % 60 < 55;
         return Sample{quiet(us, random) * (low ? 1.6 : 1), low ? kRatedMhz / 1.6 : kRatedMhz};
       }},
      {"steps of 8 %, clocks unknown",
       [=](double us, std::size_t pair, auto &random) {
         return Sample{quiet(us, random) * (pair / 17 % 2 ? 1.08 : 1), 0};
       }},
  };
}

/// Original and candidate as the worker times them.
inline Measurement simulate(const SimulatedMachine &machine, double original_us, double candidate_us,
                            std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Sampling sampling({2, 0.005, kRatedMhz});
  for (std::size_t pair = 0; !sampling.enough(static_cast<double>(pair) * machine.seconds_per_pair); ++pair) {
    const Sample original = machine.launch(original_us, pair, random);
    sampling.add(original, machine.launch(candidate_us, pair, random));
  }
  Measurement m;
  m.original = sampling.original();
  m.candidate = sampling.candidate();
  m.stopped_because = sampling.stopped_because();
  summarise(m.original);
  summarise(m.candidate);
  judge_times(m);
  return m;
}

/// How many of `trials` end with each verdict.
struct VerdictCounts {
  int faster = 0, slower = 0, same = 0, unsure = 0;
  double samples = 0;  ///< mean
};
inline VerdictCounts simulate_many(const SimulatedMachine &machine, double ratio, int trials) {
  VerdictCounts counts;
  for (int trial = 0; trial < trials; ++trial) {
    const Measurement m = simulate(machine, 50 * ratio, 50, static_cast<std::uint64_t>(trial) + 1);
    counts.faster += m.verdict == VerdictKind::faster;
    counts.slower += m.verdict == VerdictKind::slower;
    counts.same += m.verdict == VerdictKind::same;
    counts.unsure += m.verdict == VerdictKind::unsure;
    counts.samples += static_cast<double>(m.original.samples_us.size()) / trials;
  }
  return counts;
}

}  // namespace cupilot
