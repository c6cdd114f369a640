// SPDX-License-Identifier: Apache-2.0
#include "driver/worker/system_call_rules.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <iterator>

namespace cupilot {

namespace {

using enum CallRule::Check;

constexpr std::uint32_t kForWriting = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
constexpr std::uint32_t kWriteExecute = PROT_WRITE | PROT_EXEC;
constexpr int kMseal = 462;  ///< newer than many headers; the dynamic linker asks for it

/// Memory, waiting for threads, descriptors that are open, clocks, the end.
constexpr CallRule kEverywhere[] = {
    {SYS_read},
    {SYS_write},
    {SYS_readv},
    {SYS_writev},
    {SYS_pread64},
    {SYS_pwrite64},
    {SYS_lseek},
    {SYS_close},
    {SYS_fstat},
    {SYS_newfstatat},
    {SYS_munmap},
    {SYS_mremap},
    {SYS_brk},
    {SYS_madvise},
    {SYS_mincore},
    {SYS_futex},
    {SYS_exit},
    {SYS_exit_group},
    {SYS_restart_syscall},
    {SYS_rt_sigreturn},
    {SYS_sigaltstack},
    {SYS_clock_gettime},
    {SYS_clock_getres},
    {SYS_gettimeofday},
    {SYS_getrandom},
    {SYS_getpid},
    {SYS_gettid},
    {SYS_getppid},
    {SYS_getuid},
    {SYS_geteuid},
    {SYS_getgid},
    {SYS_getegid},
    {SYS_sched_yield},
    {SYS_sched_getaffinity},
    {SYS_getrusage},
    {SYS_sysinfo},
    {SYS_uname},
    {SYS_set_robust_list},
    {SYS_membarrier},
    {SYS_ppoll},
    {SYS_recvfrom},
    {SYS_sendto, null, 4},  // no address: only to whom the descriptor is connected
    {SYS_prlimit64, equal, 0, 0},
    {SYS_faccessat},
    {SYS_clone3, answered, 0, ENOSYS},  // its flags are in memory; the C library falls back to clone
    {kMseal, answered, 0, ENOSYS},
#ifdef SYS_rseq
    {SYS_rseq},
#endif
#ifdef SYS_faccessat2
    {SYS_faccessat2},
#endif
#ifdef SYS_poll
    {SYS_poll},
#endif
#ifdef SYS_time
    {SYS_time},
#endif
#ifdef SYS_access
    {SYS_access},
#endif
#ifdef SYS_stat
    {SYS_stat},
#endif
#ifdef SYS_lstat
    {SYS_lstat},
#endif
#ifdef SYS_getrlimit
    {SYS_getrlimit},
#endif
};

/// A function that computes: loads libraries, opens nothing for writing, makes no code, starts nothing.
constexpr CallRule kComputing[] = {
    {SYS_openat, without, 2, kForWriting},
    {SYS_mmap, not_both, 2, kWriteExecute},
    {SYS_mprotect, without, 2, PROT_EXEC},
    {SYS_ioctl, answered, 0, ENOTTY},  // "is this a terminal?"
    {SYS_prctl, answered, 0, EINVAL},
    {SYS_rt_sigaction, other, 0, SIGSYS},
    {SYS_rt_sigprocmask, answered, 0, 0},  // not done: blocked signals would keep a call's name from us
    {SYS_seccomp, equal, 0, SECCOMP_SET_MODE_FILTER},  // another filter can only take away
    {SYS_fcntl, equal, 1, F_GETFD},
    {SYS_fcntl, equal, 1, F_GETFL},
#ifdef SYS_open
    {SYS_open, without, 1, kForWriting},
#endif
};

/// A device's driver: threads, device files (Landlock decides which), shared memory it has made itself.
/// Changing files is answered like a read-only disk, for libraries that look for a cache.
constexpr CallRule kDriving[] = {
    {SYS_openat},
    {SYS_mmap},
    {SYS_mprotect},
    {SYS_ioctl},
    {SYS_fcntl},
    {SYS_clone, with, 0, CLONE_THREAD},
    {SYS_set_tid_address},
    {SYS_rt_sigaction, other, 0, SIGSYS},
    {SYS_rt_sigprocmask},
    {SYS_rt_sigtimedwait},
    {SYS_eventfd2},
    {SYS_pselect6},
    {SYS_epoll_create1},
    {SYS_epoll_ctl},
    {SYS_epoll_pwait},
    {SYS_timerfd_create},
    {SYS_timerfd_settime},
    {SYS_nanosleep},
    {SYS_clock_nanosleep},
    {SYS_sched_getparam},
    {SYS_sched_getscheduler},
    {SYS_sched_setaffinity},
    {SYS_sched_setscheduler},
    {SYS_sched_get_priority_max},
    {SYS_sched_get_priority_min},
    {SYS_getpriority},
    {SYS_mlock},
    {SYS_munlock},
    {SYS_msync},
    {SYS_get_mempolicy},
    {SYS_set_mempolicy},
    {SYS_mbind},
    {SYS_getcpu},
    {SYS_times},
    {SYS_getcwd},
    {SYS_getdents64},
    {SYS_readlinkat},
    {SYS_statfs},
    {SYS_fstatfs},
    {SYS_dup},
    {SYS_dup3},
    {SYS_pipe2},
    {SYS_memfd_create},
    {SYS_ftruncate},
    {SYS_sendmsg},
    {SYS_recvmsg},
    {SYS_getsockopt},
    {SYS_shutdown},
    {SYS_prctl, equal, 0, PR_SET_NAME},
    {SYS_mkdirat, answered, 0, EROFS},
    {SYS_unlinkat, answered, 0, EROFS},
    {SYS_renameat2, answered, 0, EROFS},
    {SYS_fchmod, answered, 0, EROFS},
    {SYS_fchmodat, answered, 0, EROFS},
#ifdef SYS_statx
    {SYS_statx},
#endif
#ifdef SYS_mlock2
    {SYS_mlock2},
#endif
#ifdef SYS_open
    {SYS_open},
    {SYS_readlink},
    {SYS_dup2},
    {SYS_pipe},
    {SYS_select},
    {SYS_epoll_wait},
    {SYS_mkdir, answered, 0, EROFS},
    {SYS_unlink, answered, 0, EROFS},
    {SYS_rmdir, answered, 0, EROFS},
    {SYS_rename, answered, 0, EROFS},
    {SYS_chmod, answered, 0, EROFS},
#endif
#ifdef SYS_arch_prctl
    {SYS_arch_prctl},
#endif
};

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

std::vector<CallRule> call_rules(bool device, int process) {
  std::vector<CallRule> rules(std::begin(kEverywhere), std::end(kEverywhere));
  if (device)
    rules.insert(rules.end(), std::begin(kDriving), std::end(kDriving));
  else
    rules.insert(rules.end(), std::begin(kComputing), std::end(kComputing));
  // abort() and a failing assertion are crashes, and say so.
  rules.push_back({SYS_tgkill, equal, 0, static_cast<std::uint32_t>(process)});
  return rules;
}

/// Called inside a signal handler: no allocation.
CallName call_name(int number) {
  for (const CallName &known : kNames)
    if (known.number == number) return known;
  return {number, {}, kOther};
}

}  // namespace cupilot
