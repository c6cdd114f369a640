// SPDX-License-Identifier: Apache-2.0
//
// The judge's evidence beside times: errors of outputs, checks of a finalist, what was exact. For people and
// as JSON; `judge`, `verify` and `tune` share it.

#pragma once

#include <string>
#include <vector>

#include "driver/cli/output.h"

namespace cupilot::cli {

/// A number JSON can carry: an output that is NaN or infinite is said as text.
Json number_json(double value);

Json json_of(const OutputError &error);
Json json_of(const FinalistCheck &check);
/// Oracle, precision, errors, finalist checks, seeds: added to `json`.
void add_judgement(Json &json, const Verdict &verdict);

/// A table of the outputs' errors; empty without any.
std::string errors_text(const Verdict &verdict);
/// A table of the finalist's checks; empty without any.
std::string finalist_text(const std::vector<FinalistCheck> &checks);
/// "Judged with precision tf32 against the twin.", empty where neither is known.
std::string judgement_text(const Verdict &verdict);

/// "gemm", "gemm (tf32)": what allows a kernel more than its original's accuracy is never left unsaid.
std::string kernel_text(const std::string &kernel, const Precision &precision);

}  // namespace cupilot::cli
