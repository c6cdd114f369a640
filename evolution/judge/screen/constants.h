// SPDX-License-Identifier: Apache-2.0
//
// The numbers of a variant's text that may decide which of its code runs: cases are made of them
// (evolution/judge/cases/made_cases.h). Pure.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "evolution/judge/screen/lexer.h"

namespace cupilot::judge::screen {

/// Adds those that are not there yet. Numbers of lines that compare come first, with the products of two
/// numbers of such a line (`n / 32 == 5` is about 160); of the others only a few are taken.
void add_constants(std::string_view text, std::vector<std::int64_t> &integers, std::vector<double> &reals);

/// The value of a number, finite; nullopt for any other token.
std::optional<double> number_of(const CodeToken &token);

}  // namespace cupilot::judge::screen
