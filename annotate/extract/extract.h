// SPDX-License-Identifier: Apache-2.0
//
// A compile command -> the specs of its annotated kernels and everything wrong with its directives. The wall
// in front of Clang: no name of it gets out.

#pragma once

#include <string>
#include <vector>

#include "annotate/extract/compile_command.h"
#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"

namespace cupilot {

struct Extraction {
  std::vector<KernelSpec> specs;
  std::vector<Diagnostic> diagnostics;  ///< in the order of files and lines, with their source lines
};

/// `identity` leaves workloads unexamined: what a kernel is does not depend on them.
enum class Purpose { everything, identity };

/// Paths in fingerprints are relative to `root`.
Result<Extraction> extract(const CompileEntry &entry, const std::string &root,
                           Purpose purpose = Purpose::everything);

/// Facts about all kernels of a text that is in no file, compiled with `command`. Directives mean nothing in
/// it.
Result<CodeFacts> facts_of_text(const CompileCommand &command, const std::string &text);

/// Whether the source or a user header it includes may hold a directive: read, not preprocessed, so it may
/// say yes too often but never no too often. An error when the source cannot be read.
Result<bool> may_have_directives(const CompileEntry &entry);

}  // namespace cupilot
