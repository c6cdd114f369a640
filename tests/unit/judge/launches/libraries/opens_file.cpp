// SPDX-License-Identifier: Apache-2.0
//
// Looks at a file of the machine before anybody calls it.
#include <fcntl.h>
#include <sys/socket.h>

#include "library.h"

namespace {
/// Sandboxes may answer an open with an error; a network they never give.
const int socket_made = ::open("/etc/passwd", O_RDONLY) < 0 ? ::socket(AF_INET, SOCK_DGRAM, 0) : 0;
}  // namespace

extern "C" int cupilot_entry(Call *) {
  return socket_made;
}
