// SPDX-License-Identifier: Apache-2.0
//
// The text of entry.cu: the slice, the variant in its kernel's namespaces, and the one C function the worker
// calls.

#pragma once

#include <string>

#include "annotate/spec/kernel_spec.h"
#include "evolution/model/individual.h"

namespace cupilot {

/// The text of original/entry.cu and of candidates/<id>/entry.cu.
std::string original_entry(const KernelSpec &spec);
std::string candidate_entry(const KernelSpec &spec, const Individual &individual);
/// The text of twin/entry.cu for a spec whose texts are promoted (twin.h), from 16-bit types or from float
/// only; dynamic shared memory grows with them.
std::string twin_entry(const KernelSpec &promoted, bool sixteen);

}  // namespace cupilot
