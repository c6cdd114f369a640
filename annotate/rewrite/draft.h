// SPDX-License-Identifier: Apache-2.0
//
// What a rule gets and gives. Rules that apply to the same shape of kernel are written as one engine, so that
// they compose into one clean kernel instead of edits on edits:
//   threads  block-size alone: the same threads in other blocks
//   items    block-size, grid-stride, wide-access on kernels with one independent item a thread
//   rows     warp-per-row, with wide-access and block-size, on kernels with one row a thread
//   tiles    pad-shared, grid-stride, block-size on kernels with shared tiles and barriers

#pragma once

#include <expected>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "annotate/rewrite/syntax.h"
#include "annotate/rewrite/text.h"
#include "annotate/spec/kernel_spec.h"

namespace cupilot::rewrite {

inline constexpr const char *kBlockSize = "block-size";
inline constexpr const char *kGridStride = "grid-stride";
inline constexpr const char *kWideAccess = "wide-access";
inline constexpr const char *kWarpPerRow = "warp-per-row";
inline constexpr const char *kPadShared = "pad-shared";

struct Refusal {
  std::string rule, reason;
  int line = 0;
};

struct Knob {
  std::string name;
  std::vector<int> values;
  int value = 0;
};

struct Draft {
  std::string what;  ///< "256-thread blocks, 16-byte accesses": for the header line and the summary
  std::vector<Knob> knobs;
  std::string code;  ///< everything after the knobs
};

using Outcome = std::expected<Draft, Refusal>;

struct Job {
  const KernelSpec &spec;
  const Kernel &kernel;
  std::set<std::string> rules;
  bool wants(const char *rule) const { return rules.contains(rule); }
};

Outcome rewrite_threads(const Job &job);
Outcome rewrite_items(const Job &job);
Outcome rewrite_rows(const Job &job);
Outcome rewrite_tiles(const Job &job);

/// The kernel's parameters as text: "const float *x, int n" and "x, n".
std::string parameter_list(const Kernel &kernel);
std::string argument_list(const Kernel &kernel);
std::string declared(const Type &type, const std::string &name);

/// Threads a block of the user's own launch, when every workload says the same constant.
std::vector<int> constant_block(const KernelSpec &spec);

[[nodiscard]] inline std::unexpected<Refusal> refuse(const char *rule, std::string reason, int line) {
  return std::unexpected(Refusal{rule, std::move(reason), line});
}

using Words = std::map<std::string, std::string>;
/// Each word under a name the kernel's text does not use: what generated text refers to as `$word`.
Words fresh_words(Names &names, std::initializer_list<const char *> words);

/// Text with `$name` replaced: keeps what is generated readable where it is written.
std::string fill(std::string text, const Words &values);

}  // namespace cupilot::rewrite
