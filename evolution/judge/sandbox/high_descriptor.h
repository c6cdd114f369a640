// SPDX-License-Identifier: Apache-2.0
//
// Keeps descriptors for a process to be started above all numbers that the process expects them at, so that
// placing one does not overwrite another.

#pragma once

#include <fcntl.h>
#include <unistd.h>

namespace cupilot::judge::sandbox {

inline constexpr int kHighDescriptor = 16;

/// Duplicates `descriptor` to kHighDescriptor or above with close-on-exec, and closes it.
inline int moved_high(int descriptor) {
  const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, kHighDescriptor);
  ::close(descriptor);
  return moved;
}

}  // namespace cupilot::judge::sandbox
