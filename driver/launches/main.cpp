// SPDX-License-Identifier: Apache-2.0
//
// cupilot-launches: runs the host side of one entry without a device and says what it would launch. The
// workers' child processes talk to it over a socket, its only connection
// (evolution/judge/launches/recorder_protocol.h); evolution/judge/recorder is its body.
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string_view>

#include "evolution/judge/launches/recorder_protocol.h"
#include "evolution/judge/recorder/server.h"

namespace {

constexpr const char *kHelp =
    "cupilot-launches is started by cupilot-worker and cupilot-emulate, with a socket as descriptor 3; it\n"
    "runs the host side of one kernel in a process of its own, without a device, and reports what it "
    "launches.\n";
constexpr int kBadUsage = 2;

/// A program that is not called cupilot-launches.
void forget_the_name(char *name) {
  ::prctl(PR_SET_NAME, "main");
  for (char *c = name; *c; ++c) *c = 'a';
}

}  // namespace

int main(int argc, char **argv) {
  struct stat status{};
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a parent that ended before this call is noticed at the socket
  const bool has_socket =
      ::fstat(cupilot::judge::launches::kRecorderSocket, &status) == 0 && S_ISSOCK(status.st_mode);
  if (argc == 1 && has_socket) {
    forget_the_name(argv[0]);
    ::_exit(cupilot::judge::recorder::serve());  // no destructors of the library
  }
  const bool asked = argc == 2 && std::string_view(argv[1]) == "--help";
  std::fputs(kHelp, asked ? stdout : stderr);
  return asked ? 0 : kBadUsage;
}
