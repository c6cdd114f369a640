// SPDX-License-Identifier: Apache-2.0
//
// Writes findings to stderr and to a file for other programs: one JSON object per line. Each line is appended
// at once, so the file is complete however the program ends.

#pragma once

#include <string>

#include "evolution/emulate/machine/finding.h"

namespace cupilot::emulate::runtime {

/// "_Z5scalePfi" -> "scale(float*, int)".
std::string readable_name(const std::string &mangled);
void say_finding(const machine::Finding &finding);
void append_finding(const std::string &file, const machine::Finding &finding);
std::string finding_line(const machine::Finding &finding);  ///< without the end of line

}  // namespace cupilot::emulate::runtime
