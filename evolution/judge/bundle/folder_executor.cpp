// SPDX-License-Identifier: Apache-2.0
//
// Copies the bundle to a shared folder and waits for verdict files. The copy appears by one rename, so a
// machine that watches the folder never sees a partial bundle. Verdicts are copied back, so the run's own
// bundle is complete.

#include <fmt/format.h>

#include <unistd.h>

#include <thread>

#include "annotate/support/files.h"
#include "annotate/support/hash.h"
#include "annotate/support/text.h"
#include "evolution/judge/bundle/bundle_writer.h"
#include "evolution/judge/bundle/verdict_files.h"
#include "evolution/model/verdict_json.h"

namespace cupilot::judge::bundle {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr std::size_t kHashDigits = 12;

/// The folder name holds the id and a hash of what the bundle asks. So searches that share a folder never
/// read each other's verdicts, and an earlier copy of the same bundle remains usable, with its verdicts and
/// those still to come.
Result<std::string> name_there(const fs::path &folder, const model::Bundle &bundle) {
  Sha256 content;
  CUPILOT_TRY(question, read_file(folder / "bundle.json"));
  CUPILOT_TRY(original, read_file(folder / "original/entry.cu"));
  content.field(question).field(original);
  for (const auto &candidate : bundle.candidates) {
    CUPILOT_TRY(entry, read_file(folder / "candidates" / candidate.id / "entry.cu"));
    content.field(entry);
  }
  return fmt::format("{}-{}", bundle.id, content.hex().substr(0, kHashDigits));
}

/// If two processes place the same bundle, it does not matter which copy stays.
Result<void> put(const fs::path &bundle, const fs::path &there) {
  std::error_code failed;
  if (fs::exists(there, failed)) return {};
  const fs::path aside = fmt::format("{}.{}.part", there.string(), ::getpid());
  fs::create_directories(there.parent_path(), failed);
  fs::remove_all(aside, failed);
  fs::copy(bundle, aside, fs::copy_options::recursive, failed);
  if (!failed) fs::rename(aside, there, failed);
  if (!failed) return {};
  std::error_code ignored;
  fs::remove_all(aside, ignored);
  if (fs::exists(there / "bundle.json", ignored)) return {};
  return fail(fmt::format("cannot copy the bundle to '{}': {}", there.string(), failed.message()));
}

/// Copies back the verdicts of the other side. An incomplete file may still be in transfer; it is read at the
/// next poll.
void fetch(const fs::path &there, const fs::path &bundle, const std::vector<std::string> &missing) {
  for (const auto &id : missing) {
    const auto text = read_file(verdict_path(there, id));
    if (text && model::verdict_from_json(*text)) (void)write_file_atomic(verdict_path(bundle, id), *text);
  }
}

/// Reports the device once, from the first verdict that contains it.
class DeviceTeller : public JudgeEvents {
public:
  explicit DeviceTeller(JudgeEvents &inner) : inner_(inner) {}
  void verdict(const model::Verdict &verdict) override {
    if (!told_ && !verdict.device.name.empty()) inner_.device(verdict.device), told_ = true;
    inner_.verdict(verdict);
  }

private:
  JudgeEvents &inner_;
  bool told_ = false;
};

}  // namespace

Result<std::vector<model::Verdict>> FolderExecutor::judge(const fs::path &folder, JudgeEvents &events) {
  CUPILOT_TRY(bundle, read_bundle(folder));
  DeviceTeller teller(events);
  VerdictFiles verdicts(folder, bundle, teller);
  verdicts.collect();
  if (verdicts.missing().empty()) return verdicts.in_order();
  CUPILOT_TRY(name, name_there(folder, bundle));
  const auto there = options_.folder / name;
  CUPILOT_CHECKED(put(folder, there));
  events.waiting(fmt::format("waiting for {} verdicts; on a machine with {} run: cupilot-worker {}",
                             verdicts.missing().size(), bundle.architecture, shell_quote(there.string())));
  const auto begin = std::chrono::steady_clock::now();
  while (true) {
    fetch(there, folder, verdicts.missing());
    verdicts.collect();
    if (verdicts.missing().empty() || (options_.stop && *options_.stop)) return verdicts.in_order();
    if (options_.time_limit && std::chrono::steady_clock::now() - begin >= *options_.time_limit) break;
    // Sleeps in short steps, so that Ctrl-C takes effect between two polls.
    const auto next = std::chrono::steady_clock::now() + options_.poll_interval;
    while (std::chrono::steady_clock::now() < next && !(options_.stop && *options_.stop))
      std::this_thread::sleep_for(std::min<milliseconds>(options_.poll_interval, milliseconds(50)));
  }
  for (const auto &id : verdicts.missing())
    verdicts.give_up(id, "no verdict came back within the time limit");
  return verdicts.in_order();
}

}  // namespace cupilot::judge::bundle
