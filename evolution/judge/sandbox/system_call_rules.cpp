// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/sandbox/system_call_rules.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

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
    {SYS_prctl, answered, 0, EINVAL},
    {SYS_prlimit64, answered, 0, EPERM},
    {SYS_setpriority, answered, 0, EPERM},
    {SYS_chdir, answered, 0, EPERM},
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

}  // namespace

std::vector<CallRule> call_rules(bool device, int process) {
  std::vector<CallRule> rules(std::begin(kEverywhere), std::end(kEverywhere));
  if (device)
    rules.insert(rules.end(), std::begin(kDriving), std::end(kDriving));
  else
    rules.insert(rules.end(), std::begin(kComputing), std::end(kComputing));
  // abort() and a failing assertion are crashes, and say so.
  rules.push_back({SYS_tgkill, equal, 0, static_cast<std::uint32_t>(process)});
  if (device)
    for (const int number : never_calls()) rules.push_back({number, ends});
  return rules;
}

std::uint32_t otherwise(bool device) {
  return device ? SECCOMP_RET_ERRNO | EPERM : SECCOMP_RET_TRAP;
}

}  // namespace cupilot
