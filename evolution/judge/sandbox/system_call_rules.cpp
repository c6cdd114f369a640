// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/sandbox/system_call_rules.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include <cerrno>
#include <csignal>
#include <iterator>

namespace cupilot::judge::sandbox {

namespace {

using enum CallRule::Check;

constexpr std::uint32_t kForWriting = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
constexpr std::uint32_t kWriteExecute = PROT_WRITE | PROT_EXEC;
constexpr int kMseal = 462;  ///< newer than many headers; the dynamic linker calls it

/// Memory, waiting for threads, open descriptors, clocks, exit.
constexpr CallRule kEverywhere[] = {
    {SCMP_SYS(read)},
    {SCMP_SYS(write)},
    {SCMP_SYS(readv)},
    {SCMP_SYS(writev)},
    {SCMP_SYS(pread64)},
    {SCMP_SYS(pwrite64)},
    {SCMP_SYS(lseek)},
    {SCMP_SYS(close)},
    {SCMP_SYS(fstat)},
    {SCMP_SYS(newfstatat)},
    {SCMP_SYS(munmap)},
    {SCMP_SYS(mremap)},
    {SCMP_SYS(brk)},
    {SCMP_SYS(madvise)},
    {SCMP_SYS(mincore)},
    {SCMP_SYS(futex)},
    {SCMP_SYS(exit)},
    {SCMP_SYS(exit_group)},
    {SCMP_SYS(restart_syscall)},
    {SCMP_SYS(rt_sigreturn)},
    {SCMP_SYS(sigaltstack)},
    {SCMP_SYS(clock_gettime)},
    {SCMP_SYS(clock_getres)},
    {SCMP_SYS(gettimeofday)},
    {SCMP_SYS(getrandom)},
    {SCMP_SYS(getpid)},
    {SCMP_SYS(gettid)},
    {SCMP_SYS(getppid)},
    {SCMP_SYS(getuid)},
    {SCMP_SYS(geteuid)},
    {SCMP_SYS(getgid)},
    {SCMP_SYS(getegid)},
    {SCMP_SYS(sched_yield)},
    {SCMP_SYS(sched_getaffinity)},
    {SCMP_SYS(getrusage)},
    {SCMP_SYS(sysinfo)},
    {SCMP_SYS(uname)},
    {SCMP_SYS(set_robust_list)},
    {SCMP_SYS(membarrier)},
    {SCMP_SYS(ppoll)},
    {SCMP_SYS(recvfrom)},
    {SCMP_SYS(sendto), null, 4},  // no address: sends only to the connected peer
    {SCMP_SYS(prlimit64), equal, 0, 0},
    {SCMP_SYS(faccessat)},
    {SCMP_SYS(clone3), answered, 0, ENOSYS},  // its flags are in memory; the C library falls back to clone
    {kMseal, answered, 0, ENOSYS},
    {SCMP_SYS(rseq)},
    {SCMP_SYS(faccessat2)},
    {SCMP_SYS(poll)},
    {SCMP_SYS(time)},
    {SCMP_SYS(access)},
    {SCMP_SYS(stat)},
    {SCMP_SYS(lstat)},
    {SCMP_SYS(getrlimit)},
};

/// For a function that only computes: it loads libraries, opens nothing for writing, generates no code,
/// starts nothing.
constexpr CallRule kComputing[] = {
    {SCMP_SYS(openat), without, 2, kForWriting},
    {SCMP_SYS(mmap), not_both, 2, kWriteExecute},
    {SCMP_SYS(mprotect), without, 2, PROT_EXEC},
    {SCMP_SYS(ioctl), answered, 0, ENOTTY},  // "is this a terminal?"
    {SCMP_SYS(prctl), answered, 0, EINVAL},
    {SCMP_SYS(rt_sigaction), other, 0, SIGSYS},
    {SCMP_SYS(rt_sigprocmask), answered, 0, 0},  // ignored: blocked signals would hide a call's name
    {SCMP_SYS(seccomp), equal, 0, SECCOMP_SET_MODE_FILTER},  // another filter can only forbid more
    {SCMP_SYS(fcntl), equal, 1, F_GETFD},
    {SCMP_SYS(fcntl), equal, 1, F_GETFL},
    {SCMP_SYS(open), without, 1, kForWriting},
};

/// For a process with a device's driver: threads, device files (Landlock decides which), shared memory that
/// it made itself. Changing files fails as on a read-only disk, for libraries that look for a cache.
constexpr CallRule kDriving[] = {
    {SCMP_SYS(openat)},
    {SCMP_SYS(mmap)},
    {SCMP_SYS(mprotect)},
    {SCMP_SYS(ioctl)},
    {SCMP_SYS(fcntl)},
    {SCMP_SYS(clone), with, 0, CLONE_THREAD},
    {SCMP_SYS(set_tid_address)},
    {SCMP_SYS(rt_sigaction), other, 0, SIGSYS},
    {SCMP_SYS(rt_sigprocmask)},
    {SCMP_SYS(rt_sigtimedwait)},
    {SCMP_SYS(eventfd2)},
    {SCMP_SYS(pselect6)},
    {SCMP_SYS(epoll_create1)},
    {SCMP_SYS(epoll_ctl)},
    {SCMP_SYS(epoll_pwait)},
    {SCMP_SYS(timerfd_create)},
    {SCMP_SYS(timerfd_settime)},
    {SCMP_SYS(nanosleep)},
    {SCMP_SYS(clock_nanosleep)},
    {SCMP_SYS(sched_getparam)},
    {SCMP_SYS(sched_getscheduler)},
    {SCMP_SYS(sched_setaffinity)},
    {SCMP_SYS(sched_setscheduler)},
    {SCMP_SYS(sched_get_priority_max)},
    {SCMP_SYS(sched_get_priority_min)},
    {SCMP_SYS(getpriority)},
    {SCMP_SYS(mlock)},
    {SCMP_SYS(munlock)},
    {SCMP_SYS(msync)},
    {SCMP_SYS(get_mempolicy)},
    {SCMP_SYS(set_mempolicy)},
    {SCMP_SYS(mbind)},
    {SCMP_SYS(getcpu)},
    {SCMP_SYS(times)},
    {SCMP_SYS(getcwd)},
    {SCMP_SYS(getdents64)},
    {SCMP_SYS(readlinkat)},
    {SCMP_SYS(statfs)},
    {SCMP_SYS(fstatfs)},
    {SCMP_SYS(dup)},
    {SCMP_SYS(dup3)},
    {SCMP_SYS(pipe2)},
    {SCMP_SYS(memfd_create)},
    {SCMP_SYS(ftruncate)},
    {SCMP_SYS(sendmsg)},
    {SCMP_SYS(recvmsg)},
    {SCMP_SYS(getsockopt)},
    {SCMP_SYS(shutdown)},
    {SCMP_SYS(prctl), equal, 0, PR_SET_NAME},
    {SCMP_SYS(prctl), answered, 0, EINVAL},
    {SCMP_SYS(prlimit64), answered, 0, EPERM},
    {SCMP_SYS(setpriority), answered, 0, EPERM},
    {SCMP_SYS(chdir), answered, 0, EPERM},
    {SCMP_SYS(mkdirat), answered, 0, EROFS},
    {SCMP_SYS(unlinkat), answered, 0, EROFS},
    {SCMP_SYS(renameat2), answered, 0, EROFS},
    {SCMP_SYS(fchmod), answered, 0, EROFS},
    {SCMP_SYS(fchmodat), answered, 0, EROFS},
    {SCMP_SYS(statx)},
    {SCMP_SYS(mlock2)},
    {SCMP_SYS(open)},
    {SCMP_SYS(readlink)},
    {SCMP_SYS(dup2)},
    {SCMP_SYS(pipe)},
    {SCMP_SYS(select)},
    {SCMP_SYS(epoll_wait)},
    {SCMP_SYS(mkdir), answered, 0, EROFS},
    {SCMP_SYS(unlink), answered, 0, EROFS},
    {SCMP_SYS(rmdir), answered, 0, EROFS},
    {SCMP_SYS(rename), answered, 0, EROFS},
    {SCMP_SYS(chmod), answered, 0, EROFS},
    {SCMP_SYS(arch_prctl)},
};

}  // namespace

std::vector<CallRule> call_rules(bool device, int process) {
  std::vector<CallRule> rules(std::begin(kEverywhere), std::end(kEverywhere));
  if (device)
    rules.insert(rules.end(), std::begin(kDriving), std::end(kDriving));
  else
    rules.insert(rules.end(), std::begin(kComputing), std::end(kComputing));
  // Needed for abort() and failing assertions, which are reported as crashes.
  rules.push_back({SCMP_SYS(tgkill), equal, 0, static_cast<std::uint32_t>(process)});
  if (device)
    for (const int number : never_calls()) rules.push_back({number, ends});
  return rules;
}

std::uint32_t otherwise(bool device) {
  return device ? SCMP_ACT_ERRNO(EPERM) : SCMP_ACT_TRAP;
}

}  // namespace cupilot::judge::sandbox
