// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "annotate/support/log.h"
#include "driver/emulate/check.h"
#include "evolution/emulate/runtime/finding_report.h"
#include "evolution/emulate/session/session.h"
#include "evolution/judge/bundle/bundle_writer.h"
#include "evolution/judge/data/input_family.h"
#include "evolution/judge/engine/recorder_process.h"
#include "evolution/judge/engine/reference.h"
#include "evolution/judge/launches/host_side.h"
#include "evolution/judge/tools/build.h"

namespace cupilot::driver::emulate {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kClean = 0, kFound = 1, kNotRun = 2;

void emit(const Json &json) {
  std::fputs((json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n").c_str(), stdout);
  std::fflush(stdout);
}

struct Counts {
  std::size_t cases = 0, findings = 0;
};

void emit_findings(const model::Case &which, const cupilot::emulate::session::CheckedRun &run,
                   Counts &counts) {
  emit(Json{{"case", which.id}, {"workload", which.workload}, {"shrunk", which.shrunk}});
  for (const cupilot::emulate::machine::Finding &finding : run.findings) {
    Json told = Json::parse(cupilot::emulate::runtime::finding_line(finding), nullptr, false);
    told["text"] = cupilot::emulate::machine::describe(finding);
    emit(Json{{"finding", std::move(told)}, {"case", which.id}});
    counts.findings += 1;
  }
  counts.cases += 1;
}

Result<Counts> check(const judge::engine::Engine &engine, const std::filesystem::path &folder) {
  CUPILOT_TRY(bundle, judge::bundle::read_bundle(folder));
  emit(Json{{"cupilot_check", 1}, {"kernel", bundle.kernel}, {"architecture", bundle.architecture}});
  const judge::tools::Recipe recipe{bundle, folder, engine.build_options(bundle.architecture)};
  CUPILOT_TRY(built, judge::tools::build_entry(recipe, folder / "original"));
  if (!built.ok) return fail("the kernel does not build:\n" + built.report.log);
  CUPILOT_TRY(session, engine.open(bundle.architecture));
  CUPILOT_TRY(program, judge::engine::launches_program());
  CUPILOT_TRY(recorder, judge::engine::RecorderProcess::start(program));
  CUPILOT_TRY(entry,
              session->load(built.library,
                            {std::make_shared<judge::launches::Recorder>(recorder->take_socket()), {}}));
  Counts counts;
  for (const model::Case &which : bundle.cases) {
    if (!which.verified || !judge::cases::is_users_own(which)) continue;
    judge::launches::Setting setting{&which, "user",
                                     judge::data::derived_seed(bundle.request.seed, which.id + "/user")};
    setting.seconds = bundle.request.run_seconds;
    auto run = cupilot::emulate::session::check_run(*session, *entry, bundle.parameters, setting);
    if (!run) return within(fmt::format("workload '{}'", which.workload), run.error());
    if (run->host)
      return fail(fmt::format("workload '{}': {}", which.workload, recorder->explain(*run->host).text));
    emit_findings(which, *run, counts);
  }
  return counts;
}

}  // namespace

int check_bundle(const judge::engine::Engine &engine, const std::filesystem::path &folder) {
  const auto counts = check(engine, std::filesystem::absolute(folder));
  if (!counts) {
    log::error(counts.error().message);
    emit(Json{{"error", counts.error().message}});
    return kNotRun;
  }
  emit(Json{{"done", {{"cases", counts->cases}, {"findings", counts->findings}}}});
  return counts->findings ? kFound : kClean;
}

}  // namespace cupilot::driver::emulate
