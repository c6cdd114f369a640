// SPDX-License-Identifier: Apache-2.0
#include "original_run.h"

#include <gtest/gtest.h>

#include <chrono>

#include "annotate/support/files.h"
#include "evolution/model/verdict_json.h"

namespace cupilot {
using namespace model;

Result<ProcessResult> run_words(const std::vector<std::string> &words) {
  ProcessRequest request;
  request.argv = words;
  request.time_limit = std::chrono::minutes(4);
  return run_process(request);
}

std::string every(const std::string &statement) {
  return kKernelHead + "  for (int k = i; k < rows * cols; k += gridDim.x * blockDim.x) { " + statement +
         " }\n}\n";
}

std::string maximum_original() {
  return kKernelHead +
         "  float most = -1e30f;\n  for (int k = 0; k < rows * cols; ++k) most = fmaxf(most, x[k]);\n"
         "  if (i < rows) for (int k = 0; k < cols; ++k) y[i * cols + k] = most * w[k];\n}\n";
}

namespace {

/// The original's text with its kernel under another name.
std::string own_kernel(std::string original) {
  const std::string name = "row_norm(";
  return original.replace(original.find(name), name.size(), "own_kernel(");
}
const std::string kLaunchOwn =
    "  own_kernel<<<l.grid, l.block, 0, l.stream>>>(x, w, y, rows, cols);\n  return true;\n}\n";

}  // namespace

HandCandidate same_candidate(const std::string &original) {
  return {"same", own_kernel(original) + kLaunchSignature + kLaunchOwn};
}

HandCandidate skipping(const std::string &id, const std::string &condition) {
  const std::string kernel =
      "__global__ void skipping_kernel(const float *x, const float *w, float *y, int rows, int cols) {\n"
      "  float most = -1e30f;\n"
      "  const int n = rows * cols, i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  for (int k = 0; k < n; ++k) if (" +
      condition +
      ") most = fmaxf(most, x[k]);\n"
      "  if (i < rows) for (int k = 0; k < cols; ++k) y[i * cols + k] = most * w[k];\n}\n";
  return {id, kernel + kLaunchSignature +
                  "  skipping_kernel<<<l.grid, l.block, 0, l.stream>>>(x, w, y, rows, cols);\n"
                  "  return true;\n}\n"};
}

HandCandidate clearing(const std::string &id, const std::string &test, const std::string &original) {
  const std::string kernel =
      "__global__ void clear_kernel(float *y, int n) {\n"
      "  for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x) y[k] = "
      "0;\n}\n";
  return {id, kernel + own_kernel(original) + kLaunchSignature + test +
                  "  clear_kernel<<<l.grid, l.block, 0, l.stream>>>(y, rows * cols);\n" + kLaunchOwn};
}

Outcome run_original(const OriginalRun &run) {
  auto folder = TemporaryFolder::create("cupilot-original");
  Bundle bundle = row_norm_bundle("original", run.architecture);
  bundle.cases = {run.which};
  bundle.cases.insert(bundle.cases.end(), run.further.begin(), run.further.end());
  bundle.request.time = false;
  bundle.request.run_seconds = 60;
  bundle.waived = run.waived;
  bundle.deterministic = run.deterministic;
  EXPECT_TRUE(write_row_norm_bundle(folder->path(), bundle, run.candidates, run.original));
  auto words = run.program;
  words.push_back(folder->path().string());
  auto end = run_words(words);
  EXPECT_TRUE(end) << end.error().message;
  Outcome outcome{end ? *end : ProcessResult{}, {}};
  for (const HandCandidate &candidate : run.candidates) {
    const auto text = read_file(folder->path() / "candidates" / candidate.id / "verdict.json");
    if (text) outcome.verdicts.push_back(*verdict_from_json(*text));
  }
  return outcome;
}

}  // namespace cupilot
