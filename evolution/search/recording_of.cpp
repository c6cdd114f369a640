// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/recording_of.h"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "annotate/support/hash.h"

namespace cupilot::search {
namespace {

provider::RecordedQuestion recorded(const store::RoleCall &call) {
  provider::RecordedQuestion one{
      .question = call.question_sha256,
      .role = call.role,
      .prompt_version = call.prompt_version,
      .prefix = call.prefix,
      .prompt = call.prompt,
      .failure = call.failure,
      .model = call.model,
      .spent = {call.tokens_in, call.tokens_cached, call.tokens_out, call.price_usd},
      .seconds = call.seconds};
  if (call.state == store::RoleCall::State::answered) one.answer = call.answer;
  return one;
}

/// In the search's order of preference: usable answers, then unusable ones, then none; later ones first.
bool replaces(const store::RoleCall &later, const store::RoleCall &earlier) {
  const auto rank = [](const store::RoleCall &call) {
    return call.state == store::RoleCall::State::answered ? (call.failure.empty() ? 2 : 1) : 0;
  };
  return rank(later) >= rank(earlier);
}

std::vector<store::RoleCall> once_each(std::vector<store::RoleCall> calls) {
  std::vector<store::RoleCall> kept;
  std::map<std::string, std::size_t> places;
  for (store::RoleCall &call : calls) {
    if (call.state == store::RoleCall::State::asked) continue;
    const auto [found, added] = places.emplace(call.question_sha256, kept.size());
    if (added)
      kept.push_back(std::move(call));
    else if (replaces(call, kept[found->second]))
      kept[found->second] = std::move(call);
  }
  return kept;
}

}  // namespace

Result<provider::Recording> recording_of(const store::Database &database, std::int64_t run) {
  CUPILOT_TRY(runs, database.runs());
  const auto stored = std::ranges::find(runs, run, &store::StoredRun::id);
  if (stored == runs.end()) return fail(fmt::format("the run database has no run {}", run));
  provider::Recording recording{.kernel = stored->info.kernel,
                                .kernel_id = stored->info.kernel_id,
                                .architecture = stored->info.architecture,
                                .policy = stored->info.policy,
                                .options = stored->info.options,
                                .seed = stored->info.seed};
  CUPILOT_TRY(calls, database.role_calls(run));
  for (const store::RoleCall &call : once_each(std::move(calls))) {
    recording.questions.push_back(recorded(call));
    // Built-in rules answer some roles besides a model; the recording is named after the model.
    if (recording.provider.empty() || call.provider != provider::kBuiltinProvider)
      recording.provider = call.provider;
  }
  CUPILOT_TRY(individuals, database.individuals(run));
  std::set<std::pair<std::string, std::uint64_t>> said;
  for (store::StoredIndividual &one : individuals) {
    const std::string variant = sha256(one.individual.variant);
    if (!one.verdict || !said.emplace(variant, one.seed).second) continue;
    if (!one.verdict->device.name.empty()) recording.device = one.verdict->device.name;
    recording.variants.emplace(variant, std::move(one.individual.variant));
    recording.verdicts.push_back({variant, one.seed, std::move(*one.verdict)});
  }
  return recording;
}

}  // namespace cupilot::search
