// SPDX-License-Identifier: Apache-2.0
//
// The program that runs under a tool of compute-sanitizer. Every buffer is an allocation of its own with
// exactly the workload's length, and nothing is poisoned: so the tools can see accesses past an end and reads
// of uninitialised memory.
#include <algorithm>
#include <memory>
#include <tuple>

#include "annotate/support/files.h"
#include "annotate/support/log.h"
#include "evolution/judge/cases/plan.h"
#include "evolution/judge/data/input_family.h"
#include "evolution/judge/engine/recorder_process.h"
#include "evolution/judge/engine/sanitizer.h"
#include "evolution/judge/launches/device_turn.h"
#include "evolution/judge/launches/host_side.h"
#include "evolution/judge/launches/session.h"
#include "evolution/model/bundle_json.h"

namespace cupilot::judge::engine {

namespace {

constexpr std::size_t kMostCases = 3;
/// Run in addition to the workload's own data: other values may take other branches.
constexpr const char *kOtherFamily = "special";

Result<> launch_all(const Engine &engine, const std::filesystem::path &folder, const std::string &subject) {
  CUPILOT_TRY(text, read_file(folder / "bundle.json"));
  CUPILOT_TRY(bundle, model::bundle_from_json(text));
  CUPILOT_TRY(program, launches_program());
  CUPILOT_TRY(recorder, RecorderProcess::start(program));
  CUPILOT_TRY(session, engine.open(bundle.architecture));
  // While a tool watches, everything takes long: whoever times waits for the end of a launch, not of them
  // all.
  const std::string device = session->report().bus_id;
  const auto place = subject == "original" ? folder / "original" : folder / "candidates" / subject;
  launches::HostRules host{std::make_shared<launches::Recorder>(recorder->take_socket()), {}};
  CUPILOT_TRY(entry, session->load(place / "entry.so", std::move(host)));
  std::size_t launched = 0;
  for (const SanitizedCase &one : sanitized_cases(bundle, takes_own_cases_only(folder))) {
    const model::Case &which = bundle.cases[one.case_index];
    launches::Setting setting{
        .which = &which,
        .family = one.family,
        .seed = data::derived_seed(cases::data_seed(bundle.request), which.id + "/sanitizer")};
    setting.manner = launches::Manner::exact;
    const auto turn = launches::DeviceTurn::take(device, launches::DeviceTurn::Use::beside);
    CUPILOT_TRY(report, session->run(*entry, bundle.parameters, setting, {}));
    if (!report.faults.empty()) return fail(report.faults.front().text);
    launched += !report.declined;
  }
  if (launched == 0) return fail("declines every case that is small enough");
  return {};
}

}  // namespace

std::vector<SanitizedCase> sanitized_cases(const model::Bundle &bundle, bool own_only) {
  struct Sized {
    std::size_t index;
    std::uint64_t bytes;
    bool own;
  };
  std::vector<Sized> all;
  for (std::size_t i = 0; i < bundle.cases.size(); ++i) {
    const model::Case &which = bundle.cases[i];
    if (which.once) continue;
    const auto layout = cases::make_layout(bundle.parameters, which, cases::Placement::base);
    const bool own = cases::is_users_own(which) || which.timed;
    if (layout && (own || !own_only)) all.push_back({i, layout->arena_bytes, own});
  }
  // The user's own cases come before neighbours, and small ones before large ones. A large case is chosen
  // only when there is no small one.
  std::ranges::stable_sort(all, {}, [](const Sized &one) {
    return std::tuple(one.bytes > cases::kSmallCaseBytes, !one.own, one.bytes);
  });
  std::vector<SanitizedCase> chosen;
  for (const Sized &one : all) {
    if (chosen.size() >= 2 * kMostCases || (!chosen.empty() && one.bytes > cases::kSmallCaseBytes)) break;
    chosen.push_back({one.index, "user"});
    const auto &families = bundle.cases[one.index].families;
    if (std::ranges::find(families, kOtherFamily) != families.end())
      chosen.push_back({one.index, kOtherFamily});
  }
  return chosen;
}

int sanitized_main(const Engine &engine, const std::filesystem::path &bundle, const std::string &subject) {
  const auto done = launch_all(engine, bundle, subject);
  if (!done) log::print(done.error().message + "\n");
  return done ? 0 : 1;
}

}  // namespace cupilot::judge::engine
