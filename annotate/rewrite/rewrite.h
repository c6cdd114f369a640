// SPDX-License-Identifier: Apache-2.0
//
// The built-in rules. The input is a kernel's slice and a list of rule names; the output is a readable
// variant file with knobs, or the reasons for a refusal. Input and output are JSON, so nothing of Clang or of
// the rules' internals is visible outside this folder.

#pragma once

#include <string>
#include <string_view>

namespace cupilot::rewrite {

/// Answers the request `{"cupilot_rewrite":1,"spec":{...},"rules":["wide-access",...]}` with
/// `{"cupilot_rewrite":1,"variant":"...","knobs":[...],"applied":[...],"summary":"..."}` or
/// `{"cupilot_rewrite":1,"refused":[{"rule":"...","reason":"...","line":12}]}`. The answer to a request that
/// cannot be read is `{"cupilot_rewrite":1,"error":"..."}`.
std::string rewrite_request(std::string_view request_json);

/// The names of all rules: `{"cupilot_rules":1,"rules":["block-size",...]}`
std::string list_rules();

}  // namespace cupilot::rewrite
