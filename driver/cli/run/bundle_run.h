// SPDX-License-Identifier: Apache-2.0
//
// Runs one bundle outside any search, in a temporary folder. Shared by `judge` and `verify`.

#pragma once

#include <filesystem>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/bundle/bundle_writer.h"
#include "evolution/judge/bundle/executor.h"

namespace cupilot::cli::run {

/// The id of the only individual.
inline constexpr const char *kCandidate = "c0001";

/// Verdicts in the order of the individuals; an error when one is missing.
Result<std::vector<model::Verdict>> run_bundle(const judge::bundle::BundleContent &content,
                                               judge::bundle::Executor &executor,
                                               judge::bundle::JudgeEvents &events);

}  // namespace cupilot::cli::run
