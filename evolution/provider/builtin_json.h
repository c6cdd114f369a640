// SPDX-License-Identifier: Apache-2.0
//
// The JSON that `builtin` exchanges with cupilot-annotate. Private to evolution/provider.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot::provider {

/// `{"cupilot_role":1,...}` of a translator -> `{"cupilot_rewrite":1,...}`; a strategy without a rule is an
/// error.
Result<std::string> rewrite_request_of(std::string_view role_content);

/// The translator's answer if one of the strategies is a schedule (evolution/schedule), which writes the
/// kernel anew and is combined with nothing else; nullopt if none is.
Result<std::optional<std::string>> scheduled_answer(std::string_view role_content);

/// The translator's answer: `{"cupilot_rewrite":1,...}` -> `{"cupilot_answer":1,...}`.
Result<std::string> answer_of_rewrite(std::string_view rewrite_answer);

Result<std::vector<std::string>> rules_from(std::string_view rules_answer);

/// The strategist's answer: the offered strategies whose rule is known, greatest gain first.
Result<std::string> strategist_answer(std::string_view role_content, const std::vector<std::string> &rules);

}  // namespace cupilot::provider
