// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/run/bundle_run.h"

#include "annotate/support/files.h"
#include "driver/cli/run/interrupt.h"

namespace cupilot::cli::run {

Result<std::vector<model::Verdict>> run_bundle(const judge::bundle::BundleContent &content,
                                               judge::bundle::Executor &executor,
                                               judge::bundle::JudgeEvents &events) {
  CUPILOT_TRY(scratch, TemporaryFolder::create("cupilot-judge"));
  const auto folder = scratch.path() / content.id;
  CUPILOT_TRY(bundle, judge::bundle::write_bundle(folder, content));
  CUPILOT_TRY(verdicts, executor.judge(folder, events));
  if (verdicts.size() < content.individuals.size())
    return fail(interrupted_exit_code() ? "interrupted" : "the worker returned no verdict");
  return verdicts;
}

}  // namespace cupilot::cli::run
