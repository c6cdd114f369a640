// SPDX-License-Identifier: Apache-2.0
//
// A spec as JSON text that begins with its version: `{"cupilot_spec":1,...}`. The reader rejects what it does
// not understand, and its error names the member.

#pragma once

#include <string>
#include <string_view>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"

namespace cupilot::spec {

/// One line, members in a fixed order.
std::string to_json(const KernelSpec &spec);
Result<KernelSpec> kernel_spec_from_json(std::string_view text);

std::string to_json(const Diagnostic &diagnostic);
Result<Diagnostic> diagnostic_from_json(std::string_view text);

}  // namespace cupilot::spec
