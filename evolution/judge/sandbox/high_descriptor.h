// SPDX-License-Identifier: Apache-2.0
//
// Descriptors for a process about to start wait above every number that is put in place for it.

#pragma once

#include <fcntl.h>
#include <unistd.h>

namespace cupilot {

inline constexpr int kHighDescriptor = 16;

/// The same file above kHighDescriptor, not inherited; `descriptor` is closed.
inline int moved_high(int descriptor) {
  const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, kHighDescriptor);
  ::close(descriptor);
  return moved;
}

}  // namespace cupilot
