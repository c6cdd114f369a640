// SPDX-License-Identifier: Apache-2.0
//
// Messages for people, on stderr: `cupilot: warning: ...`. Results go to stdout and do not use this.

#pragma once

#include <string>

namespace cupilot::log {

/// Sets the program name in front of every line. It is "cupilot" until a main sets another.
void set_program(std::string name);
void set_debug(bool on);
bool debug_on();

/// Prints whole lines that are complete without a program's name, such as rendered diagnostics. Like all
/// functions here it makes the text printable: messages quote servers, models and variants.
void print(const std::string &text);

void error(const std::string &message);
void warning(const std::string &message);
void note(const std::string &message);
/// Write `if (log::debug_on()) log::debug(...)`, so that disabled messages are not even built.
void debug(const std::string &message);

}  // namespace cupilot::log
