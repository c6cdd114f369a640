// SPDX-License-Identifier: Apache-2.0
#include "annotate/support/log.h"

#include <cstdio>

#include "annotate/support/text.h"

namespace cupilot::log {
namespace {

std::string program = "cupilot";
bool debug_enabled = false;

// Each line is one fputs, so that lines of several processes are not mixed.
void line(const char *level, const std::string &message) {
  print(program + ": " + level + ": " + message + "\n");
}

}  // namespace

void print(const std::string &text) {
  std::fputs(printable(text).c_str(), stderr);
}

void set_program(std::string name) {
  program = std::move(name);
}
void set_debug(bool on) {
  debug_enabled = on;
}
bool debug_on() {
  return debug_enabled;
}
void error(const std::string &message) {
  line("error", message);
}
void warning(const std::string &message) {
  line("warning", message);
}
void note(const std::string &message) {
  line("note", message);
}
void debug(const std::string &message) {
  if (debug_enabled) line("debug", message);
}

}  // namespace cupilot::log
