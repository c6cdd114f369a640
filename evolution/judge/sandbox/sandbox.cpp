// SPDX-License-Identifier: Apache-2.0
//
// The order matters: steps that need rights or descriptors come first, the filter of system calls comes last.
#include "evolution/judge/sandbox/sandbox.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "evolution/judge/sandbox/landlock.h"
#include "evolution/judge/sandbox/sandbox_report.h"
#include "evolution/judge/sandbox/system_call_filter.h"
#include "evolution/judge/sandbox/system_call_rules.h"

namespace cupilot::judge::sandbox {

namespace {

constexpr std::size_t kMostNoteBytes = 100;

/// Of several filters the strictest answer counts. So a second filter that forbids only opening files adds to
/// the first.
constexpr CallRule kDoors[] = {{SCMP_SYS(openat), CallRule::Check::ends},
                               {SCMP_SYS(open), CallRule::Check::ends}};

int notes_descriptor = -1;
bool filtered = false;
CallFilter doors;  ///< made before entering the sandbox: making it asks the kernel what it supports

std::size_t append(char *text, std::size_t at, std::string_view piece) {
  const std::size_t count = std::min(piece.size(), kMostNoteBytes - at);
  std::memcpy(text + at, piece.data(), count);
  return at + count;
}

/// Runs in a signal handler: no allocation, no locale. SIGSYS is blocked here, so a further forbidden call
/// ends the process with that signal, and nothing else can.
void on_forbidden_call(int, siginfo_t *info, void *) {
  char text[kMostNoteBytes];
  std::size_t size = 0;
  const CallName name = call_name(info->si_syscall);
  if (!name.name.empty()) {
    size = append(text, append(text, append(text, size, "'"), name.name), "' (");
    size = append(text, append(text, size, name.what), ")");
  } else {
    char digits[12];
    int count = 0;
    for (unsigned rest = static_cast<unsigned>(info->si_syscall); rest || !count; rest /= 10)
      digits[count++] = static_cast<char>('0' + rest % 10);
    while (count) size = append(text, size, {&digits[--count], 1});
  }
  size = append(text, size, "\n");
  if (notes_descriptor >= 0) (void)!::write(notes_descriptor, text, size);
  (void)::syscall(SYS_ptrace, -1, 0, 0, 0);
  ::_exit(128 + SIGSYS);
}

Result<> catch_forbidden_calls(int notes) {
  notes_descriptor = notes;
  (void)call_name(0);  // loads all names before a handler needs one
  struct sigaction action{};
  action.sa_sigaction = on_forbidden_call;
  action.sa_flags = SA_SIGINFO;
  ::sigemptyset(&action.sa_mask);
  if (::sigaction(SIGSYS, &action, nullptr) != 0)
    return fail(std::string("cannot install the handler of forbidden system calls: ") + std::strerror(errno));
  sigset_t mine;
  ::sigemptyset(&mine);
  ::sigaddset(&mine, SIGSYS);
  ::pthread_sigmask(SIG_UNBLOCK, &mine, nullptr);
  return {};
}

/// Lowers a limit; never raises it.
void lower(__rlimit_resource what, rlim_t most) {
  rlimit value{};
  if (::getrlimit(what, &value) != 0) return;
  value.rlim_max = std::min(value.rlim_max, most);
  value.rlim_cur = std::min(value.rlim_cur, value.rlim_max);
  (void)::setrlimit(what, &value);
}

void lower_limits(const SandboxRules &rules) {
  lower(RLIMIT_CORE, 0);
  if (rules.device) return;  // drivers write to anonymous memory files, which count as files
  lower(RLIMIT_FSIZE, 0);
  constexpr rlim_t kMostCpuSeconds = 600, kMostFiles = 64, kMostStackBytes = 64u << 20;
  lower(RLIMIT_CPU, kMostCpuSeconds);
  lower(RLIMIT_NPROC, 0);
  lower(RLIMIT_NOFILE, kMostFiles);
  lower(RLIMIT_STACK, kMostStackBytes);
#ifndef __SANITIZE_ADDRESS__  // its shadow memory takes terabytes of address space
  if (rules.memory_bytes) lower(RLIMIT_AS, rules.memory_bytes);
#endif
}

/// Also erases the strings, which lie on the stack.
void forget_environment() {
  for (char **entry = environ; entry && *entry; ++entry) ::explicit_bzero(*entry, std::strlen(*entry));
  environ = nullptr;
}

void close_others(std::vector<int> keep, int notes) {
  keep.insert(keep.end(), {0, 1, 2, notes});
  std::ranges::sort(keep);
  unsigned from = 0;
  for (const int descriptor : keep) {
    if (descriptor < 0) continue;
    const auto kept = static_cast<unsigned>(descriptor);
    if (kept > from) (void)::syscall(SYS_close_range, from, kept - 1, 0);
    from = std::max(from, kept + 1);
  }
  (void)::syscall(SYS_close_range, from, ~0u, 0);
}

std::vector<PathAccess> openable(const SandboxRules &rules) {
  std::vector<PathAccess> all;
  for (const auto &path : rules.readable) all.push_back({path});
  if (!rules.device) return all;
  std::error_code none;
  for (const auto &entry : std::filesystem::directory_iterator("/dev", none))
    if (entry.path().filename().string().starts_with("nvidia"))
      all.push_back({entry.path(), PathAccess::Right::drive});
  for (const char *path : {"/dev/null", "/dev/zero"}) all.push_back({path, PathAccess::Right::drive});
  return all;
}

Result<> no_way_back(const SandboxRules &rules) {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return fail(std::string("no_new_privs: ") + std::strerror(errno));
  // A driver reads /proc/self, which a process that is not dumpable may not.
  if (!rules.device) (void)::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  return {};
}

std::string_view mode() {
  const char *chosen = std::getenv("CUPILOT_SANDBOX");
  return chosen ? chosen : "";
}

void add_missing(SandboxReport &report, const std::string &what) {
  report.missing += (report.missing.empty() ? "" : "; ") + what;
}

}  // namespace

Result<SandboxReport> enter_sandbox(const SandboxRules &rules) {
  SandboxReport report;
  const auto calls = call_rules(rules.device, ::getpid());
  if (mode() == "off") return SandboxReport{"switched off by CUPILOT_SANDBOX=off"};
  if (mode() == "report") {
    CUPILOT_CHECKED(no_way_back(rules));
    CUPILOT_CHECKED(report_calls(calls, rules.readable, rules.device));
    return SandboxReport{"reports only, by CUPILOT_SANDBOX=report"};
  }
  const auto paths = openable(rules);
  lower_limits(rules);
  CUPILOT_CHECKED(no_way_back(rules));
  if (!rules.device) {
    forget_environment();
    if (!rules.keep.empty()) close_others(rules.keep, rules.notes);
  }
  CUPILOT_TRY(landlock, restrict_files(paths));
  if (!landlock) add_missing(report, "landlock: not supported by this kernel");
  CUPILOT_TRY(filter, make_filter(calls, otherwise(rules.device)));
  CUPILOT_TRY(closing, make_filter(kDoors, SCMP_ACT_ALLOW));
  doors = std::move(closing);
  CUPILOT_CHECKED(catch_forbidden_calls(rules.notes));
  CUPILOT_TRY(loaded, load_filter(filter));
  filtered = loaded;
  if (!filtered) add_missing(report, "seccomp: not supported by this kernel");
  return report;
}

std::string missing_protection() {
  if (!mode().empty())
    return fmt::format(
        "judged without the sandbox, by CUPILOT_SANDBOX={}: compilers and variants could read "
        "and change what this user may",
        mode());
  if (!has_landlock())
    return "judged without Landlock, which this kernel or container does not offer: compilers and kernels' "
           "processes could read the files of this user";
  if (!has_filters())
    return "judged without seccomp, which this kernel or container does not offer: kernels' processes could "
           "make system calls that are refused elsewhere";
  return {};
}

Result<> close_all_doors() {
  if (!filtered) return {};
  CUPILOT_CHECKED(load_filter(doors));
  return {};
}

std::string forbidden_call(int wait_status, std::string_view note) {
  if (!WIFSIGNALED(wait_status) || WTERMSIG(wait_status) != SIGSYS) return {};
  note = note.substr(0, std::min(note.find('\n'), kMostNoteBytes));
  const bool sane = !note.empty() && std::ranges::all_of(note, [](char c) { return c >= ' ' && c <= '~'; });
  return fmt::format("makes {}{}: the host side of a variant may only queue launches",
                     sane ? "the system call " : "a forbidden system call", sane ? note : "");
}

}  // namespace cupilot::judge::sandbox
