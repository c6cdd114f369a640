// SPDX-License-Identifier: Apache-2.0
//
// What a kernel does, told from the extractor's facts: which menu a step is chosen from, and how soon a role
// is shown the profile.

#pragma once

#include "annotate/spec/code_facts.h"

namespace cupilot {

enum class KernelPattern {
  matmul,
  attention,
  convolution,
  reduction,
  normalisation,
  loss,
  elementwise,
  other
};
const char *to_string(KernelPattern);
/// `other` when nothing is known of the code.
KernelPattern pattern_of(const CodeFacts &facts);
/// Profile text is shown from this depth on (depth 0 is the first variant): seeds.md 3a.
int profile_from_depth(KernelPattern pattern);

}  // namespace cupilot
