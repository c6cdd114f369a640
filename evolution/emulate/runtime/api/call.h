// SPDX-License-Identifier: Apache-2.0
//
// Every function of the runtime runs its body in call(), which admits one call at a time and remembers the
// error for cudaGetLastError. After a fault in a kernel every further call fails, as on a GPU.

#pragma once

#include <mutex>
#include <string>

#include "evolution/emulate/runtime/api/abi.h"
#include "evolution/emulate/runtime/device.h"

namespace cupilot::emulate::runtime {

/// Recursive, because runtime functions call each other and host functions run inside a call.
std::recursive_mutex &call_mutex();

int sticky_error();               ///< the error of a faulted kernel; kSuccess: none
void set_sticky_error(int code);  ///< until cudaDeviceReset

int remember(int code);  ///< for this host thread's cudaGetLastError; returns it
int last_error();
void clear_last_error();

/// "cupilot: error: ..." on stderr.
void say(const std::string &message);
/// Prints the message and returns the code, which is all that the caller gets.
int refuse(int code, const std::string &message);

template <class Body>
int call(Body &&body) {
  const std::lock_guard lock(call_mutex());
  if (const int code = sticky_error()) return remember(code);
  return remember(body());
}

}  // namespace cupilot::emulate::runtime

/// Defines the per-thread-stream name of a function. It is the same function, since work is done
/// synchronously.
#define CUPILOT_PER_THREAD(result, name, suffix, ...) \
  extern "C" result name##suffix(__VA_ARGS__) __attribute__((alias(#name)))
