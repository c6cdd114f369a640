// SPDX-License-Identifier: Apache-2.0
//
// The JSON files of a mailbox. Private to evolution/provider.

#pragma once

#include <string>
#include <string_view>

#include "annotate/support/result.h"
#include "evolution/provider/provider.h"

namespace cupilot::provider {

std::string mailbox_prompt(int number, const std::string &question_sha256, const RoleRequest &request);
/// The question's hash in a prompt file.
Result<std::string> question_of_mailbox_prompt(std::string_view text);

struct MailboxAnswer {
  RoleAnswer answer;
  std::string no_answer;  ///< why there will be no answer; `answer` is then unused
};
/// Parses strictly: an error says which member is missing or wrong.
Result<MailboxAnswer> mailbox_answer(std::string_view text);

}  // namespace cupilot::provider
