// SPDX-License-Identifier: Apache-2.0
//
// Talk for people, on stderr: `cupilot: warning: ...`. Results go to stdout and never through here.

#pragma once

#include <string>

namespace cupilot::log {

/// The program's name in front of every line; "cupilot" until a main says otherwise.
void set_program(std::string name);
void set_debug(bool on);
bool debug_on();

void error(const std::string &message);
void warning(const std::string &message);
void note(const std::string &message);
/// Write `if (log::debug_on()) log::debug(...)`: off, it then costs nothing.
void debug(const std::string &message);

}  // namespace cupilot::log
