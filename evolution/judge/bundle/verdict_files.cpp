// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/bundle/verdict_files.h"

#include <fmt/format.h>

#include "annotate/support/files.h"
#include "annotate/support/log.h"
#include "evolution/judge/bundle/bundle_writer.h"
#include "evolution/model/verdict_json.h"

namespace cupilot::judge::bundle {

namespace fs = std::filesystem;

void VerdictFiles::take(model::Verdict verdict) {
  const auto [place, fresh] = verdicts_.emplace(verdict.candidate, std::move(verdict));
  if (fresh) events_.verdict(place->second);
}

void VerdictFiles::collect() {
  for (const auto &id : missing()) {
    const auto path = verdict_path(folder_, id);
    std::error_code failed;
    if (!fs::exists(path, failed)) continue;
    const auto text = read_file(path);
    auto verdict = text ? model::verdict_from_json(*text) : std::unexpected(text.error());
    if (verdict && verdict->candidate != id)
      verdict = fail(fmt::format("it is about the candidate '{}'", verdict->candidate));
    if (verdict) {
      take(std::move(*verdict));
      continue;
    }
    log::warning(fmt::format("the verdict '{0}' is damaged and is renamed to '{0}.damaged': {1}",
                             path.string(), verdict.error().message));
    fs::rename(path, path.string() + ".damaged", failed);
  }
}

std::vector<std::string> VerdictFiles::missing() const {
  std::vector<std::string> ids;
  for (const auto &candidate : bundle_.candidates)
    if (!verdicts_.contains(candidate.id)) ids.push_back(candidate.id);
  return ids;
}

void VerdictFiles::give_up(const std::string &candidate, const std::string &reason) {
  model::Verdict verdict;
  verdict.candidate = candidate;
  verdict.kind = model::VerdictKind::not_evaluated;
  verdict.reason = reason;
  take(std::move(verdict));
}

std::vector<model::Verdict> VerdictFiles::in_order() const {
  std::vector<model::Verdict> all;
  for (const auto &candidate : bundle_.candidates)
    if (const auto found = verdicts_.find(candidate.id); found != verdicts_.end())
      all.push_back(found->second);
  return all;
}

}  // namespace cupilot::judge::bundle
