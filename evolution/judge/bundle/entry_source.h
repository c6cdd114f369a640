// SPDX-License-Identifier: Apache-2.0
//
// Generates the text of entry.cu: the slice, the variant in the namespaces of its kernel, and the C function
// that the worker calls.

#pragma once

#include <string>

#include "annotate/spec/kernel_spec.h"
#include "evolution/model/individual.h"

namespace cupilot::judge::bundle {

/// The text of original/entry.cu and of candidates/<id>/entry.cu.
std::string original_entry(const spec::KernelSpec &spec);
std::string candidate_entry(const spec::KernelSpec &spec, const model::Individual &individual);
/// Why `spec` has no twin; empty if it has one.
std::string twin_missing(const spec::KernelSpec &spec);
/// The text of twin/entry.cu; `spec` must have a twin. Its dynamic shared memory grows with the size of the
/// types.
std::string twin_entry(const spec::KernelSpec &spec);

}  // namespace cupilot::judge::bundle
