// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/role_caller.h"

#include <algorithm>
#include <thread>

namespace cupilot {
namespace {

std::string text_of(const RoleRequest &request) {
  return request.role + "\n" + request.content + request.prompt;
}

RoleCall question_of(const RoleRequest &request, const Provider &provider) {
  return {.role = request.role,
          .prompt_version = request.prompt_version,
          .request = request.content + request.prompt,
          .provider = provider.name()};
}

}  // namespace

Result<Answered<std::string>> RoleCaller::keep(const RoleRequest &request, const Result<RoleAnswer> &answer,
                                               const Check &check) {
  RoleCall call = question_of(request, provider_);
  if (answer) {
    call.answer = answer->content;
    call.model = answer->model;
    call.tokens_in = answer->tokens_in;
    call.tokens_out = answer->tokens_out;
    call.price_usd = answer->price_usd;
    call.seconds = answer->seconds;
    if (const auto good = check(call.answer); !good)
      call.failure = "the " + request.role + "'s answer: " + good.error().message;
  } else {
    call.failure = answer.error().message;
  }
  CUPILOT_CHECKED(database_.add_role_call(run_, call));
  if (!call.failure.empty()) return Answered<std::string>(std::unexpected(RoleFailure{call.failure}));
  return Answered<std::string>(call.answer);
}

Result<Answered<std::string>> RoleCaller::ask_costly(const RoleRequest &request, const Check &check) {
  CUPILOT_TRY(known, database_.find_answer(question_of(request, provider_)));
  if (known && check(known->answer)) return Answered<std::string>(known->answer);
  CUPILOT_TRY(first, keep(request, provider_.answer(request), check));
  if (first) return first;
  return keep(request, provider_.answer(request), check);
}

void RoleCaller::foresee(const std::vector<RoleRequest> &requests) {
  if (provider_.costly() || thinking_.valid()) return;
  thinking_ = std::async(std::launch::async, [this, requests] { return think_ahead(requests); });
}

/// In parts, so that a search that ends meanwhile does not wait for all of them.
RoleCaller::Foreseen RoleCaller::think_ahead(const std::vector<RoleRequest> &requests) {
  Foreseen foreseen;
  const std::size_t part = std::max(1u, std::thread::hardware_concurrency());
  for (std::size_t first = 0; first < requests.size() && !no_more_foresight_; first += part) {
    const auto begin = requests.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = requests.begin() + static_cast<std::ptrdiff_t>(std::min(first + part, requests.size()));
    const std::vector<RoleRequest> some(begin, end);
    const auto answers = provider_.answer_all(some);
    for (std::size_t i = 0; i < some.size(); ++i) foreseen.emplace(text_of(some[i]), answers[i]);
  }
  return foreseen;
}

std::vector<Result<RoleAnswer>> RoleCaller::answer_all(const std::vector<RoleRequest> &requests) {
  if (thinking_.valid()) foreseen_.merge(thinking_.get());
  std::vector<RoleRequest> unforeseen;
  for (const RoleRequest &request : requests)
    if (!foreseen_.contains(text_of(request))) unforeseen.push_back(request);
  const auto answers = provider_.answer_all(unforeseen);
  for (std::size_t i = 0; i < unforeseen.size(); ++i)
    foreseen_.insert_or_assign(text_of(unforeseen[i]), answers[i]);
  std::vector<Result<RoleAnswer>> in_order;
  for (const RoleRequest &request : requests) in_order.push_back(foreseen_.at(text_of(request)));
  for (const RoleRequest &request : requests) foreseen_.erase(text_of(request));
  return in_order;
}

Result<std::vector<Answered<std::string>>> RoleCaller::ask_texts(const std::vector<RoleRequest> &requests,
                                                                 const Check &check) {
  std::vector<Answered<std::string>> texts;
  if (provider_.costly()) {
    for (const RoleRequest &request : requests) {
      CUPILOT_TRY(text, ask_costly(request, check));
      texts.push_back(std::move(text));
    }
    return texts;
  }
  // Asked a second time, rules would only say the same again; and they may have been improved since the last
  // run.
  const auto answers = answer_all(requests);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    CUPILOT_TRY(text, keep(requests[i], answers[i], check));
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace cupilot
