// SPDX-License-Identifier: Apache-2.0
//
// Who answers a role: built-in rules here, models later. A provider gets a question and gives text back; what
// the text means is the role's business (evolution/role). A provider that cannot answer says why: that is a
// value of the search, not the end of it.

#pragma once

#include <string>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot {

/// `content` is a JSON object `{"cupilot_role":1,...}`; `prompt` the words for a model, with the version of
/// the prompt file they come from. Built-in rules read the content only.
struct RoleRequest {
  std::string role;  ///< "translator", "strategist"
  std::string content;
  std::string prompt;
  std::string prompt_version;  ///< "translator 1"
};

struct RoleAnswer {
  std::string content;  ///< JSON, or whatever a model said: parsed strictly by the role
  std::string model;    ///< as the provider names it; "" for built-in rules
  long long tokens_in = 0, tokens_out = 0;
  double price_usd = 0;
  double seconds = 0;
};

class Provider {
public:
  virtual ~Provider() = default;
  virtual std::string name() const = 0;  ///< "builtin"
  /// Answers cost money or differ from call to call: a resumed run takes them from the run database.
  virtual bool costly() const = 0;
  virtual Result<RoleAnswer> answer(const RoleRequest &request) = 0;
  /// Questions that do not depend on each other, in the order asked; side by side where the provider can.
  virtual std::vector<Result<RoleAnswer>> answer_all(const std::vector<RoleRequest> &requests) {
    std::vector<Result<RoleAnswer>> answers;
    for (const RoleRequest &request : requests) answers.push_back(answer(request));
    return answers;
  }
};

}  // namespace cupilot
