// SPDX-License-Identifier: Apache-2.0
//
// What comparing a large output costs on one thread: nanoseconds for an element are 1000 / (items per
// microsecond).
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "evolution/judge/correct/compare_twin.h"

namespace cupilot::judge::correct {
namespace {

constexpr std::size_t kElements = 1 << 22;

/// An output of floats, its twin, and one that is the same but for an element in a thousand.
struct Outputs {
  std::vector<std::byte> original, near, twin;
  KeptTwin kept;

  Outputs() : original(kElements * sizeof(float)), twin(kElements * sizeof(double)) {
    for (std::size_t i = 0; i < kElements; ++i) {
      const double exact = std::sin(static_cast<double>(i));
      const auto rounded = static_cast<float>(exact);
      std::memcpy(&original[i * sizeof rounded], &rounded, sizeof rounded);
      std::memcpy(&twin[i * sizeof exact], &exact, sizeof exact);
    }
    near = original;
    for (std::size_t i = 0; i < kElements; i += 1000) near[i * sizeof(float)] ^= std::byte{1};
    kept = keep_twin(spec::ElementType::f32, original, twin, 1);
  }
};

const Outputs &outputs() {
  static const Outputs made;
  return made;
}

void count(benchmark::State &state) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kElements));
}

void keep(benchmark::State &state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(keep_twin(spec::ElementType::f32, outputs().original, outputs().twin, 1));
  count(state);
}
BENCHMARK(keep)->Unit(benchmark::kMillisecond);

void with_twin(benchmark::State &state, const std::vector<std::byte> &got) {
  for (auto _ : state)
    benchmark::DoNotOptimize(
        compare_with_twin(spec::ElementType::f32, outputs().original, outputs().kept, got, {}, 0, 1));
  count(state);
}
BENCHMARK_CAPTURE(with_twin, equal, outputs().original)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(with_twin, near, outputs().near)->Unit(benchmark::kMillisecond);

void without_twin(benchmark::State &state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(
        compare_output(spec::ElementType::f32, outputs().original, outputs().near, {}, 1));
  count(state);
}
BENCHMARK(without_twin)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cupilot::judge::correct

BENCHMARK_MAIN();
