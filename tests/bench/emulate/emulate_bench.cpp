// SPDX-License-Identifier: Apache-2.0
//
// How fast kernels run on the CPU. Goals: a million threads of saxpy in 15 ns each and a naive GEMM of 256^3
// in 120 ms on one thread, 1.7 times that on two, checks at most 3 times slower.

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "evolution/emulate/lanes/families.h"
#include "evolution/emulate/machine/launch.h"
#include "evolution/emulate/ptx/parser.h"

namespace {

using namespace cupilot::emulate;
using namespace cupilot::emulate::lanes;
using namespace cupilot::emulate::machine;
using namespace cupilot::emulate::memory;
using namespace cupilot::emulate::program;

/// A bench has nobody to report to: what fails ends it.
template <typename T>
T need(cupilot::Result<T> result) {
  if (result) return std::move(*result);
  std::fprintf(stderr, "%s\n", result.error().message.c_str());
  std::exit(1);
}

struct Bench {
  std::unique_ptr<Memory> memory = need(Memory::make(std::uint64_t{256} << 20));
  std::shared_ptr<LoadedProgram> loaded;

  Bench() {
    std::ifstream file(KERNELS);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    auto module = std::make_shared<const cupilot::emulate::ptx::Module>(
        need(cupilot::emulate::ptx::parse(text, "kernels.ptx")));
    loaded = need(LoadedProgram::load(need(decode(module, families())), *memory));
  }

  std::uint64_t floats(std::size_t count) const {
    const std::uint64_t address = need(memory->allocate(count * 4, "'floats'"));
    for (std::size_t i = 0; i < count; ++i)
      reinterpret_cast<float *>(address)[i] = static_cast<float>(i % 97) / 97;
    return address;
  }
};

Bench &bench() {
  static Bench made;
  return made;
}

/// Arguments: host threads, checks.
void run(benchmark::State &state, const char *kernel, std::array<std::uint32_t, 3> grid,
         std::array<std::uint32_t, 3> block, std::span<const std::byte> parameters) {
  LaunchRequest request{.function = bench().loaded->program->entries.at(kernel),
                        .grid = grid,
                        .block = block,
                        .parameters = parameters};
  LaunchOptions options;
  options.threads = static_cast<unsigned>(state.range(0));
  options.checks = {state.range(1) != 0, state.range(1) != 0};
  const std::uint64_t threads = std::uint64_t{grid[0]} * grid[1] * block[0] * block[1];
  for (auto _ : state) {
    const LaunchResult result = launch(*bench().loaded, *bench().memory, request, options);
    if (!result.completed || !result.findings.empty()) {
      state.SkipWithError(result.findings.empty() ? "not completed" : describe(result.findings[0]).c_str());
      return;
    }
    state.counters["instructions"] = static_cast<double>(result.warp_instructions);
  }
  using benchmark::Counter;
  state.counters["per_thread"] =
      Counter(static_cast<double>(threads), Counter::kIsIterationInvariantRate | Counter::kInvert);
}

void saxpy(benchmark::State &state) {
  constexpr int kCount = 1 << 20;
  static const std::uint64_t x = bench().floats(kCount), y = bench().floats(kCount);
  struct {
    int n;
    float a;
    std::uint64_t x, y;
  } parameters{kCount, 2, x, y};
  run(state, "saxpy", {kCount / 256, 1, 1}, {256, 1, 1}, std::as_bytes(std::span(&parameters, 1)));
}

void gemm_of(benchmark::State &state, const char *kernel) {
  constexpr int kSize = 256;
  static const std::uint64_t a = bench().floats(kSize * kSize), b = bench().floats(kSize * kSize),
                             c = bench().floats(kSize * kSize);
  struct {
    int n, unused;
    std::uint64_t a, b, c;
  } parameters{kSize, 0, a, b, c};
  run(state, kernel, {kSize / 16, kSize / 16, 1}, {16, 16, 1}, std::as_bytes(std::span(&parameters, 1)));
}
void gemm(benchmark::State &state) {
  gemm_of(state, "gemm");
}
void gemm_tiled(benchmark::State &state) {
  gemm_of(state, "gemm_tiled");
}

void reduce(benchmark::State &state) {
  constexpr int kCount = 1 << 18;
  static const std::uint64_t x = bench().floats(kCount), out = bench().floats(1);
  struct {
    int n, unused;
    std::uint64_t x, out;
  } parameters{kCount, 0, x, out};
  run(state, "reduce", {kCount / 256, 1, 1}, {256, 1, 1}, std::as_bytes(std::span(&parameters, 1)));
}

void collatz(benchmark::State &state) {
  constexpr int kCount = 1 << 14;
  static const std::uint64_t out = bench().floats(kCount);
  struct {
    int n, unused;
    std::uint64_t out;
  } parameters{kCount, 0, out};
  run(state, "collatz", {kCount / 256, 1, 1}, {256, 1, 1}, std::as_bytes(std::span(&parameters, 1)));
}

void small_launch(benchmark::State &state) {
  static const std::uint64_t out = bench().floats(32);
  struct {
    int n, unused;
    std::uint64_t out;
  } parameters{1, 0, out};
  run(state, "collatz", {1, 1, 1}, {32, 1, 1}, std::as_bytes(std::span(&parameters, 1)));
}

void all_settings(benchmark::internal::Benchmark *one) {
  one->ArgNames({"threads", "checks"})
      ->Args({1, 0})
      ->Args({2, 0})
      ->Args({1, 1})
      ->UseRealTime()
      ->MeasureProcessCPUTime();
  one->Unit(benchmark::kMillisecond);
}

BENCHMARK(saxpy)->Apply(all_settings);
BENCHMARK(gemm)->Apply(all_settings);
BENCHMARK(gemm_tiled)->Apply(all_settings);
BENCHMARK(reduce)->Apply(all_settings);
BENCHMARK(collatz)->Apply(all_settings);
BENCHMARK(small_launch)->ArgNames({"threads", "checks"})->Args({1, 0})->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
