// SPDX-License-Identifier: Apache-2.0
#include "evolution/provider/mailbox_json.h"

#include <array>

#include "annotate/spec/json_convert.h"
#include "annotate/support/text.h"

namespace cupilot {
namespace {

constexpr std::array kAnswerMembers = {"cupilot_answer_text", "text",          "no_answer", "model",
                                       "tokens_in",           "tokens_cached", "tokens_out"};

void take_tokens(const Json &json, const char *member, long long &into) {
  optional_member(json, member, into);
  if (into < 0) throw std::runtime_error(std::string("member '") + member + "' is negative");
}

Result<MailboxAnswer> answer_from(const Json &json) {
  MailboxAnswer read;
  const std::vector<std::string> known(kAnswerMembers.begin(), kAnswerMembers.end());
  for (const auto &[name, value] : json.items())
    if (std::ranges::find(known, name) == known.end())
      return fail("unknown member '" + name + "'; " + did_you_mean(name, known));
  optional_member(json, "no_answer", read.no_answer);
  if (read.no_answer.empty()) json.at("text").get_to(read.answer.content);
  optional_member(json, "model", read.answer.model);
  take_tokens(json, "tokens_in", read.answer.spent.tokens_in);
  take_tokens(json, "tokens_cached", read.answer.spent.tokens_cached);
  take_tokens(json, "tokens_out", read.answer.spent.tokens_out);
  if (read.no_answer.empty() && trim(read.answer.content).empty()) return fail("its text is empty");
  return read;
}

}  // namespace

std::string mailbox_prompt(int number, const std::string &question_sha256, const RoleRequest &request) {
  return one_line({{"cupilot_prompt", 1},
                   {"number", number},
                   {"question", question_sha256},
                   {"role", request.role},
                   {"prompt_version", request.prompt_version},
                   {"prefix", request.prefix},
                   {"prompt", request.prompt}}) +
         "\n";
}

Result<std::string> question_of_mailbox_prompt(std::string_view text) {
  return read_json<std::string>(text, "cupilot_prompt", 1, [](const Json &json) -> Result<std::string> {
    return json.at("question").get<std::string>();
  });
}

Result<MailboxAnswer> mailbox_answer(std::string_view text) {
  return read_json<MailboxAnswer>(text, "cupilot_answer_text", 1, answer_from);
}

}  // namespace cupilot
