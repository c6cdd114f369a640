// SPDX-License-Identifier: Apache-2.0
//
// Time spent on looking at samples while they are taken. It is host time in which the device idles.
#include <benchmark/benchmark.h>

#include <random>

#include "evolution/judge/time/sampling.h"
#include "evolution/judge/time/statistics.h"

namespace cupilot {
using namespace judge::time;
using namespace model;
namespace {

SampleSet samples(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> noise(0, 1);
  SampleSet set;
  for (std::size_t i = 0; i < count; ++i) {
    set.samples_us.push_back(50 + noise(random));
    set.sm_clock_mhz.push_back(1980);
  }
  summarise(set);
  return set;
}

void look_at_samples(benchmark::State &state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  const SampleSet original = samples(count, 1), candidate = samples(count, 2);
  for (auto _ : state) benchmark::DoNotOptimize(is_settled(original, candidate));
}
BENCHMARK(look_at_samples)->Arg(20)->Arg(100)->Arg(1000);

/// One whole comparison that ends at the cap of samples.
void whole_comparison(benchmark::State &state) {
  for (auto _ : state) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> noise(0, 20);
    Sampling sampling({1e9, 0.005, 1980});
    while (!sampling.enough(0)) sampling.add({50 + noise(random), 1980}, {50 + noise(random), 1980});
    std::string why = sampling.stopped_because();
    benchmark::DoNotOptimize(why);
  }
}
BENCHMARK(whole_comparison)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cupilot

BENCHMARK_MAIN();
