// SPDX-License-Identifier: Apache-2.0
//
// Names for "the same kernel", "the same workloads" and "the same files".

#pragma once

#include <string>
#include <vector>

#include "annotate/extract/compile_command.h"
#include "annotate/spec/kernel_spec.h"

namespace cupilot {

/// `tokens` are the slice's; the clauses that change what a right answer is go in, names and workloads do
/// not.
std::string kernel_id(const KernelSpec &spec, const std::vector<std::string> &tokens);

/// `file_names` in workloads count as the user wrote them, so that a record holds in another checkout.
std::string workload_id(const std::vector<Workload> &workloads, const std::string &source_folder);

/// Files that cannot be read any more are left out: the fingerprint then matches nothing, which is safe.
Fingerprint fingerprint_of(const CompileEntry &entry, const std::vector<std::string> &headers,
                           const std::string &root);

}  // namespace cupilot
