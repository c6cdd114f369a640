// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/bundle_judge.h"

#include <fmt/format.h>
#include <system_error>

#include "evolution/judge/bundle/bundle_writer.h"
#include "evolution/judge/cases/cases.h"
#include "evolution/judge/data/secret.h"
#include "evolution/judge/screen/static_check.h"

namespace cupilot::search {

Result<std::vector<model::Case>> BundleJudge::cases(const judge::cases::Draw &draw, bool finalist) {
  return judge::cases::make_cases(
      spec_, draw, estimates_ ? judge::cases::CaseCap::emulated : judge::cases::CaseCap::none,
      finalist ? judge::cases::CaseReader::finalist : judge::cases::CaseReader::search);
}

Result<std::vector<model::Verdict>> BundleJudge::judge(const Batch &batch,
                                                       judge::bundle::JudgeEvents &events) {
  std::vector<model::Verdict> verdicts;
  judge::bundle::BundleContent content{.id = batch.id, .architecture = architecture_, .spec = spec_};
  for (const model::Individual &individual : batch.individuals) {
    if (const auto rejected = judge::screen::static_check(individual, spec_)) {
      events.verdict(*rejected);
      verdicts.push_back(*rejected);
    } else {
      content.individuals.push_back(individual);
    }
  }
  if (content.individuals.empty()) return verdicts;

  content.waived = waived_;
  content.request.seed = batch.seed;
  content.request.secret = judge::data::draw_secret();
  CUPILOT_TRY(cases_to_judge, cases({batch.seed, content.request.secret}, batch.finalist));
  content.cases = std::move(cases_to_judge);
  content.request.finalist = batch.finalist;
  content.request.check_original = !original_checked_;
  content.request.profile = batch.profile;
  if (estimates_) content.request.run_seconds = judge::cases::kEmulatedRunSeconds;
  // A folder of this name can only be left from a run whose database is gone; its verdicts do not belong to
  // this run.
  std::error_code code;
  std::filesystem::remove_all(batch.folder, code);
  if (code)
    return fail(fmt::format("cannot clear the bundle folder {}: {}", batch.folder.string(), code.message()));
  CUPILOT_TRY(bundle, judge::bundle::write_bundle(batch.folder, content));
  CUPILOT_TRY(judged, executor_.judge(batch.folder, events));
  original_checked_ = true;
  verdicts.insert(verdicts.end(), judged.begin(), judged.end());
  return verdicts;
}

}  // namespace cupilot::search
