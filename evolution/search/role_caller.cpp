// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/role_caller.h"

namespace cupilot {
namespace {

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
  const auto answers = provider_.answer_all(requests);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    CUPILOT_TRY(text, keep(requests[i], answers[i], check));
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace cupilot
