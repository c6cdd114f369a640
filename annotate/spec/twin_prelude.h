// SPDX-License-Identifier: Apache-2.0
//
// What the text of a twin stands on: for every type and function X that is promoted there is a cupilot_twin_X
// that computes in double. The promotion (annotate/rewrite/twin.h) uses what these texts declare, and the
// judge writes them in front of the twin (evolution/judge/bundle/entry_source.h).

#pragma once

#include <string_view>

namespace cupilot {

std::string_view twin_prelude();
/// Of 16-bit types; follows the first where a kernel has them.
std::string_view twin_prelude_sixteen();

}  // namespace cupilot
