// SPDX-License-Identifier: Apache-2.0
//
// Writes bundles of hostile candidates, has a worker judge them, and prints what became of each: the worker
// must finish every bundle, and the honest candidate behind all the others must be accepted.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "annotate/support/files.h"
#include "annotate/support/process.h"
#include "attacks.h"
#include "evolution/model/verdict_json.h"
#include "row_norm_bundle.h"

namespace cupilot {
using namespace model;
namespace {

constexpr const char *kHelp =
    "usage: robust --worker PROGRAM [--repeat N] [--few] [--only WORD] [--arch sm_90]\n"
    "PROGRAM is cupilot-worker (needs a GPU) or cupilot-emulate. Exit code 0: every attack has had one of "
    "its\n"
    "verdicts every time; 1: not; 77: no nvcc here.\n";
constexpr int kBadUsage = 2, kSkipped = 77;

struct Options {
  std::string worker, only, architecture;
  int repeat = 1;
  bool few = false;
};

struct Tally {
  int times = 0, good = 0;
  double seconds = 0;
  std::map<std::string, int> verdicts;
  std::string reason;  ///< of the last one, or of the first that is not good
};

bool is_good(const Attack &attack, const Verdict &verdict) {
  return std::ranges::find(attack.verdicts, verdict.kind) != attack.verdicts.end() &&
         verdict.reason.find(attack.word) != std::string::npos;
}

bool is_emulated(const Options &options) {
  return options.worker.find("emulate") != std::string::npos;
}

std::vector<Attack> chosen(const Options &options) {
  std::vector<Attack> all = attacks();
  std::erase_if(all, [&](const Attack &attack) {
    const bool other = !options.only.empty() && attack.id.find(options.only) == std::string::npos;
    return attack.id != "honest" && (other || (options.few && !attack.few));
  });
  return all;
}

Bundle bundle_for(const Options &options) {
  const std::string architecture = !options.architecture.empty() ? options.architecture
                                   : is_emulated(options)        ? "sm_90"
                                                                 : gpu_architecture();
  Bundle bundle = row_norm_bundle("robust", architecture);
  bundle.cases = {row_norm_case("tiny", "tiny", 64, 128, true, {"user"})};
  bundle.request.run_seconds = is_emulated(options) ? 8 : 3;
  bundle.request.timing_seconds = 0.3;
  bundle.request.profile = false;
  return bundle;
}

/// One bundle with every attack; the complaint when the worker did not finish it.
std::string judge(const Options &options, const std::vector<Attack> &all,
                  std::map<std::string, Tally> &tallies) {
  auto folder = TemporaryFolder::create("cupilot-robust");
  if (!folder) return folder.error().message;
  std::vector<HandCandidate> candidates;
  for (const Attack &attack : all) candidates.push_back({attack.id, attack.variant});
  if (const auto written = write_row_norm_bundle(folder->path(), bundle_for(options), candidates); !written)
    return written.error().message;
  ProcessRequest request;
  request.argv = {options.worker};
  if (is_emulated(options)) request.argv.push_back("judge");
  request.argv.push_back(folder->path().string());
  request.time_limit = std::chrono::minutes(8);
  const auto ended = run_process(request);
  if (!ended) return ended.error().message;
  for (const Attack &attack : all) {
    Tally &tally = tallies[attack.id];
    ++tally.times;
    const auto text = read_file(folder->path() / "candidates" / attack.id / "verdict.json");
    const auto verdict = text ? verdict_from_json(*text) : Result<Verdict>(fail("no verdict"));
    ++tally.verdicts[verdict ? to_string(verdict->kind) : "none"];
    const bool good = verdict && is_good(attack, *verdict);
    const bool first_bad = !good && tally.good + 1 == tally.times;
    tally.good += good;
    if (verdict) tally.seconds += verdict->verify_seconds;
    if (good ? tally.good == tally.times : first_bad)
      tally.reason = verdict ? verdict->stage + ": " + verdict->reason : "no verdict";
  }
  if (ended->exit_code != 0)
    return "the worker ended with " + ended->describe() + ": " + ended->out + ended->err;
  return {};
}

void print(const std::vector<Attack> &all, const std::map<std::string, Tally> &tallies) {
  for (const Attack &attack : all) {
    const Tally &tally = tallies.at(attack.id);
    std::string verdicts;
    for (const auto &[verdict, count] : tally.verdicts)
      verdicts += (verdicts.empty() ? "" : ", ") + verdict + " " + std::to_string(count);
    std::printf("%c %-18s %3d of %3d  %6.2f s each  %-24s %s\n", tally.good == tally.times ? ' ' : '!',
                attack.id.c_str(), tally.good, tally.times, tally.seconds / std::max(1, tally.times),
                verdicts.c_str(), tally.reason.substr(0, 220).c_str());
  }
}

int run(const Options &options) {
  const char *chosen_compiler = std::getenv("CUPILOT_NVCC");
  if (!chosen_compiler && !find_program("nvcc") && !find_program("/usr/local/cuda/bin/nvcc")) {
    std::printf("skipped: no nvcc here\n");
    return kSkipped;
  }
  const auto all = chosen(options);
  std::map<std::string, Tally> tallies;
  for (const Attack &attack : all) tallies[attack.id];
  int unfinished = 0;
  for (int round = 0; round < options.repeat; ++round)
    if (const std::string complaint = judge(options, all, tallies); !complaint.empty()) {
      ++unfinished;
      std::printf("round %d: %s\n", round + 1, complaint.c_str());
    }
  print(all, tallies);
  const bool good = std::ranges::all_of(
      tallies, [](const auto &one) { return one.second.times && one.second.good == one.second.times; });
  std::printf("%d of %d bundles finished; %s\n", options.repeat - unfinished, options.repeat,
              good ? "every attack was held" : "not every attack was held");
  return good && !unfinished ? 0 : 1;
}

bool read_words(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--few") {
      options.few = true;
      continue;
    }
    if (i + 1 == argc) return false;
    const std::string value = argv[++i];
    if (word == "--worker")
      options.worker = value;
    else if (word == "--only")
      options.only = value;
    else if (word == "--arch")
      options.architecture = value;
    else if (word == "--repeat")
      options.repeat = std::max(1, std::atoi(value.c_str()));
    else
      return false;
  }
  return !options.worker.empty();
}

}  // namespace
}  // namespace cupilot

int main(int argc, char **argv) {
  cupilot::Options options;
  if (cupilot::read_words(argc, argv, options)) return cupilot::run(options);
  std::fputs(cupilot::kHelp, stderr);
  return cupilot::kBadUsage;
}
