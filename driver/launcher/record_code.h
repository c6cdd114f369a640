// SPDX-License-Identifier: Apache-2.0
//
// The C++ that is made from a record's text. A record is untrusted input, so none of its text is copied:
// every expression, name and version is parsed, and the generated code is printed from what the parser
// understood.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot::launcher {

/// The variable that holds the value of parameter number i in the code of a condition.
std::string condition_parameter(std::size_t index);

/// Turns `n % 4 == 0` into code of type cupilot::detail::Number, in which condition_parameter() names the
/// parameters. The result is an error when the text does not parse or names something that is not a
/// parameter.
Result<std::string> condition_code(std::string_view expression, const std::vector<std::string> &parameters);

/// The numbers of the parameters that a condition mentions.
std::vector<std::size_t> condition_parameters(std::string_view expression,
                                              const std::vector<std::string> &parameters);

/// Turns one dimension of a launch configuration into code of type cupilot::detail::Checked, in which every
/// parameter keeps its name. A launch configuration has whole numbers only.
Result<std::string> launch_code(std::string_view expression, const std::vector<std::string> &parameters);

/// The kernel's name with its template arguments: `rms_norm`, `rms_norm<float, (int)128>`.
Result<std::string> instantiation_code(std::string_view instantiation);

bool is_identifier(std::string_view text);

/// The text as a C++ string literal, with its quotes.
std::string string_literal(std::string_view text);

/// "sm_90", "sm_90a", "sm_100f".
struct Architecture {
  std::string number;  ///< two or three digits
  char feature = 0;    ///< 'a': this architecture only; 'f': its family; 0: neither
};
std::optional<Architecture> parse_architecture(std::string_view text);

}  // namespace cupilot::launcher
