// SPDX-License-Identifier: Apache-2.0
#include "evolution/role/role_caller.h"

namespace cupilot {

Result<Answered<std::string>> RoleCaller::ask_once(const RoleRequest &request, const Accept &accept) {
  RoleCall call{.role = request.role,
                .prompt_version = request.prompt_version,
                .request = request.content + request.prompt,
                .provider = provider_.name()};
  if (provider_.costly()) {
    CUPILOT_TRY(known, database_.find_answer(call));
    if (known && accept(known->answer)) return Answered<std::string>(known->answer);
  }
  const auto answer = provider_.answer(request);
  if (answer) {
    call.model = answer->model;
    call.tokens_in = answer->tokens_in;
    call.tokens_out = answer->tokens_out;
    call.price_usd = answer->price_usd;
    call.seconds = answer->seconds;
    const auto accepted = accept(answer->content);
    call.answer = answer->content;
    if (!accepted) call.failure = "the " + request.role + "'s answer: " + accepted.error().message;
  } else {
    call.failure = answer.error().message;
  }
  CUPILOT_CHECKED(database_.add_role_call(run_, call));
  if (!call.failure.empty()) return Answered<std::string>(std::unexpected(RoleFailure{call.failure}));
  return Answered<std::string>(call.answer);
}

Result<Answered<std::string>> RoleCaller::ask_text(const RoleRequest &request, const Accept &accept) {
  CUPILOT_TRY(first, ask_once(request, accept));
  // Built-in rules would only fail the same way again.
  if (first || !provider_.costly()) return first;
  return ask_once(request, accept);
}

}  // namespace cupilot
