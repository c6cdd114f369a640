// SPDX-License-Identifier: Apache-2.0
// Every form of exchange, atomics, matrices and asynchronous copies on the CPU, with all checks on.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "evolution/emulate/lanes/families.h"
#include "evolution/emulate/machine/launch.h"
#include "evolution/emulate/ptx/parser.h"
#include "tests/emulate/warp_opcodes/warp_case.h"

namespace {

using namespace cupilot;
using namespace cupilot::emulate::program;
using cupilot::emulate::program::Isa;
using opcodes::WarpCase;

struct Buffers {
  std::uint64_t input = 0, output = 0, memory = 0;
};

/// Never empty; zeroed, then filled.
std::uint64_t buffer(cupilot::emulate::memory::Memory &memory, const char *label, std::size_t bytes,
                     const void *from) {
  const auto address = memory.allocate(std::max<std::size_t>(bytes, 16), label);
  if (!address) return 0;
  if (from)
    std::memcpy(reinterpret_cast<void *>(*address), from, bytes);
  else
    std::memset(reinterpret_cast<void *>(*address), 0, bytes);
  return *address;
}

/// Empty, or what went wrong.
std::string run(const WarpCase &one, Isa isa, bool checked) {
  auto parsed = cupilot::emulate::ptx::parse(one.ptx, "case.ptx");
  if (!parsed) return parsed.error().message;
  auto program = cupilot::emulate::program::decode(
      std::make_shared<const cupilot::emulate::ptx::Module>(std::move(*parsed)),
      cupilot::emulate::lanes::families(), isa);
  if (!program) return program.error().message;
  if (!(*program)->unsupported.empty()) return "not supported: " + (*program)->unsupported.front().what;
  auto memory = cupilot::emulate::memory::Memory::make(1 << 24);
  if (!memory) return memory.error().message;
  const Buffers at{buffer(**memory, "input", one.input.size() * 8, one.input.data()),
                   buffer(**memory, "output", one.expected.size() * 8, nullptr),
                   buffer(**memory, "memory", one.memory.size(), one.memory.data())};
  auto loaded = cupilot::emulate::machine::LoadedProgram::load(*program, **memory);
  if (!loaded) return loaded.error().message;
  cupilot::emulate::machine::LaunchRequest request{.function = (*program)->entries.at("form"),
                                                   .block = {one.threads, 1, 1}};
  request.parameters = std::as_bytes(std::span(&at, 1));
  cupilot::emulate::machine::LaunchOptions options{.threads = 1, .instruction_budget = 1 << 20};
  options.checks = {.races = checked, .initialised = checked};
  const auto result = cupilot::emulate::machine::launch(**loaded, **memory, request, options);
  if (!result.findings.empty()) return cupilot::emulate::machine::describe(result.findings.front());
  if (!result.completed) return "did not complete";
  std::vector<std::uint64_t> output(one.expected.size());
  std::vector<std::byte> after(one.memory.size());
  std::copy_n(reinterpret_cast<const std::uint64_t *>(at.output), output.size(), output.data());
  std::copy_n(reinterpret_cast<const std::byte *>(at.memory), after.size(), after.data());
  return opcodes::compare(one, output, after);
}

void run_all(const std::vector<WarpCase> &cases, Isa isa, bool checked) {
  if (isa > cupilot::emulate::program::host_isa()) GTEST_SKIP() << "this processor does not have it";
  std::size_t failures = 0;
  for (const WarpCase &one : cases) {
    const std::string problem = run(one, isa, checked);
    if (problem.empty()) continue;
    ++failures;
    ADD_FAILURE() << one.name << ": " << problem << "\n" << (failures == 1 ? one.ptx : "");
  }
}

TEST(WarpOpcodes, Exchange) {
  run_all(opcodes::exchange_cases(), cupilot::emulate::program::host_isa(), true);
}
TEST(WarpOpcodes, Atomics) {
  run_all(opcodes::atomic_cases(), cupilot::emulate::program::host_isa(), true);
}
TEST(WarpOpcodes, AtomicsUnchecked) {
  run_all(opcodes::atomic_cases(), cupilot::emulate::program::host_isa(), false);
}
TEST(WarpOpcodes, Matrices) {
  run_all(opcodes::matrix_cases(), cupilot::emulate::program::host_isa(), true);
}
TEST(WarpOpcodes, MatricesBaseline) {
  run_all(opcodes::matrix_cases(), Isa::baseline, false);
}
TEST(WarpOpcodes, MatricesAvx2) {
  run_all(opcodes::matrix_cases(), Isa::avx2, false);
}
TEST(WarpOpcodes, Tiles) {
  run_all(opcodes::tile_cases(), cupilot::emulate::program::host_isa(), true);
}
TEST(WarpOpcodes, Asynchronous) {
  run_all(opcodes::async_cases(), cupilot::emulate::program::host_isa(), true);
}
TEST(WarpOpcodes, AsynchronousUnchecked) {
  run_all(opcodes::async_cases(), cupilot::emulate::program::host_isa(), false);
}

}  // namespace
