// SPDX-License-Identifier: Apache-2.0
//
// Knobs in a variant's text, one a line: `constexpr int kThreads = 256;  // knob: 64 128 256 512 1024`.
// The text is the truth: setting a knob replaces the number on its line and nothing else.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/model/individual.h"

namespace cupilot {

/// In the order of the lines. A knob line that cannot be read, or a name that comes twice, is an error with
/// its line.
Result<std::vector<Knob>> parse_knobs(std::string_view variant);

/// The variant with one knob at another of its allowed values.
Result<std::string> set_knob(std::string_view variant, std::string_view name, long long value);

/// "kThreads=256 kItems=4"
std::string describe_knobs(const std::vector<Knob> &knobs);

/// The knob's other values, nearest to its own first (by position in its list; the smaller position of two).
std::vector<long long> neighbours_first(const Knob &knob);

}  // namespace cupilot
