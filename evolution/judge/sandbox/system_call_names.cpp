// SPDX-License-Identifier: Apache-2.0
//
// Names forbidden calls for verdicts. The names come from libseccomp; SCMP_SYS is negative for a call that
// this architecture does not have.
#include <seccomp.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>

#include "evolution/judge/sandbox/system_call_rules.h"

namespace cupilot::judge::sandbox {

namespace {

constexpr int kNetwork[] = {SCMP_SYS(socket),  SCMP_SYS(socketpair), SCMP_SYS(connect), SCMP_SYS(bind),
                            SCMP_SYS(listen),  SCMP_SYS(accept),     SCMP_SYS(accept4), SCMP_SYS(sendto),
                            SCMP_SYS(sendmsg), SCMP_SYS(recvmsg),    SCMP_SYS(sendmmsg)};
constexpr int kPrograms[] = {SCMP_SYS(execve), SCMP_SYS(execveat)};
constexpr int kProcesses[] = {SCMP_SYS(clone), SCMP_SYS(clone3), SCMP_SYS(setsid), SCMP_SYS(setpgid),
                              SCMP_SYS(wait4), SCMP_SYS(fork),   SCMP_SYS(vfork)};
constexpr int kSignals[] = {SCMP_SYS(kill),
                            SCMP_SYS(tkill),
                            SCMP_SYS(tgkill),
                            SCMP_SYS(rt_sigqueueinfo),
                            SCMP_SYS(rt_tgsigqueueinfo),
                            SCMP_SYS(pidfd_send_signal)};
constexpr int kTracing[] = {SCMP_SYS(ptrace),     SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev),
                            SCMP_SYS(kcmp),       SCMP_SYS(perf_event_open),  SCMP_SYS(userfaultfd),
                            SCMP_SYS(pidfd_open), SCMP_SYS(pidfd_getfd)};
constexpr int kSystem[] = {SCMP_SYS(unshare),
                           SCMP_SYS(setns),
                           SCMP_SYS(mount),
                           SCMP_SYS(umount2),
                           SCMP_SYS(chroot),
                           SCMP_SYS(pivot_root),
                           SCMP_SYS(chdir),
                           SCMP_SYS(bpf),
                           SCMP_SYS(seccomp),
                           SCMP_SYS(prctl),
                           SCMP_SYS(keyctl),
                           SCMP_SYS(add_key),
                           SCMP_SYS(personality),
                           SCMP_SYS(init_module),
                           SCMP_SYS(reboot),
                           SCMP_SYS(prlimit64),
                           SCMP_SYS(setpriority),
                           SCMP_SYS(sched_setaffinity),
                           SCMP_SYS(sched_setscheduler),
                           SCMP_SYS(landlock_create_ruleset)};
constexpr int kFiles[] = {SCMP_SYS(truncate),  SCMP_SYS(ftruncate),
                          SCMP_SYS(fallocate), SCMP_SYS(mkdirat),
                          SCMP_SYS(mknodat),   SCMP_SYS(unlinkat),
                          SCMP_SYS(renameat2), SCMP_SYS(linkat),
                          SCMP_SYS(symlinkat), SCMP_SYS(fchmod),
                          SCMP_SYS(fchmodat),  SCMP_SYS(fchownat),
                          SCMP_SYS(utimensat), SCMP_SYS(copy_file_range),
                          SCMP_SYS(sendfile),  SCMP_SYS(mkdir),
                          SCMP_SYS(unlink),    SCMP_SYS(rmdir),
                          SCMP_SYS(rename),    SCMP_SYS(link),
                          SCMP_SYS(symlink),   SCMP_SYS(chmod)};
constexpr int kOpening[] = {SCMP_SYS(openat), SCMP_SYS(open), SCMP_SYS(creat)};
constexpr int kCode[] = {SCMP_SYS(mmap), SCMP_SYS(mprotect), SCMP_SYS(memfd_create)};
constexpr int kWaiting[] = {SCMP_SYS(nanosleep), SCMP_SYS(clock_nanosleep), SCMP_SYS(pause)};
constexpr int kDescriptors[] = {SCMP_SYS(dup),      SCMP_SYS(dup3),        SCMP_SYS(pipe2), SCMP_SYS(fcntl),
                                SCMP_SYS(eventfd2), SCMP_SYS(close_range), SCMP_SYS(dup2),  SCMP_SYS(pipe)};
constexpr int kFolders[] = {SCMP_SYS(getdents64)};

struct Purpose {
  std::string_view what;
  std::span<const int> calls;
  bool never = false;  ///< not even a driver may do this
};
constexpr Purpose kPurposes[] = {
    {"network", kNetwork, true},
    {"starts programs", kPrograms, true},
    {"starts processes or threads", kProcesses, true},
    {"signals to processes", kSignals, true},
    {"looks into processes", kTracing, true},
    {"changes the system", kSystem, true},
    {"changes files", kFiles},
    {"opens files", kOpening},
    {"makes code at run time", kCode},
    {"waits", kWaiting},
    {"makes descriptors", kDescriptors},
    {"lists folders", kFolders},
};
constexpr std::string_view kOther = "not needed to queue work";

/// Names by number, collected in advance: libseccomp allocates a name when asked, which callers of
/// call_name() must not do.
using Names = std::array<std::string, 512>;
Names all_names() {
  Names names;
  for (int number = 0; number < static_cast<int>(names.size()); ++number) {
    const std::unique_ptr<char, decltype(&std::free)> name(
        ::seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number), &std::free);
    if (name) names[static_cast<std::size_t>(number)] = name.get();
  }
  return names;
}

}  // namespace

CallName call_name(int number) {
  static const Names names = all_names();
  CallName found{number, {}, kOther};
  if (number < 0 || static_cast<std::size_t>(number) >= names.size()) return found;
  found.name = names[static_cast<std::size_t>(number)];
  for (const Purpose &purpose : kPurposes)
    if (std::ranges::find(purpose.calls, number) != purpose.calls.end()) found.what = purpose.what;
  return found;
}

std::vector<int> never_calls() {
  std::vector<int> numbers;
  for (const Purpose &purpose : kPurposes)
    if (purpose.never) numbers.insert(numbers.end(), purpose.calls.begin(), purpose.calls.end());
  return numbers;
}

}  // namespace cupilot::judge::sandbox
