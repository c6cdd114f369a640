// SPDX-License-Identifier: Apache-2.0
//
// One instruction form of the warp (exchange, atomics, matrices, asynchronous copies) as a small PTX program
// with its input and what a C++ reference expects. The same cases run on the CPU and on a GPU.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cupilot::opcodes {

/// How a value is judged. Floating kinds: a distance relative to the largest term (WarpCase::scale).
enum class Judge : std::uint8_t { exact, ignored, f32, f64, f16, f16x2, bf16, bf16x2 };

struct WarpCase {
  std::string name;
  std::string ptx;  ///< entry `form` (.u64 input, .u64 output, .u64 memory)
  unsigned threads = 32;
  std::size_t out_slots = 0;            ///< values a thread writes
  std::vector<std::uint64_t> input;     ///< by thread, then slot
  std::vector<Judge> judges;            ///< by slot
  std::vector<std::uint64_t> masks;     ///< by slot: the bits that count
  std::vector<std::uint64_t> expected;  ///< by thread, then slot
  std::vector<std::byte> memory, memory_expected;
  Judge memory_judge = Judge::exact;
  double tolerance = 0;
  bool gpu = true;  ///< sm_90 has it
};

/// What is needed to make a case. Registers are written "type name" ("b32 a", "pred p") and are %name in the
/// body, one for each slot; %thread, %memory are there, too.
struct Recipe {
  std::string name;
  std::vector<std::string> in, out;
  std::string body;
  std::function<std::uint64_t(unsigned thread, unsigned slot)> input, expected;
  std::vector<Judge> judges{};
  std::vector<std::byte> memory{}, memory_expected{};
  std::string module_scope{};
  unsigned threads = 32;
  double tolerance = 0;
  Judge memory_judge = Judge::exact;
  bool gpu = true;
};
WarpCase make_case(const Recipe &recipe);

/// An empty text, or what differs first.
std::string compare(const WarpCase &one, const std::vector<std::uint64_t> &output,
                    const std::vector<std::byte> &memory);

std::vector<WarpCase> exchange_cases();
std::vector<WarpCase> atomic_cases();
std::vector<WarpCase> matrix_cases();
std::vector<WarpCase> tile_cases();
std::vector<WarpCase> async_cases();
std::vector<WarpCase> all_warp_cases();

/// The same numbers everywhere.
std::uint64_t scrambled(std::uint64_t seed);

}  // namespace cupilot::opcodes
