// SPDX-License-Identifier: Apache-2.0
//
// What comparing a large output costs on one thread: nanoseconds for an element are 1000 / (items per
// microsecond).
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "annotate/support/half.h"
#include "evolution/judge/correct/compare_twin.h"
#include "evolution/judge/data/element_type.h"

namespace cupilot::judge::correct {
namespace {

constexpr std::size_t kElements = 1 << 22;

void store(spec::ElementType type, double value, std::byte *at) {
  const auto wide = static_cast<float>(value);
  const std::uint16_t narrow = f16_from_float(wide);
  if (type == spec::ElementType::f32)
    std::memcpy(at, &wide, sizeof wide);
  else
    std::memcpy(at, &narrow, sizeof narrow);
}

/// An output, its twin, and one that is the same but for an element in a thousand.
struct Outputs {
  spec::ElementType type;
  std::vector<std::byte> original, near, twin;
  KeptTwin kept;

  explicit Outputs(spec::ElementType of) : type(of) {
    const std::size_t size = data::element_size(type);
    original.resize(kElements * size), twin.resize(kElements * sizeof(double));
    for (std::size_t i = 0; i < kElements; ++i) {
      const double exact = std::sin(static_cast<double>(i));
      store(type, exact, &original[i * size]);
      std::memcpy(&twin[i * sizeof exact], &exact, sizeof exact);
    }
    near = original;
    for (std::size_t i = 0; i < kElements; i += 1000) near[i * size] ^= std::byte{1};
    kept = keep_twin(type, original, twin, 1);
  }
};

const Outputs &outputs_of(spec::ElementType type) {
  static const Outputs single(spec::ElementType::f32), half(spec::ElementType::f16);
  return type == spec::ElementType::f32 ? single : half;
}

void count(benchmark::State &state) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kElements));
}

void keep(benchmark::State &state, spec::ElementType type) {
  const Outputs &of = outputs_of(type);
  for (auto _ : state) benchmark::DoNotOptimize(keep_twin(type, of.original, of.twin, 1));
  count(state);
}

void overflowed(benchmark::State &state, spec::ElementType type) {
  const Outputs &of = outputs_of(type);
  for (auto _ : state) benchmark::DoNotOptimize(find_overflowed(type, of.original, of.twin, {}));
  count(state);
}

void with_twin(benchmark::State &state, spec::ElementType type, std::vector<std::byte> Outputs::*got) {
  const Outputs &of = outputs_of(type);
  for (auto _ : state)
    benchmark::DoNotOptimize(compare_with_twin(type, of.original, of.kept, of.*got, {}, 0, 1));
  count(state);
}

void without_twin(benchmark::State &state, spec::ElementType type) {
  const Outputs &of = outputs_of(type);
  for (auto _ : state) benchmark::DoNotOptimize(compare_output(type, of.original, of.near, {}, 1));
  count(state);
}

#define CUPILOT_BENCHMARK(name, type)                                                                  \
  BENCHMARK_CAPTURE(keep, name, type)->Unit(benchmark::kMillisecond);                                  \
  BENCHMARK_CAPTURE(overflowed, name, type)->Unit(benchmark::kMillisecond);                            \
  BENCHMARK_CAPTURE(with_twin, name##_equal, type, &Outputs::original)->Unit(benchmark::kMillisecond); \
  BENCHMARK_CAPTURE(with_twin, name##_near, type, &Outputs::near)->Unit(benchmark::kMillisecond);      \
  BENCHMARK_CAPTURE(without_twin, name, type)->Unit(benchmark::kMillisecond)

CUPILOT_BENCHMARK(single, spec::ElementType::f32);
CUPILOT_BENCHMARK(half, spec::ElementType::f16);

}  // namespace
}  // namespace cupilot::judge::correct

BENCHMARK_MAIN();
