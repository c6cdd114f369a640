// SPDX-License-Identifier: Apache-2.0
//
// {"cupilot_role":1,"role":"strategist","kernel":...,"strategies":[...]} and back
// {"cupilot_answer":1,"strategies":[ids]}.

#include <algorithm>

#include "annotate/spec/json_convert.h"
#include "evolution/role/strategist.h"
#include "evolution/role/strategy_json.h"

namespace cupilot {

RoleRequest strategist_request(const StrategistQuestion &question) {
  const Json content = {{"cupilot_role", 1},
                        {"role", "strategist"},
                        {"kernel", question.kernel},
                        {"features", question.features},
                        {"roofline_class", question.roofline_class},
                        {"strategies", strategies_json(question.strategies)}};
  return {.role = "strategist", .content = one_line(content), .prompt_version = "strategist 1"};
}

Result<std::vector<std::string>> parse_strategist_answer(std::string_view content,
                                                         const std::vector<Strategy> &asked) {
  using Ids = std::vector<std::string>;
  return read_json<Ids>(content, "cupilot_answer", 1, [&](const Json &answer) -> Result<Ids> {
    std::set<std::string> seen;
    for (const Json &json : answer.at("strategies")) {
      const auto id = json.get<std::string>();
      if (std::ranges::find(asked, id, &Strategy::id) == asked.end())
        return fail("it names the strategy '" + id + "', which was not asked about");
      if (!seen.insert(id).second) return fail("it names the strategy '" + id + "' twice");
    }
    return answer.at("strategies").get<Ids>();
  });
}

}  // namespace cupilot
