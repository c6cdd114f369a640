// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/role_caller.h"

#include <fmt/format.h>
#include <algorithm>
#include <thread>

#include "evolution/provider/recording.h"

namespace cupilot::search {
namespace {

store::RoleCall call_of(const provider::RoleRequest &request, const provider::Provider &provider) {
  return {.role = request.role,
          .prompt_version = request.prompt_version,
          .content = request.content,
          .prefix = request.prefix,
          .prompt = request.prompt,
          .question_sha256 = provider::question_sha256(request),
          .provider = provider.name(),
          .model = provider.model()};
}

void set_cost(store::RoleCall &call, const provider::Spending &spent, double seconds) {
  call.tokens_in = spent.tokens_in;
  call.tokens_cached = spent.tokens_cached;
  call.tokens_out = spent.tokens_out;
  call.price_usd = spent.usd;
  call.seconds = seconds;
}

provider::Spending cost_of(const store::RoleCall &call) {
  return {call.tokens_in, call.tokens_cached, call.tokens_out, call.price_usd};
}

bool was_asked(const store::RoleCall &call) {
  return call.id != 0;
}
bool is_bad(const store::RoleCall &call) {
  return call.state == store::RoleCall::State::answered && !call.failure.empty();
}

void check_answer(store::RoleCall &call, const std::function<Result<void>(std::string_view)> &check) {
  const auto good = check(call.answer);
  call.failure = good ? "" : fmt::format("the {}'s answer: {}", call.role, good.error().message);
}

/// A model that gets the identical question again may give the same bad answer, so the reason is added.
provider::RoleRequest once_more(provider::RoleRequest request, const std::string &why) {
  request.prompt += fmt::format("\n\nYour last answer could not be used: {}. Answer again in full.", why);
  return request;
}

}  // namespace

std::string RoleCaller::done_because() const {
  return ended_because_.empty() ? ledger_.done_because() : ended_because_;
}

Result<std::vector<Answered<std::string>>> RoleCaller::ask_texts(const Requests &requests,
                                                                 const Check &check) {
  CUPILOT_TRY(calls, say_all(requests, check));
  Positions again;
  Requests second;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    // Built-in rules would repeat the same answer.
    if (!is_bad(calls[i]) || !provider_of_(requests[i].role).costly()) continue;
    again.push_back(i);
    second.push_back(once_more(requests[i], check(calls[i].answer).error().message));
  }
  CUPILOT_TRY(second_calls, say_all(second, check));

  std::vector<Answered<std::string>> texts;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    std::vector<std::int64_t> ids;
    if (was_asked(calls[i])) ids.push_back(calls[i].id);
    const store::RoleCall *last = &calls[i];
    if (const auto found = std::ranges::find(again, i); found != again.end()) {
      last = &second_calls[static_cast<std::size_t>(found - again.begin())];
      if (was_asked(*last)) ids.push_back(last->id);
    }
    if (last->failure.empty())
      texts.emplace_back(last->answer);
    else
      texts.emplace_back(std::unexpected(RoleFailure{last->failure}));
    texts.back().calls = std::move(ids);
  }
  return texts;
}

Result<std::vector<store::RoleCall>> RoleCaller::say_all(const Requests &requests, const Check &check) {
  std::vector<store::RoleCall> calls;
  std::map<std::string, std::size_t> seen;
  Positions costly, rules;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const provider::Provider &provider = provider_of_(requests[i].role);
    calls.push_back(call_of(requests[i], provider));
    if (!seen.emplace(calls[i].question_sha256, i).second) continue;
    if (!provider.costly()) {
      rules.push_back(i);
      continue;
    }
    CUPILOT_TRY(known, database_.find_answer(run_, calls[i].question_sha256, provider.name()));
    if (!known) {
      costly.push_back(i);
      continue;
    }
    calls[i] = std::move(*known);
    check_answer(calls[i], check);
    report(calls[i], true);
  }
  for (const auto &[provider, some] : by_provider(requests, rules))
    CUPILOT_CHECKED(ask_free(*provider, requests, some, check, calls));
  CUPILOT_CHECKED(ask_costly(requests, std::move(costly), check, calls));
  for (store::RoleCall &call : calls) call = store::RoleCall(calls[seen.at(call.question_sha256)]);
  return calls;
}

