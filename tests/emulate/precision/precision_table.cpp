// SPDX-License-Identifier: Apache-2.0
//
// Judges variants of known precision and prints for each what it deviates from the double-precision twin,
// what the original does, and what is allowed. Exit code 1 when a narrow one passed or an honest one did not.
//
//   precision_table [--program PATH] [--long] [--folder FOLDER]
// `--program`: cupilot-worker, for the same on a GPU; `--long`: sums of 65536 terms, too.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "annotate/support/files.h"
#include "annotate/support/process.h"
#include "evolution/judge/bundle/bundle_writer.h"
#include "evolution/model/verdict_json.h"
#include "subject.h"

namespace cupilot {
using namespace judge::bundle;
using namespace model;
namespace {

constexpr int kSkipped = 77;

struct Settings {
  std::string program = CUPILOT_EMULATE_PROGRAM, folder, architecture = "sm_90";
  bool lengthy = false;
};

Result<std::filesystem::path> write(const PrecisionSubject &subject, const Settings &settings,
                                    const std::filesystem::path &folder) {
  BundleContent content;
  content.id = subject.name;
  content.architecture = settings.architecture;
  content.spec = subject.spec;
  content.cases = subject.cases;
  content.request.time = false;
  content.request.seed = 5;
  content.request.run_seconds = 300;
  for (const auto &candidate : subject.candidates) {
    Individual individual;
    individual.id = candidate.id;
    individual.variant = candidate.variant;
    content.individuals.push_back(individual);
  }
  CUPILOT_CHECKED(write_bundle(folder, content));
  return folder;
}

Result<> judge(const Settings &settings, const std::filesystem::path &folder) {
  ProcessRequest request;
  request.argv = {settings.program};
  if (settings.program.ends_with("cupilot-emulate")) request.argv.push_back("judge");
  request.argv.push_back(folder.string());
  request.time_limit = std::chrono::minutes(20);
  CUPILOT_TRY(result, run_process(request));
  if (result.exit_code != 0) return fail(result.out + result.err);
  return {};
}

void print(const PrecisionCandidate &candidate, const Verdict &verdict, bool right) {
  if (verdict.errors.empty())
    std::printf("  %-11s %-7s %-13s %s\n", candidate.id.c_str(), candidate.honest ? "honest" : "narrow",
                to_string(verdict.kind), verdict.reason.c_str());
  for (const OutputError &error : verdict.errors)
    std::printf(
        "  %-11s %-7s %-8s %-11s %-6s rms %.1e (own %.1e, allowed %.1e)  max %.1e (own %.1e, allowed %.1e)\n",
        candidate.id.c_str(), candidate.honest ? "honest" : "narrow",
        verdict.kind == VerdictKind::same ? "right" : to_string(verdict.kind), error.family.c_str(),
        error.parameter.c_str(), error.rms, error.own_rms, error.rms_limit, error.max, error.own_max,
        error.max_limit);
  if (!right) std::printf("  ^ MISJUDGED: %s\n", verdict.reason.c_str());
}

/// How many were misjudged.
Result<int> show(const PrecisionSubject &subject, const Settings &settings,
                 const std::filesystem::path &root) {
  CUPILOT_TRY(folder, write(subject, settings, root / subject.spec.name));
  CUPILOT_CHECKED(judge(settings, folder));
  int misjudged = 0;
  for (const auto &candidate : subject.candidates) {
    CUPILOT_TRY(text, read_file(verdict_path(folder, candidate.id)));
    CUPILOT_TRY(verdict, verdict_from_json(text));
    if (&candidate == &subject.candidates.front())
      std::printf("%s (oracle: %s)\n", subject.name.c_str(), verdict.oracle.c_str());
    const bool passed = verdict.kind == VerdictKind::same;
    const bool caught = verdict.kind == VerdictKind::wrong || verdict.kind == VerdictKind::rejected;
    const bool right = verdict.oracle == "twin" && (candidate.honest ? passed : caught);
    misjudged += !right;
    print(candidate, verdict, right);
    std::fflush(stdout);
  }
  return misjudged;
}

Result<int> show_all(const Settings &settings) {
  CUPILOT_TRY(temporary, TemporaryFolder::create("cupilot-precision"));
  const std::filesystem::path root =
      settings.folder.empty() ? temporary.path() : std::filesystem::path(settings.folder);
  std::vector<PrecisionSubject> subjects{gemm_subject(64), gemm_subject(4096), variance_subject(),
                                         elementwise_subject()};
  if (settings.lengthy) subjects.push_back(gemm_subject(65536));
  int misjudged = 0;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    CUPILOT_TRY(some, show(subjects[i], settings, root / std::to_string(i)));
    misjudged += some;
  }
  std::printf("%d misjudged\n", misjudged);
  return misjudged;
}

}  // namespace
}  // namespace cupilot

int main(int argc, char **argv) {
  cupilot::Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--long")
      settings.lengthy = true;
    else if (word == "--program" && i + 1 < argc)
      settings.program = argv[++i];
    else if (word == "--folder" && i + 1 < argc)
      settings.folder = argv[++i];
    else
      return std::fprintf(stderr, "usage: precision_table [--program PATH] [--long] [--folder FOLDER]\n"), 2;
  }
  const char *chosen = std::getenv("CUPILOT_NVCC");
  if (!cupilot::find_program(chosen ? chosen : "nvcc") &&
      !cupilot::find_program("/usr/local/cuda/bin/nvcc")) {
    std::puts("skipped: no nvcc here");
    return cupilot::kSkipped;
  }
  const auto misjudged = cupilot::show_all(settings);
  if (!misjudged)
    return std::fprintf(stderr, "precision_table: error: %s\n", misjudged.error().message.c_str()), 2;
  return *misjudged != 0;
}
