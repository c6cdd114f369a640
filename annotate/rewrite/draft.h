// SPDX-License-Identifier: Apache-2.0
//
// Input and output of the rules. Rules for the same shape of kernel share one engine, so that their
// combination gives one clean kernel instead of edits on top of edits. The engines are:
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
  std::string what;  ///< for the header line and the summary: "256-thread blocks, 16-byte accesses"
  std::vector<Knob> knobs;
  std::string code;  ///< the source after the declarations of the knobs
};

using Outcome = std::expected<Draft, Refusal>;

struct Job {
  const spec::KernelSpec &spec;
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

/// The block size of the user's own launch, if every workload has the same constant.
std::vector<int> constant_block(const spec::KernelSpec &spec);

[[nodiscard]] inline std::unexpected<Refusal> refuse(const char *rule, std::string reason, int line) {
  return std::unexpected(Refusal{rule, std::move(reason), line});
}

using Words = std::map<std::string, std::string>;
/// Maps each word to a name that the kernel's text does not use. Generated text refers to it as `$word`.
Words fresh_words(Names &names, std::initializer_list<const char *> words);

/// Replaces `$name` in the text by its value. Generated code stays readable in our source this way.
std::string fill(std::string text, const Words &values);

}  // namespace cupilot::rewrite
