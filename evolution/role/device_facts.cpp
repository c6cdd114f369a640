// SPDX-License-Identifier: Apache-2.0
//
// Sources, all public documents of NVIDIA: limits of a multiprocessor from the CUDA C++ Programming Guide,
// "Compute Capabilities", table "Technical Specifications per Compute Capability"; sizes of L1 and shared
// memory from the same chapter; float lanes from its section "Arithmetic Instructions"; multiprocessors, L2
// and rates of products from the architecture white papers and data sheets (A100, A40, L4, L40S, Ada, H100,
// H200, Blackwell, RTX Blackwell); instructions from the "Target ISA Notes" of the PTX ISA.
#include "evolution/role/device_facts.h"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>

namespace cupilot::role {
namespace {

struct Architecture {
  int number;                  ///< 90 of sm_90
  int threads, blocks, lanes;  ///< limits of one multiprocessor; lanes: float operations in a cycle
  int shared_kib, shared_block_kib, l1_kib;
  const char *devices;
};

constexpr Architecture kArchitectures[] = {
    {80, 2048, 32, 64, 164, 163, 192,
     "A100: 108 multiprocessors, 40 MB of L2 in two halves, 1.6 to 2.0 TB/s, 19.5 TFLOP/s in float, "
     "156 in tf32, 312 in bf16 and half"},
    {86, 1536, 16, 128, 100, 99, 128,
     "A40: 84 multiprocessors, 6 MB of L2, 0.7 TB/s, 37 TFLOP/s in float, 75 in tf32, 150 in bf16 and half"},
    {89, 1536, 24, 128, 100, 99, 128,
     "L40S: 142 multiprocessors, 96 MB of L2, 0.86 TB/s, 92 TFLOP/s in float, 183 in tf32, "
     "362 in bf16 and half; L4: 58 multiprocessors, 48 MB of L2, 0.3 TB/s"},
    {90, 2048, 32, 128, 228, 227, 256,
     "H100, H200 (SXM): 132 multiprocessors, 50 MB of L2 in two halves, 3.35 and 4.8 TB/s, "
     "67 TFLOP/s in float, 495 in tf32, 990 in bf16 and half (the last two by wgmma; mma.sync reaches "
     "about two thirds)"},
    {100, 2048, 32, 128, 228, 227, 256,
     "B200: 148 multiprocessors, 126 MB of L2, 8 TB/s, about 75 TFLOP/s in float, 1100 in tf32, "
     "2250 in bf16 and half (the last two by tcgen05)"},
    {120, 1536, 24, 128, 100, 99, 128,
     "RTX PRO 6000: 188 multiprocessors, 128 MB of L2, 1.8 TB/s; RTX 5090: 170 multiprocessors, 1.8 TB/s; "
     "about 0.6 TFLOP/s in float for each multiprocessor"},
};

struct Instruction {
  int from, to;   ///< range of architecture numbers, both included
  bool specific;  ///< only where the code is compiled for "sm_90a" and the like
  const char *what;
};

constexpr int kEvery = 1000;
constexpr Instruction kInstructions[] = {
    {80, kEvery, false,
     "cp.async: copies of 4, 8 or 16 bytes from global to shared memory, in groups that are waited for"},
    {80, kEvery, false,
     "ldmatrix; mma.sync with half, bf16 and tf32 operands (m16n8k16, m16n8k8), sums in float"},
    {80, kEvery, false,
     "redux.sync for integers; mbarrier objects in shared memory; L2 prefetch hints on loads"},
    {89, kEvery, false, "mma.sync with 8-bit floating operands"},
    {90, kEvery, false,
     "cp.async.bulk: linear bulk copies of multiples of 16 bytes, global to shared memory and back, "
     "completing on an mbarrier by bytes"},
    {90, kEvery, false,
     "clusters of up to 8 blocks (16 by attribute) with distributed shared memory; stmatrix; elect.sync; "
     "griddepcontrol"},
    {90, 90, true,
     "wgmma: products of a warpgroup (128 threads) from shared memory, m64nNk8 for tf32, m64nNk16 for bf16 "
     "and half; setmaxnreg"},
    {100, 103, true,
     "tcgen05: products issued by one thread, results in 256 KiB of tensor memory a multiprocessor; "
     "setmaxnreg"},
};

/// Features that a reader who knows the family would expect but must not use.
struct Absence {
  int from, to;
  bool specific;  ///< shown if the code is compiled for "sm_120a" and the like, otherwise if it is not
  const char *what;
};
constexpr Absence kAbsences[] = {
    {80, 89, false, "No bulk or tensor copies, no clusters, no wgmma"},
    {90, 90, false,
     "No wgmma and no setmaxnreg: the code is compiled for sm_90, not sm_90a; tensor cores by mma.sync"},
    {100, 103, false,
     "No tcgen05 and no wgmma: the code is not compiled for the 'a' form; tensor cores by mma.sync"},
    {100, 103, true, "No wgmma"},
    {120, 121, false, "No wgmma and no tcgen05: tensor cores by mma.sync"},
    {120, 121, true, "No wgmma and no tcgen05: tensor cores by mma.sync"},
};

struct Asked {
  int number = 0;
  bool specific = false;
};

Asked asked(std::string_view architecture) {
  Asked found;
  if (architecture.starts_with("sm_")) architecture.remove_prefix(3);
  const char *end = architecture.data() + architecture.size();
  const auto [at, code] = std::from_chars(architecture.data(), end, found.number);
  if (code != std::errc()) return {};
  found.specific = at != end && (*at == 'a' || *at == 'f');
  return found;
}

bool within_range(const Asked &asked, int from, int to) {
  return asked.number >= from && asked.number <= to;
}

std::vector<std::string> limits(const Architecture &one) {
  return {
      fmt::format("{} registers of 32 bits, {} threads ({} warps) and {} blocks at most on a multiprocessor; "
                  "255 registers a thread, 1024 threads a block",
                  kRegisters, one.threads, one.threads / kWarpThreads, one.blocks),
      fmt::format(
          "{} KiB of shared memory on a multiprocessor, {} KiB a block at most (over 48 KiB: dynamic, asked "
          "for with cudaFuncSetAttribute; 1 KiB of each block's is the system's), part of {} KiB together "
          "with the L1; 32 banks of 4 bytes",
          one.shared_kib, one.shared_block_kib, one.l1_kib),
      fmt::format(
          "{} float operations (a fused one counts once) a cycle on a multiprocessor, four schedulers of "
          "one instruction a cycle each",
          one.lanes)};
}

}  // namespace

std::vector<std::string> device_facts(const std::string &architecture) {
  const Asked wanted = asked(architecture);
  const auto *found = std::ranges::find(kArchitectures, wanted.number, &Architecture::number);
  if (found == std::end(kArchitectures)) return {};
  std::vector<std::string> facts = limits(*found);
  facts.push_back(std::string("devices of this kind: ") + found->devices);
  for (const Instruction &one : kInstructions)
    if (within_range(wanted, one.from, one.to) && (!one.specific || wanted.specific))
      facts.emplace_back(one.what);
  for (const Absence &one : kAbsences)
    if (within_range(wanted, one.from, one.to) && one.specific == wanted.specific)
      facts.emplace_back(one.what);
  return facts;
}

}  // namespace cupilot::role
