// SPDX-License-Identifier: Apache-2.0
//
// The judge's first stage: what a variant's text may not contain, found before any build. A lexer without
// types, so it is a screen for honest mistakes and plain cheats; the stages after it do not rely on it.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "evolution/model/individual.h"
#include "evolution/model/verdict.h"

namespace cupilot {

struct StaticFinding {
  int line = 0;  ///< of the variant, from 1; 0: the whole file
  std::string reason;
};

/// Everything found, in the order of lines; empty when the variant may be built.
std::vector<StaticFinding> static_findings(std::string_view variant, const KernelSpec &spec);

/// The verdict `rejected` at stage "static" with all findings in its reason, or nullopt when there is none.
std::optional<Verdict> static_check(const Individual &individual, const KernelSpec &spec);

}  // namespace cupilot
