// SPDX-License-Identifier: Apache-2.0
#include "evolution/provider/builtin.h"

#include <fmt/format.h>
#include <algorithm>
#include <atomic>
#include <thread>

#include "annotate/support/process.h"
#include "annotate/support/text.h"
#include "evolution/model/role.h"
#include "evolution/provider/builtin_json.h"
#include "evolution/schedule/schedule.h"

namespace cupilot::provider {

ProviderAnswer BuiltinProvider::answer(const RoleRequest &request) {
  const auto started = std::chrono::steady_clock::now();
  Result<std::string> content =
      fail(fmt::format("the provider 'builtin' does not answer the role '{}'; it answers only {} and {}",
                       request.role, model::kTranslator, model::kStrategist));
  if (request.role == model::kTranslator) content = translate(request.content);
  if (request.role == model::kStrategist) content = list_strategies(request.content);
  if (!content) return std::unexpected(NoAnswer{.reason = content.error().message});
  RoleAnswer answer;
  answer.content = std::move(*content);
  answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return answer;
}

void BuiltinProvider::answer_all(const std::vector<RoleRequest> &requests, const Arrived &arrived) {
  std::vector<ProviderAnswer> answers(requests.size(), std::unexpected(NoAnswer{.reason = "not asked"}));
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < requests.size(); i = next++) answers[i] = answer(requests[i]);
  };
  const std::size_t processors = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < std::min(processors, requests.size()); ++i) others.emplace_back(work);
  work();
  others.clear();  // joins
  for (std::size_t i = 0; i < answers.size(); ++i) arrived(i, std::move(answers[i]));
}

Result<std::string> BuiltinProvider::translate(const std::string &content) {
  CUPILOT_TRY(scheduled, scheduled_answer(content));
  if (scheduled) return std::move(*scheduled);
  CUPILOT_TRY(request, rewrite_request_of(content));
  CUPILOT_TRY(answer, run_annotate("rewrite", std::move(request)));
  return answer_of_rewrite(answer);
}

Result<std::string> BuiltinProvider::list_strategies(const std::string &content) {
  const std::lock_guard lock(mutex_);
  if (rules_.empty()) {
    CUPILOT_TRY(answer, run_annotate("rules", ""));
    CUPILOT_TRY(rules, rules_from(answer));
    rules_ = std::move(rules);
    for (const schedule::Schedule &one : schedule::schedules()) rules_.emplace_back(one.name);
  }
  return strategist_answer(content, rules_);
}

Result<std::string> BuiltinProvider::run_annotate(const std::string &verb, std::string input) {
  ProcessRequest request;
  request.argv = {settings_.annotate, verb};
  request.input = std::move(input);
  request.time_limit = settings_.time_limit;
  CUPILOT_TRY(result, run_process(request));
  if (result.ok()) return std::move(result.out);
  const auto lines = split_lines(trim(result.err));
  const std::string what = fmt::format("{} {}: {}", settings_.annotate, verb, result.describe());
  return fail(lines.empty() ? what : fmt::format("{}: {}", what, lines.back()));
}

}  // namespace cupilot::provider
