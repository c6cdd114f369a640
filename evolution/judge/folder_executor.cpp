// SPDX-License-Identifier: Apache-2.0
//
// Puts the bundle where somebody else can take it and waits for verdict files. The copy appears by one
// rename, so a machine that watches the folder never sees a part. Verdicts are copied back: the run's own
// bundle stays whole.

#include <thread>

#include "annotate/support/files.h"
#include "annotate/support/text.h"
#include "evolution/judge/bundle_writer.h"
#include "evolution/judge/verdict_files.h"
#include "evolution/model/bundle_json.h"
#include "evolution/model/verdict_json.h"

namespace cupilot {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

bool same_folder(const fs::path &a, const fs::path &b) {
  std::error_code failed;
  return fs::equivalent(a, b, failed) && !failed;
}

/// What was put there before is the same question: verdicts there or under way stay good.
bool already_there(const fs::path &bundle, const fs::path &there) {
  const auto ours = read_file(bundle / "bundle.json"), theirs = read_file(there / "bundle.json");
  if (!ours || !theirs || *ours != *theirs) return false;
  const auto parsed = bundle_from_json(*ours);
  if (!parsed) return false;
  const auto equal = [&](const fs::path &file) {
    const auto a = read_file(bundle / file), b = read_file(there / file);
    return a && b && *a == *b;
  };
  for (const auto &candidate : parsed->candidates)
    if (!equal(fs::path("candidates") / candidate.id / "entry.cu")) return false;
  return equal("original/entry.cu");
}

Result<void> put(const fs::path &bundle, const fs::path &there) {
  if (same_folder(bundle, there) || already_there(bundle, there)) return {};
  const fs::path aside = there.string() + ".part";
  std::error_code failed;
  fs::create_directories(there.parent_path(), failed);
  fs::remove_all(aside, failed);
  fs::copy(bundle, aside, fs::copy_options::recursive, failed);
  if (!failed) fs::remove_all(there, failed);
  if (!failed) fs::rename(aside, there, failed);
  if (failed) return fail("cannot put the bundle into '" + there.string() + "': " + failed.message());
  return {};
}

/// Copies back what the other side has judged. What is no verdict yet is still being written by a copy tool
/// and is left for the next look.
void fetch(const fs::path &there, const fs::path &bundle, const std::vector<std::string> &missing) {
  for (const auto &id : missing) {
    const auto text = read_file(verdict_path(there, id));
    if (text && verdict_from_json(*text)) (void)write_file_atomic(verdict_path(bundle, id), *text);
  }
}

/// Tells the device once, from the first verdict that knows it.
class DeviceTeller : public JudgeEvents {
public:
  explicit DeviceTeller(JudgeEvents &inner) : inner_(inner) {}
  void verdict(const Verdict &verdict) override {
    if (!told_ && !verdict.device.name.empty()) inner_.device(verdict.device), told_ = true;
    inner_.verdict(verdict);
  }

private:
  JudgeEvents &inner_;
  bool told_ = false;
};

}  // namespace

Result<std::vector<Verdict>> FolderExecutor::judge(const fs::path &folder, JudgeEvents &events) {
  CUPILOT_TRY(bundle, read_bundle(folder));
  DeviceTeller teller(events);
  VerdictFiles verdicts(folder, bundle, teller);
  verdicts.collect();
  if (verdicts.missing().empty()) return verdicts.in_order();
  const auto there = options_.folder / bundle.id;
  CUPILOT_CHECKED(put(folder, there));
  events.waiting("waiting for " + std::to_string(verdicts.missing().size()) +
                 " verdicts; on a machine with " + bundle.architecture + " run: cupilot-worker " +
                 shell_quote(there.string()));
  const auto begin = std::chrono::steady_clock::now();
  while (true) {
    if (!same_folder(folder, there)) fetch(there, folder, verdicts.missing());
    verdicts.collect();
    if (verdicts.missing().empty() || (options_.stop && *options_.stop)) return verdicts.in_order();
    if (options_.time_limit && std::chrono::steady_clock::now() - begin >= *options_.time_limit) break;
    // Short pieces, so that Ctrl-C is heard between two looks.
    const auto next = std::chrono::steady_clock::now() + options_.poll_interval;
    while (std::chrono::steady_clock::now() < next && !(options_.stop && *options_.stop))
      std::this_thread::sleep_for(std::min<milliseconds>(options_.poll_interval, milliseconds(50)));
  }
  for (const auto &id : verdicts.missing())
    verdicts.give_up(id, "no verdict came back within the time limit");
  return verdicts.in_order();
}

}  // namespace cupilot
