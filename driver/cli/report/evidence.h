// SPDX-License-Identifier: Apache-2.0
//
// Prints the judge's evidence other than times, as text and as JSON: errors of the outputs, checks of a
// finalist, and which oracle and precision were used. Shared by `judge`, `verify` and `tune`.

#pragma once

#include <string>
#include <vector>

#include "driver/cli/report/output.h"

namespace cupilot::cli::report {

/// The number as JSON; NaN and infinity, which JSON does not have, become strings.
Json number_json(double value);

/// Adds oracle, precision, errors, finalist checks and seeds to `json`.
void add_judgement(Json &json, const model::Verdict &verdict);

/// A table of the outputs' errors; empty without any.
std::string errors_text(const model::Verdict &verdict);
/// A table of the finalist's checks; empty without any.
std::string finalist_text(const std::vector<model::FinalistCheck> &checks);
/// "Judged with precision tf32 against the twin.", empty where neither is known.
std::string judgement_text(const model::Verdict &verdict);

/// "gemm", "gemm (tf32)". A precision that allows larger errors than the original's is always named.
std::string kernel_text(const std::string &kernel, const spec::Precision &precision);

}  // namespace cupilot::cli::report
