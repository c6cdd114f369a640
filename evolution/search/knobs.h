// SPDX-License-Identifier: Apache-2.0
//
// Knobs as they are declared in a variant's text, one on a line: `constexpr int kThreads = 256;  // knob: 64
// 128 256 512 1024`. The text is authoritative: setting a knob replaces the number on its line and nothing
// else.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/model/individual.h"

namespace cupilot::search {

/// The knobs in the order of their lines. A knob line that cannot be parsed, or a repeated name, is an error
/// with its line number.
Result<std::vector<model::Knob>> parse_knobs(std::string_view variant);

/// The variant with one knob set to another of its allowed values.
Result<std::string> set_knob(std::string_view variant, std::string_view name, long long value);

/// Every setting of `knobs`, the first knob's values changing fastest; their number is the product of the
/// numbers of values.
std::vector<std::vector<long long>> every_setting(const std::vector<model::Knob> &knobs);

/// "kThreads=256 kItems=4"
std::string describe_knobs(const std::vector<model::Knob> &knobs);

/// The knob's other values, those closest to the current value in its list first; of two equally close ones
/// the earlier in the list.
std::vector<long long> neighbours_first(const model::Knob &knob);

}  // namespace cupilot::search
