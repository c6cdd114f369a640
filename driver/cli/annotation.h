// SPDX-License-Identifier: Apache-2.0
//
// Talking to cupilot-annotate: one run, its JSON lines as specs and diagnostics. Its own talk goes to our
// stderr.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"

namespace cupilot::cli {

struct Annotation {
  std::vector<KernelSpec> specs;
  std::vector<Diagnostic> diagnostics;
  bool done = false;  ///< the closing line came
};

/// Takes one line of `cupilot-annotate scan` after the version line.
Result<void> take_line(std::string_view line, Annotation &into);

/// Runs `cupilot-annotate scan <arguments>`. Directive errors are diagnostics in the answer, not an error.
Result<Annotation> annotate(const std::vector<std::string> &arguments);

/// Runs `cupilot-annotate facts` on a variant of the kernel. Unknown when there is no answer: a search goes
/// on without.
CodeFacts facts_of_variant(const KernelSpec &spec, const std::string &variant);

}  // namespace cupilot::cli
