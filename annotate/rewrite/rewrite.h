// SPDX-License-Identifier: Apache-2.0
//
// The built-in rules: a kernel's slice and a list of rule names in, a readable variant file with knobs out,
// or why not. JSON in and out, so that nothing of Clang or of the rules' insides is seen outside this folder.

#pragma once

#include <string>
#include <string_view>

namespace cupilot {

/// `{"cupilot_rewrite":1,"spec":{...},"rules":["wide-access",...]}` ->
/// `{"cupilot_rewrite":1,"variant":"...","knobs":[...],"applied":[...],"summary":"..."}`, or
/// `{"cupilot_rewrite":1,"refused":[{"rule":"...","reason":"...","line":12}]}`; a request it cannot read is
/// `{"cupilot_rewrite":1,"error":"..."}`.
std::string rewrite_request(std::string_view request_json);

/// `{"cupilot_rules":1,"rules":["block-size",...]}`
std::string list_rules();

}  // namespace cupilot
