// SPDX-License-Identifier: Apache-2.0
//
// Errors of the runtime: the sticky error, and the last error of each host thread.

#include "evolution/emulate/runtime/api/call.h"

#include <atomic>
#include <cstdio>

namespace cupilot::emulate::runtime {
namespace {

std::atomic<int> sticky = abi::kSuccess;
thread_local int last = abi::kSuccess;

}  // namespace

std::recursive_mutex &call_mutex() {
  static auto &mutex = *new std::recursive_mutex;  // outlives the program's own destructors
  return mutex;
}

int sticky_error() {
  return sticky;
}
void set_sticky_error(int code) {
  sticky = code;
}

int remember(int code) {
  if (code != abi::kSuccess && code != abi::kNotReady) last = code;
  return code;
}
int last_error() {
  return sticky != abi::kSuccess ? sticky.load() : last;
}
void clear_last_error() {
  last = abi::kSuccess;
}

void say(const std::string &message) {
  std::fflush(stdout);  // what the program printed before comes first
  std::fprintf(stderr, "cupilot: error: %s\n", message.c_str());
}

int refuse(int code, const std::string &message) {
  say(message);
  return code;
}

}  // namespace cupilot::emulate::runtime
