// SPDX-License-Identifier: Apache-2.0
//
// The text that the source of a twin compiles behind. For every promoted type or function X it declares a
// cupilot_twin_X that computes in double. The promotion (annotate/rewrite/twin.h) renames to these
// declarations, and the judge writes the text in front of the twin (evolution/judge/bundle/entry_source.h).

#pragma once

#include <string_view>

namespace cupilot::spec {

std::string_view twin_prelude();
/// The part for 16-bit types. It follows the first part when a kernel uses such types.
std::string_view twin_prelude_sixteen();

}  // namespace cupilot::spec
