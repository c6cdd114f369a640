// SPDX-License-Identifier: Apache-2.0
//
// Runs cupilot-annotate and reads the JSON lines it prints as specs and diagnostics. Its stderr is passed
// through to ours.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "annotate/spec/definition.h"
#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"

namespace cupilot::cli::project {

struct Annotation {
  std::vector<spec::KernelSpec> specs;
  std::vector<Diagnostic> diagnostics;
  std::vector<spec::Definition> definitions;
  bool done = false;  ///< the closing line was read, so the output is complete
};

/// Takes one line of `cupilot-annotate scan` after the version line.
Result<void> take_line(std::string_view line, Annotation &into);

/// Runs `cupilot-annotate scan <arguments>`. Directive errors are diagnostics in the answer, not an error.
Result<Annotation> annotate(const std::vector<std::string> &arguments);

/// Runs `cupilot-annotate facts` on a variant of the kernel. The facts are unknown when the program fails; a
/// search continues without them.
spec::CodeFacts facts_of_variant(const spec::KernelSpec &spec, const std::string &variant);

}  // namespace cupilot::cli::project