std::vector<std::pair<provider::Provider *, RoleCaller::Positions>> RoleCaller::by_provider(
    const Requests &requests, const Positions &some) const {
  std::vector<std::pair<provider::Provider *, Positions>> groups;
  for (const std::size_t i : some) {
    provider::Provider *provider = &provider_of_(requests[i].role);
    auto group = std::ranges::find(groups, provider, &std::pair<provider::Provider *, Positions>::first);
    if (group == groups.end()) group = groups.insert(groups.end(), {provider, {}});
    group->second.push_back(i);
  }
  return groups;
}

/// Removes from the front of `open` the questions that fit the budget together.
RoleCaller::Positions RoleCaller::reserve_what_fits(const Requests &requests, Positions &open) {
  Positions wave;
  while (!open.empty()) {
    const provider::RoleRequest &request = requests[open.front()];
    if (!ledger_.reserve(provider_of_(request.role).at_most(request))) break;
    wave.push_back(open.front());
    open.erase(open.begin());
  }
  return wave;
}

void RoleCaller::give_back(const Requests &requests, const Positions &some, Positions &open) {
  for (const std::size_t i : some) ledger_.settle(provider_of_(requests[i].role).at_most(requests[i]), {});
  open.insert(open.begin(), some.begin(), some.end());
}

/// Answers cost less than their highest possible cost: a question that does not fit together with the others
/// may fit after them.
Result<void> RoleCaller::ask_costly(const Requests &requests, Positions open, const Check &check,
                                    std::vector<store::RoleCall> &calls) {
  while (!open.empty() && done_because().empty()) {
    const Positions wave = reserve_what_fits(requests, open);
    for (const auto &[provider, some] : by_provider(requests, wave)) {
      if (ended_because_.empty()) {
        CUPILOT_CHECKED(ask_wave(*provider, requests, some, check, calls));
      } else {
        give_back(requests, some, open);
      }
    }
  }
  for (const std::size_t i : open) calls[i].failure = "not asked: " + done_because();
  return {};
}

Result<void> RoleCaller::ask_wave(provider::Provider &provider, const Requests &requests,
                                  const Positions &wave, const Check &check,
                                  std::vector<store::RoleCall> &calls) {
  Requests some;
  std::vector<provider::Spending> reserved;
  for (const std::size_t i : wave) {
    some.push_back(requests[i]);
    reserved.push_back(provider.at_most(requests[i]));
    set_cost(calls[i], reserved.back(), 0);
    CUPILOT_TRY(id, database_.begin_role_call(run_, calls[i]));
    calls[i].id = id;
  }
  if (progress_ != nullptr)
    progress_->role_asked({.kernel = kernel_,
                           .role = some.front().role,
                           .provider = provider.name(),
                           .model = provider.model(),
                           .questions = some.size()});
  Result<void> kept;
  const auto arrived = [&](std::size_t at, provider::ProviderAnswer answer) {
    store::RoleCall &call = calls[wave.at(at)];
    if (call.state != store::RoleCall::State::asked) return;
    take(call, std::move(answer), check);
    ledger_.settle(reserved[at], cost_of(call));
    if (auto ended = database_.end_role_call(call); !ended && kept) kept = std::move(ended);
    report(call, false);
  };
  provider.answer_all(some, arrived);
  for (std::size_t at = 0; at < wave.size(); ++at)
    if (calls[wave[at]].state == store::RoleCall::State::asked)
      arrived(at, std::unexpected(provider::NoAnswer{
                      .reason = fmt::format("the provider '{}' gave no answer", provider.name()),
                      .spent = reserved[at]}));
  return kept;
}

