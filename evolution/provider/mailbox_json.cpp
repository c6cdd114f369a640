// SPDX-License-Identifier: Apache-2.0
#include "evolution/provider/mailbox_json.h"

#include <algorithm>

#include "annotate/spec/json_convert.h"
#include "annotate/support/text.h"

namespace cupilot::provider {
namespace {

constexpr const char *kAnswerTag = "cupilot_answer_text";

constexpr auto kAnswer =
    fields(later("no_answer", &MailboxAnswer::no_answer),
           inlined(&MailboxAnswer::answer,
                   fields(later("text", &RoleAnswer::content), later("model", &RoleAnswer::model),
                          inlined(&RoleAnswer::spent, fields(later("tokens_in", &Spending::tokens_in),
                                                             later("tokens_cached", &Spending::tokens_cached),
                                                             later("tokens_out", &Spending::tokens_out))))));
constexpr auto kPrompt =
    fields(field("role", &RoleRequest::role), field("prompt_version", &RoleRequest::prompt_version),
           field("prefix", &RoleRequest::prefix), field("prompt", &RoleRequest::prompt));

Result<MailboxAnswer> answer_from(const spec::Json &json) {
  MailboxAnswer read;
  const spec::Json whole = spec::document_of(kAnswerTag, 1, read, kAnswer);
  std::vector<std::string> known;
  for (const auto &member : whole.items()) known.push_back(member.key());
  for (const auto &[name, value] : json.items()) {
    if (std::ranges::find(known, name) == known.end())
      return fail("unknown member '" + name + "'; " + did_you_mean(name, known));
    if (value.is_number_integer() && value < 0) return fail("member '" + name + "' is negative");
  }
  spec::read_json_into(json, read, {}, kAnswer);
  if (!read.no_answer.empty()) return read;
  if (!json.contains("text")) return fail("no member 'text'");
  if (trim(read.answer.content).empty()) return fail("its text is empty");
  return read;
}

}  // namespace

std::string mailbox_prompt(int number, const std::string &question_sha256, const RoleRequest &request) {
  spec::Json json{{"cupilot_prompt", 1}, {"number", number}, {"question", question_sha256}};
  spec::write_members(json, request, kPrompt);
  return spec::one_line(json) + "\n";
}

Result<std::string> question_of_mailbox_prompt(std::string_view text) {
  return spec::read_json<std::string>(
      text, "cupilot_prompt", 1,
      [](const spec::Json &json) -> Result<std::string> { return json.at("question").get<std::string>(); });
}

Result<MailboxAnswer> mailbox_answer(std::string_view text) {
  return spec::read_json<MailboxAnswer>(text, kAnswerTag, 1, answer_from);
}

}  // namespace cupilot::provider
