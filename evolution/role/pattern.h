// SPDX-License-Identifier: Apache-2.0
//
// What a kernel computes, derived from the extractor's facts. The pattern selects the menu of optimisations
// and the depth from which a role sees the profile.

#pragma once

#include "annotate/spec/code_facts.h"

namespace cupilot::role {

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
/// The pattern of the code; `other` if nothing is known about it.
KernelPattern pattern_of(const spec::CodeFacts &facts);
/// Roles see the profile from this depth on; depth 0 is the first variant. Values of CuTeGen (arXiv
/// 2604.01489).
int profile_from_depth(KernelPattern pattern);

}  // namespace cupilot::role
