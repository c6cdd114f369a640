// SPDX-License-Identifier: Apache-2.0
#include "emulate_run.h"

#include <gtest/gtest.h>

#include <chrono>

#include "annotate/support/files.h"
#include "evolution/model/verdict_json.h"

namespace cupilot {

Result<ProcessResult> run_emulate(const std::vector<std::string> &words) {
  ProcessRequest request;
  request.argv = {CUPILOT_EMULATE_PROGRAM};
  request.argv.insert(request.argv.end(), words.begin(), words.end());
  request.time_limit = std::chrono::minutes(4);
  return run_process(request);
}

HandCandidate same_candidate() {
  return {"same",
          kLaunchSignature +
              "  row_norm<<<l.grid, l.block, 0, l.stream>>>(x, w, y, rows, cols);\n  return true;\n}\n"};
}

Outcome run_original(const OriginalRun &run) {
  auto folder = TemporaryFolder::create("cupilot-cpu-original");
  Bundle bundle = row_norm_bundle("original", "sm_90");
  bundle.cases = {run.which};
  bundle.request.time = false;
  bundle.request.run_seconds = 60;
  bundle.waived = run.waived;
  bundle.deterministic = run.deterministic;
  EXPECT_TRUE(write_row_norm_bundle(folder->path(), bundle, run.candidates, run.original));
  auto end = run_emulate({run.verb, folder->path().string()});
  EXPECT_TRUE(end) << end.error().message;
  Outcome outcome{end ? *end : ProcessResult{}, {}};
  for (const HandCandidate &candidate : run.candidates) {
    const auto text = read_file(folder->path() / "candidates" / candidate.id / "verdict.json");
    if (text) outcome.verdicts.push_back(*verdict_from_json(*text));
  }
  return outcome;
}

}  // namespace cupilot
