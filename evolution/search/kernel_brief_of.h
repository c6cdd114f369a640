// SPDX-License-Identifier: Apache-2.0
//
// Makes the brief that roles get about a kernel from the spec (without its hold-outs) and the settings.

#pragma once

#include <string>
#include <string_view>

#include "annotate/spec/kernel_spec.h"
#include "evolution/role/kernel_brief.h"
#include "evolution/search/policy_settings.h"

namespace cupilot::search {

/// The code without its comments. The remaining line breaks stay where they were.
std::string without_comments(std::string_view code);

/// Hold-outs of the spec are left out. Of the settings the dialect counts, and whether the lifted form is
/// told.
role::KernelBrief kernel_brief_of(const spec::KernelSpec &spec, const std::string &architecture,
                                  const PolicySettings &settings);

}  // namespace cupilot::search
