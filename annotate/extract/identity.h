// SPDX-License-Identifier: Apache-2.0
//
// Computes the hashes that identify a kernel, its workloads and its source files.

#pragma once

#include <string>
#include <vector>

#include "annotate/extract/compile_command.h"
#include "annotate/spec/kernel_spec.h"

namespace cupilot::extract {

/// The hash covers `tokens` (of the slice) and the clauses that decide which results are correct. Names and
/// workloads are not part of it.
std::string kernel_id(const spec::KernelSpec &spec, const std::vector<std::string> &tokens);

/// File names in workloads count as the user wrote them, so that a record stays valid in another checkout.
std::string workload_id(const std::vector<spec::Workload> &workloads, const std::string &source_folder);

/// Files that cannot be read any more are left out. Such a fingerprint matches nothing, which is safe.
spec::Fingerprint fingerprint_of(const CompileEntry &entry, const std::vector<std::string> &headers,
                                 const std::string &root);

}  // namespace cupilot::extract