// Built-in rules may have been improved since the last run, so they are asked again.
Result<void> RoleCaller::ask_free(provider::Provider &provider, const Requests &requests,
                                  const Positions &open, const Check &check,
                                  std::vector<store::RoleCall> &calls) {
  Requests some;
  for (const std::size_t i : open) some.push_back(requests[i]);
  auto answers = free_answers(provider, some);
  for (std::size_t at = 0; at < open.size(); ++at) {
    store::RoleCall &call = calls[open[at]];
    take(call, std::move(answers[at]), check);
    CUPILOT_TRY(id, database_.begin_role_call(run_, call));
    call.id = id;
  }
  return {};
}

void RoleCaller::take(store::RoleCall &call, provider::ProviderAnswer answer, const Check &check) {
  if (answer) {
    call.state = store::RoleCall::State::answered;
    call.answer = std::move(answer->content);
    if (!answer->model.empty()) call.model = std::move(answer->model);
    call.request_id = std::move(answer->request_id);
    set_cost(call, answer->spent, answer->seconds);
    check_answer(call, check);
    return;
  }
  call.state = store::RoleCall::State::failed;
  call.failure = answer.error().reason;
  set_cost(call, answer.error().spent, answer.error().seconds);
  if (answer.error().final && ended_because_.empty()) ended_because_ = call.failure;
}

void RoleCaller::report(const store::RoleCall &call, bool resumed) const {
  if (progress_ == nullptr) return;
  progress_->role_answered({.kernel = kernel_,
                            .role = call.role,
                            .provider = call.provider,
                            .model = call.model,
                            .failure = call.failure,
                            .tokens_in = call.tokens_in,
                            .tokens_cached = call.tokens_cached,
                            .tokens_out = call.tokens_out,
                            .usd = call.price_usd,
                            .seconds = call.seconds,
                            .resumed = resumed,
                            .run_tokens = ledger_.spent().tokens(),
                            .run_usd = ledger_.spent().usd});
}

void RoleCaller::foresee(const Requests &requests) {
  if (thinking_.valid()) return;
  Requests free;
  for (const provider::RoleRequest &request : requests)
    if (!provider_of_(request.role).costly()) free.push_back(request);
  if (free.empty()) return;
  thinking_ = std::async(std::launch::async, [this, some = std::move(free)] { return think_ahead(some); });
}

/// Asks in parts, so that a search that ends meanwhile does not have to wait for all of them.
RoleCaller::Foreseen RoleCaller::think_ahead(const Requests &requests) {
  Foreseen foreseen;
  const std::size_t part = std::max(1u, std::thread::hardware_concurrency());
  for (std::size_t first = 0; first < requests.size() && !no_more_foresight_; first += part) {
    Positions some;
    for (std::size_t i = first; i < std::min(first + part, requests.size()); ++i) some.push_back(i);
    for (const auto &[provider, positions] : by_provider(requests, some)) {
      Requests group;
      for (const std::size_t i : positions) group.push_back(requests[i]);
      provider->answer_all(group, [&](std::size_t at, provider::ProviderAnswer answer) {
        foreseen.emplace(provider::question_sha256(group[at]), std::move(answer));
      });
    }
  }
  return foreseen;
}

/// Each answer that was asked for ahead is used once.
std::vector<provider::ProviderAnswer> RoleCaller::free_answers(provider::Provider &provider,
                                                               const Requests &requests) {
  if (thinking_.valid()) foreseen_.merge(thinking_.get());
  std::vector<provider::ProviderAnswer> answers(
      requests.size(), std::unexpected(provider::NoAnswer{
                           .reason = fmt::format("the provider '{}' gave no answer", provider.name())}));
  Requests unforeseen;
  Positions places;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (auto found = foreseen_.extract(provider::question_sha256(requests[i]))) {
      answers[i] = std::move(found.mapped());
    } else {
      unforeseen.push_back(requests[i]);
      places.push_back(i);
    }
  }
  provider.answer_all(unforeseen, [&](std::size_t at, provider::ProviderAnswer answer) {
    answers[places.at(at)] = std::move(answer);
  });
  return answers;
}

}  // namespace cupilot::search
