// SPDX-License-Identifier: Apache-2.0
//
// What a verdict says of a forbidden call.
#include <sys/syscall.h>

#include "evolution/judge/sandbox/system_call_rules.h"

namespace cupilot {

namespace {

constexpr std::string_view kNetwork = "network", kPrograms = "starts programs",
                           kProcesses = "starts processes or threads", kSignals = "signals to processes",
                           kTracing = "looks into processes", kFiles = "changes files",
                           kOpening = "opens files", kCode = "makes code at run time",
                           kSystem = "changes the system", kOther = "not needed to queue work",
                           kWaiting = "waits", kDescriptors = "makes descriptors";

constexpr CallName kNames[] = {
    {SYS_socket, "socket", kNetwork},
    {SYS_socketpair, "socketpair", kNetwork},
    {SYS_connect, "connect", kNetwork},
    {SYS_bind, "bind", kNetwork},
    {SYS_listen, "listen", kNetwork},
    {SYS_accept, "accept", kNetwork},
    {SYS_accept4, "accept4", kNetwork},
    {SYS_sendto, "sendto", kNetwork},
    {SYS_sendmsg, "sendmsg", kNetwork},
    {SYS_recvmsg, "recvmsg", kNetwork},
    {SYS_sendmmsg, "sendmmsg", kNetwork},
    {SYS_execve, "execve", kPrograms},
    {SYS_execveat, "execveat", kPrograms},
    {SYS_clone, "clone", kProcesses},
    {SYS_clone3, "clone3", kProcesses},
    {SYS_unshare, "unshare", kSystem},
    {SYS_setns, "setns", kSystem},
    {SYS_setsid, "setsid", kProcesses},
    {SYS_setpgid, "setpgid", kProcesses},
    {SYS_wait4, "wait4", kProcesses},
    {SYS_kill, "kill", kSignals},
    {SYS_tkill, "tkill", kSignals},
    {SYS_tgkill, "tgkill", kSignals},
    {SYS_rt_sigqueueinfo, "rt_sigqueueinfo", kSignals},
    {SYS_rt_tgsigqueueinfo, "rt_tgsigqueueinfo", kSignals},
    {SYS_rt_sigaction, "rt_sigaction", kOther},
    {SYS_setitimer, "setitimer", kOther},
    {SYS_timer_create, "timer_create", kOther},
    {SYS_ptrace, "ptrace", kTracing},
    {SYS_process_vm_readv, "process_vm_readv", kTracing},
    {SYS_process_vm_writev, "process_vm_writev", kTracing},
    {SYS_kcmp, "kcmp", kTracing},
    {SYS_perf_event_open, "perf_event_open", kTracing},
    {SYS_userfaultfd, "userfaultfd", kTracing},
    {SYS_openat, "openat", kOpening},
    {SYS_truncate, "truncate", kFiles},
    {SYS_ftruncate, "ftruncate", kFiles},
    {SYS_fallocate, "fallocate", kFiles},
    {SYS_mkdirat, "mkdirat", kFiles},
    {SYS_mknodat, "mknodat", kFiles},
    {SYS_unlinkat, "unlinkat", kFiles},
    {SYS_renameat2, "renameat2", kFiles},
    {SYS_linkat, "linkat", kFiles},
    {SYS_symlinkat, "symlinkat", kFiles},
    {SYS_fchmod, "fchmod", kFiles},
    {SYS_fchmodat, "fchmodat", kFiles},
    {SYS_fchownat, "fchownat", kFiles},
    {SYS_utimensat, "utimensat", kFiles},
    {SYS_copy_file_range, "copy_file_range", kFiles},
    {SYS_sendfile, "sendfile", kFiles},
    {SYS_mmap, "mmap", kCode},
    {SYS_mprotect, "mprotect", kCode},
    {SYS_memfd_create, "memfd_create", kCode},
    {SYS_mount, "mount", kSystem},
    {SYS_umount2, "umount2", kSystem},
    {SYS_chroot, "chroot", kSystem},
    {SYS_pivot_root, "pivot_root", kSystem},
    {SYS_chdir, "chdir", kSystem},
    {SYS_bpf, "bpf", kSystem},
    {SYS_seccomp, "seccomp", kSystem},
    {SYS_prctl, "prctl", kSystem},
    {SYS_keyctl, "keyctl", kSystem},
    {SYS_add_key, "add_key", kSystem},
    {SYS_personality, "personality", kSystem},
    {SYS_init_module, "init_module", kSystem},
    {SYS_reboot, "reboot", kSystem},
    {SYS_prlimit64, "prlimit64", kSystem},
    {SYS_setpriority, "setpriority", kSystem},
    {SYS_sched_setaffinity, "sched_setaffinity", kSystem},
    {SYS_sched_setscheduler, "sched_setscheduler", kSystem},
    {SYS_nanosleep, "nanosleep", kWaiting},
    {SYS_clock_nanosleep, "clock_nanosleep", kWaiting},
    {SYS_dup, "dup", kDescriptors},
    {SYS_dup3, "dup3", kDescriptors},
    {SYS_pipe2, "pipe2", kDescriptors},
    {SYS_fcntl, "fcntl", kDescriptors},
    {SYS_eventfd2, "eventfd2", kDescriptors},
    {SYS_io_submit, "io_submit", kOther},
    {SYS_io_setup, "io_setup", kOther},
    {SYS_getdents64, "getdents64", "lists folders"},
    {SYS_shmget, "shmget", kOther},
    {SYS_shmat, "shmat", kOther},
    {SYS_mq_open, "mq_open", kOther},
#ifdef SYS_io_uring_setup
    {SYS_io_uring_setup, "io_uring_setup", kOther},
    {SYS_io_uring_enter, "io_uring_enter", kOther},
#endif
#ifdef SYS_pidfd_open
    {SYS_pidfd_open, "pidfd_open", kTracing},
#endif
#ifdef SYS_pidfd_getfd
    {SYS_pidfd_getfd, "pidfd_getfd", kTracing},
#endif
#ifdef SYS_pidfd_send_signal
    {SYS_pidfd_send_signal, "pidfd_send_signal", kSignals},
#endif
#ifdef SYS_close_range
    {SYS_close_range, "close_range", kDescriptors},
#endif
#ifdef SYS_landlock_create_ruleset
    {SYS_landlock_create_ruleset, "landlock_create_ruleset", kSystem},
#endif
#ifdef SYS_open
    {SYS_open, "open", kOpening},
    {SYS_creat, "creat", kOpening},
    {SYS_fork, "fork", kProcesses},
    {SYS_vfork, "vfork", kProcesses},
    {SYS_mkdir, "mkdir", kFiles},
    {SYS_unlink, "unlink", kFiles},
    {SYS_rmdir, "rmdir", kFiles},
    {SYS_rename, "rename", kFiles},
    {SYS_link, "link", kFiles},
    {SYS_symlink, "symlink", kFiles},
    {SYS_chmod, "chmod", kFiles},
    {SYS_dup2, "dup2", kDescriptors},
    {SYS_pipe, "pipe", kDescriptors},
    {SYS_pause, "pause", kWaiting},
    {SYS_alarm, "alarm", kOther},
    {SYS_readlink, "readlink", kOther},
#endif
};

}  // namespace

/// Called inside a signal handler: no allocation.
CallName call_name(int number) {
  for (const CallName &known : kNames)
    if (known.number == number) return known;
  return {number, {}, kOther};
}

std::vector<int> never_calls() {
  std::vector<int> numbers;
  for (const CallName &known : kNames)
    for (const std::string_view what : {kNetwork, kPrograms, kProcesses, kSignals, kTracing, kSystem})
      if (known.what == what) numbers.push_back(known.number);
  return numbers;
}

}  // namespace cupilot
