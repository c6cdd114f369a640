// SPDX-License-Identifier: Apache-2.0
//
// Extracts from one compile command the specs of its annotated kernels and the diagnostics of its directives.
// This is the interface to Clang: no Clang name is visible outside.

#pragma once

#include <string>
#include <vector>

#include "annotate/extract/compile_command.h"
#include "annotate/spec/definition.h"
#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"

namespace cupilot::extract {

struct Extraction {
  std::vector<spec::KernelSpec> specs;
  std::vector<Diagnostic> diagnostics;        ///< ordered by file and line, with their source lines
  std::vector<spec::Definition> definitions;  ///< of all kernels, with Purpose::every_kernel
};

/// `identity` skips the workloads, because the identity of a kernel does not depend on them. `every_kernel`
/// reads kernels without a directive as if `#pragma cupilot optimize` stood before them; what is wrong with
/// those is no diagnostic but Definition::problem.
enum class Purpose { everything, identity, every_kernel };

/// Paths in fingerprints are stored relative to `root`. `records`: the folder of records, where workloads may
/// stand in files of their own (annotate/directive/workload_file.h); empty: none are looked for.
Result<Extraction> extract(const CompileEntry &entry, const std::string &root,
                           Purpose purpose = Purpose::everything, const std::string &records = "");

/// The facts about all kernels of a text that is not in any file, parsed with the options of `command`.
/// Directives in the text are ignored. The facts of a text with syntax errors are unknown.
Result<spec::CodeFacts> facts_of_text(const spec::CompileCommand &command, const std::string &text);

/// Whether the source or a user header that it includes may contain a directive, or with `every_kernel` a
/// kernel. The files are searched, not preprocessed, so the answer may be a false yes but never a false no.
/// Fails when the source cannot be read.
Result<bool> may_have_directives(const CompileEntry &entry, Purpose purpose = Purpose::everything);

}  // namespace cupilot::extract
