// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/recorded_judge.h"

#include <fmt/format.h>

#include "annotate/support/hash.h"
#include "evolution/judge/cases/cases.h"

namespace cupilot::search {

RecordedJudge::RecordedJudge(const provider::Recording &recording, const spec::KernelSpec &spec,
                             bool estimates)
    : recording_(recording), spec_(spec), estimates_(estimates) {
  for (const provider::RecordedVerdict &one : recording.verdicts) {
    verdicts_.emplace(std::pair(one.variant_sha256, one.seed), &one.verdict);
    if (!one.verdict.device.name.empty()) device_ = one.verdict.device;
  }
}

Result<std::vector<model::Verdict>> RecordedJudge::judge(const Batch &batch,
                                                         judge::bundle::JudgeEvents &events) {
  if (recording_.kernel_id != spec_.kernel_id)
    return user_error(
        recording_.kernel == spec_.name
            ? fmt::format("the recording is of an earlier state of the kernel '{}', which was changed since",
                          spec_.name)
            : fmt::format("the recording is of the kernel '{}' and has no verdicts about '{}'",
                          recording_.kernel, spec_.name));
  std::vector<model::Verdict> verdicts;
  for (const model::Individual &individual : batch.individuals) {
    verdicts.push_back(verdict_about(individual, batch.seed));
    events.verdict(verdicts.back());
  }
  return verdicts;
}

model::Verdict RecordedJudge::verdict_about(const model::Individual &individual, std::uint64_t seed) const {
  if (const auto found = verdicts_.find({sha256(individual.variant), seed}); found != verdicts_.end()) {
    model::Verdict verdict = *found->second;
    verdict.candidate = individual.id;
    return verdict;
  }
  return {.candidate = individual.id,
          .kind = model::VerdictKind::not_evaluated,
          .stage = "static",
          .reason = fmt::format("the recording has no verdict about this variant with the seed {}", seed),
          .device = device_};
}

Result<std::vector<model::Case>> RecordedJudge::cases(const judge::cases::Draw &draw, bool finalist) {
  return judge::cases::make_cases(
      spec_, draw, estimates_ ? judge::cases::CaseCap::emulated : judge::cases::CaseCap::none,
      finalist ? judge::cases::CaseReader::finalist : judge::cases::CaseReader::search);
}

}  // namespace cupilot::search
