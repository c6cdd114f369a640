// SPDX-License-Identifier: Apache-2.0
//
// Accumulators are mostly filled with zeros, and then a variant that overwrites them looks right. So each is
// tried with other content, too. Pure.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"
#include "evolution/model/bundle.h"

namespace cupilot::judge::cases {

/// The `inout` buffers that the workload fills with zeros. Single integers are left out: they are tickets and
/// locks, with which the original would wait for ever.
std::vector<std::string> accumulators_of(const spec::KernelSpec &spec, const model::Case &one);

/// The case in which this buffer holds random numbers, "llama/y=random": small and not negative if they are
/// integers, as counts are.
model::Case with_other_content(const spec::KernelSpec &spec, model::Case one, const std::string &accumulator);

/// Integers that a kernel only adds to, and that have run for long: the case in which they may be anything,
/// "llama/counts=large". Nullopt if the buffer holds floats, or if there are other outputs: a counter may be
/// a place in them.
std::optional<model::Case> with_large_counts(const spec::KernelSpec &spec, model::Case one,
                                             const std::string &counts);

/// The cases of all accumulators, at a small size of the workload.
Result<std::vector<model::Case>> other_content_cases(const spec::KernelSpec &spec,
                                                     const spec::Workload &workload);

}  // namespace cupilot::judge::cases
