// SPDX-License-Identifier: Apache-2.0
//
// What every role is told about the kernel. The stable prefix of all prompts is made from the brief alone, so
// that a server can cache it. It never contains hold-out workloads or data of the judge.

#pragma once

#include <string>
#include <vector>

#include "evolution/role/pattern.h"

namespace cupilot::role {

/// The languages of variants. With CuTe the kernel's file must include the CuTe headers.
inline constexpr const char *kCudaDialect = "CUDA C++", *kCuteDialect = "CuTe";

struct WorkloadBrief {
  std::string id;
  std::string sizes;   ///< "rows = 8192, cols = 4096"
  std::string launch;  ///< the original's: "grid 8192 x 1 x 1, block 256 x 1 x 1, 0 bytes of shared memory"
  std::vector<std::string> buffers;  ///< "in x: 33554432 float, 134 MB"
  bool timed = true;
  double weight = 1;
};

struct KernelBrief {
  std::string kernel;
  std::string source;         ///< the slice without the user's comments
  std::string signature;      ///< of launch(): "bool launch(const cupilot::Launch &l, const float *x, ...)"
  std::string launch_header;  ///< the declarations of cupilot/launch.cuh a variant may use
  std::string precision;      ///< the precision clause as text
  std::vector<std::string> assumptions;  ///< "cols % 4 == 0"
  bool deterministic = false;
  std::string computes;            ///< the lifted form as text; empty: there is none, or it is not told
  std::vector<std::string> least;  ///< of each workload, what no variant gets below
  std::vector<WorkloadBrief> workloads;
  std::string architecture;  ///< "sm_90"
  std::vector<std::string>
      device;  ///< facts, one a line: "132 multiprocessors", "227 KiB shared memory a block"
  KernelPattern pattern = KernelPattern::other;  ///< pattern of the original
  std::string dialect = kCudaDialect;
};

/// The first part of every prompt: the task, the contract of a variant, the rules of the judge, and the
/// kernel. It depends on the brief alone.
std::string stable_prefix(const KernelBrief &brief);
/// The same without code: the strategist reads it when it crosses strategies.
std::string prefix_without_code(const KernelBrief &brief);

}  // namespace cupilot::role
