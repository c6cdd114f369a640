// SPDX-License-Identifier: Apache-2.0
//
// Each case is a process of its own: it enters the sandbox and does one thing.
#include "evolution/judge/sandbox/sandbox.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "evolution/judge/sandbox/landlock.h"
#include "evolution/judge/sandbox/system_call_filter.h"

namespace cupilot {
using namespace judge::sandbox;
namespace {

struct Ended {
  int status = 0;
  std::string note;
  std::string told() const { return forbidden_call(status, note); }
  bool well() const { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }
};

constexpr int kNoSandbox = 99;
constexpr int kMakeFileRules = 444;                ///< landlock_create_ruleset
constexpr std::uint32_t kAllowCalls = 0x7fff0000;  ///< SCMP_ACT_ALLOW

/// `act` runs inside; its answer is the exit code.
Ended inside(SandboxRules rules, const std::function<int()> &act) {
  int notes[2];
  EXPECT_EQ(::pipe(notes), 0);
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::close(notes[0]);
    rules.notes = notes[1];
    const auto entered = enter_sandbox(rules);
    if (!entered || !entered->missing.empty()) ::_exit(kNoSandbox);
    ::_exit(act());
  }
  ::close(notes[1]);
  Ended ended;
  char piece[256];
  for (ssize_t count; (count = ::read(notes[0], piece, sizeof piece)) > 0;)
    ended.note.append(piece, static_cast<std::size_t>(count));
  ::close(notes[0]);
  ::waitpid(pid, &ended.status, 0);
  return ended;
}

bool kernel_has_all() {
  return !(WEXITSTATUS(inside({}, [] { return 0; }).status) == kNoSandbox);
}

class Sandbox : public testing::Test {
protected:
  void SetUp() override {
    if (!kernel_has_all()) GTEST_SKIP() << "this kernel has no Landlock or no seccomp";
  }
};

struct Attack {
  const char *call;  ///< named in the reason
  std::function<int()> act;
};

int raw(long number) {
  ::syscall(number, 0, 0, 0, 0, 0, 0);
  return 0;
}

const std::vector<Attack> &attacks() {
  static const std::vector<Attack> all{
      {"'socket' (network)", [] { return ::socket(AF_INET, SOCK_STREAM, 0); }},
      {"'socketpair' (network)",
       [] {
         int two[2];
         return ::socketpair(AF_UNIX, SOCK_STREAM, 0, two);
       }},
      {"'connect' (network)",
       [] {
         sockaddr_in to{};
         return ::connect(0, reinterpret_cast<sockaddr *>(&to), sizeof to);
       }},
      {"'bind' (network)", [] { return raw(SYS_bind); }},
      {"'sendmsg' (network)", [] { return raw(SYS_sendmsg); }},
      {"'sendto' (network)",
       [] {
         sockaddr_in to{};
         return static_cast<int>(::sendto(0, "x", 1, 0, reinterpret_cast<sockaddr *>(&to), sizeof to));
       }},
      {"'execve' (starts programs)", [] { return ::execl("/bin/true", "true", nullptr); }},
      {"'clone' (starts processes or threads)", [] { return ::fork() < 0; }},
      {"'clone' (starts processes or threads)",
       [] {
         pthread_t thread{};
         return ::pthread_create(&thread, nullptr, [](void *p) { return p; }, nullptr);
       }},
      {"'clone' (starts processes or threads)", [] { return std::system("true"); }},
      {"'kill' (signals to processes)", [] { return ::kill(::getppid(), SIGKILL); }},
      {"'kill' (signals to processes)", [] { return ::kill(-1, SIGKILL); }},
      {"'tgkill' (signals to processes)",
       [] { return static_cast<int>(::syscall(SYS_tgkill, ::getppid(), ::getppid(), SIGKILL)); }},
      {"'rt_sigqueueinfo' (signals to processes)", [] { return raw(SYS_rt_sigqueueinfo); }},
      {"'rt_sigaction'", [] { return ::signal(SIGSYS, SIG_IGN) == SIG_ERR; }},
      {"'ptrace' (looks into processes)",
       [] { return static_cast<int>(::ptrace(PTRACE_ATTACH, ::getppid(), 0, 0)); }},
      {"'process_vm_readv' (looks into processes)",
       [] { return static_cast<int>(::process_vm_readv(::getppid(), nullptr, 0, nullptr, 0, 0)); }},
      {"'perf_event_open' (looks into processes)", [] { return raw(SYS_perf_event_open); }},
      {"'openat' (opens files)", [] { return ::open("/tmp/cupilot_sandbox_test", O_CREAT | O_RDWR, 0600); }},
      {"'openat' (opens files)", [] { return std::fopen("/dev/null", "w") == nullptr; }},
      {"'mkdir", [] { return ::mkdir("/tmp/cupilot_sandbox_test", 0700); }},
      {"'unlink", [] { return ::unlink("/tmp/cupilot_sandbox_test"); }},
      {"'rename", [] { return std::rename("/tmp/a", "/tmp/b"); }},
      {"'mmap' (makes code at run time)",
       [] {
         return ::mmap(nullptr, 4096, PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == nullptr;
       }},
      {"'mprotect' (makes code at run time)",
       [] {
         void *page = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
         return ::mprotect(page, 4096, PROT_READ | PROT_EXEC);
       }},
      {"'memfd_create' (makes code at run time)", [] { return ::memfd_create("x", 0); }},
      {"'mount' (changes the system)", [] { return raw(SYS_mount); }},
      {"'unshare' (changes the system)", [] { return ::unshare(CLONE_NEWUSER); }},
      {"'bpf' (changes the system)", [] { return raw(SYS_bpf); }},
      {"'keyctl' (changes the system)", [] { return raw(SYS_keyctl); }},
      {"'personality' (changes the system)", [] { return raw(SYS_personality); }},
      {"'io_uring_setup'", [] { return raw(425); }},
      {"'pidfd_open' (looks into processes)", [] { return raw(434); }},
      {"'dup2' (makes descriptors)", [] { return static_cast<int>(::syscall(SYS_dup2, 0, 5)); }},
      {"'clock_nanosleep' (waits)", [] { return ::usleep(1); }},
      {"500", [] { return raw(500); }},
  };
  return all;
}

TEST_F(Sandbox, EndsTheProcessAtAForbiddenCallAndNamesIt) {
  for (const auto &attack : attacks()) {
    const Ended ended = inside({}, attack.act);
    EXPECT_THAT(ended.told(), testing::HasSubstr(attack.call)) << "status " << ended.status;
  }
}

TEST_F(Sandbox, LetsAFunctionComputeAllocateAndTalk) {
  int talk[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, talk), 0);
  SandboxRules rules;
  rules.keep = {talk[1]};
  const Ended ended = inside(rules, [&] {
    std::vector<double> numbers(1 << 20, 1.5);
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    const auto sum = static_cast<int>(numbers[7] + numbers[1 << 19]);
    return ::send(talk[1], "three", 5, 0) == 5 && sum == 3 ? 0 : 1;
  });
  EXPECT_TRUE(ended.well()) << ended.status << ended.note;
  char text[5];
  EXPECT_EQ(::recv(talk[0], text, 5, 0), 5);
  EXPECT_EQ(std::string(text, 5), "three");
  ::close(talk[0]), ::close(talk[1]);
}

TEST_F(Sandbox, LoadsALibraryFromAReadableFolder) {
  SandboxRules rules;
  rules.readable = {"/lib", "/lib64", "/usr/lib", "/etc/ld.so.cache"};
  const Ended ended = inside(rules, [] { return ::dlopen("libresolv.so.2", RTLD_NOW) ? 0 : 1; });
  EXPECT_TRUE(ended.well()) << ended.status << ended.note;
}

TEST_F(Sandbox, OpensNothingAfterTheDoorsAreClosed) {
  SandboxRules rules;
  rules.readable = {"/"};
  const Ended ended = inside(rules, [] {
    const int before = ::open("/etc/passwd", O_RDONLY);
    if (before < 0 || !close_all_doors()) return 1;
    return ::open("/etc/passwd", O_RDONLY);
  });
  EXPECT_THAT(ended.told(), testing::HasSubstr("'openat' (opens files)"));
}

TEST_F(Sandbox, ReadsNothingOutsideWhatIsNamed) {
  SandboxRules rules;
  rules.readable = {"/usr/lib"};
  const Ended ended = inside(rules, [] {
    const bool none = ::open("/etc/passwd", O_RDONLY) < 0 && errno == EACCES;
    const bool processes = ::open("/proc/self/environ", O_RDONLY) < 0;
    return none && processes && ::open("/usr/lib", O_RDONLY) >= 0 ? 0 : 1;
  });
  EXPECT_TRUE(ended.well()) << ended.status << ended.note;
}

TEST_F(Sandbox, LeavesNeitherDescriptorsNorEnvironment) {
  const int secret = ::open("/etc/passwd", O_RDONLY);
  ::setenv("CUPILOT_TEST_SECRET", "seed", 1);
  const char *stands_at = ::getenv("CUPILOT_TEST_SECRET");
  SandboxRules rules;
  rules.keep = {0};
  const Ended ended = inside(rules, [&] {
    char byte;
    return ::read(secret, &byte, 1) < 0 && !std::getenv("CUPILOT_TEST_SECRET") && !*stands_at ? 0 : 1;
  });
  EXPECT_TRUE(ended.well()) << ended.status << ended.note;
  ::unsetenv("CUPILOT_TEST_SECRET");
  ::close(secret);
}

TEST_F(Sandbox, LimitsMemory) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer needs terabytes of address space";
#endif
  SandboxRules rules;
  rules.memory_bytes = 1ull << 30;
  const Ended ended = inside(rules, [] { return std::malloc(2ull << 30) ? 1 : 0; });
  EXPECT_TRUE(ended.well()) << ended.status << ended.note;
}

TEST_F(Sandbox, LeavesAnAbortWhatItIs) {
  const Ended ended = inside({}, []() -> int { std::abort(); });
  EXPECT_TRUE(WIFSIGNALED(ended.status) && WTERMSIG(ended.status) == SIGABRT) << ended.status;
  EXPECT_EQ(ended.told(), "");
}

/// Who writes a note without a forbidden call has only ended; who lies about the call is rejected all the
/// same.
TEST_F(Sandbox, BelievesTheKernelNotTheNote) {
  EXPECT_EQ(forbidden_call(0, "'socket' (network)"), "");
  EXPECT_THAT(forbidden_call(SIGSYS, "\x1b[2J\n"), testing::StartsWith("makes a forbidden system call"));
}

SandboxRules device() {
  SandboxRules rules;
  rules.readable = {"/"};
  rules.device = true;
  return rules;
}

TEST_F(Sandbox, LetsADriverHaveThreadsAndEvents) {
  const Ended ended = inside(device(), [] {
    pthread_t thread{};
    if (::pthread_create(&thread, nullptr, [](void *p) { return p; }, nullptr) != 0) return 1;
    if (::pthread_join(thread, nullptr) != 0) return 2;
    if (::usleep(1) != 0) return 3;
    return ::mkdir("/tmp/cupilot_sandbox_test", 0700) == -1 && errno == EROFS ? 0 : 4;
  });
  EXPECT_TRUE(ended.well()) << ended.status << ended.note;
}

TEST_F(Sandbox, KeepsADriverFromTheSystem) {
  const std::vector<Attack> never{
      {"'socket'", [] { return ::socket(AF_INET, SOCK_STREAM, 0); }},
      {"'connect'", [] { return raw(SYS_connect); }},
      {"'execve'", [] { return ::execl("/bin/true", "true", nullptr); }},
      {"'clone'", [] { return ::fork() < 0; }},
      {"'kill'", [] { return ::kill(::getppid(), SIGTERM); }},
      {"'ptrace'", [] { return static_cast<int>(::ptrace(PTRACE_ATTACH, ::getppid(), 0, 0)); }},
      {"'unshare'", [] { return ::unshare(CLONE_NEWUSER); }},
      {"'personality'", [] { return raw(SYS_personality); }},
  };
  for (const auto &attack : never)
    EXPECT_THAT(inside(device(), attack.act).told(), testing::HasSubstr(attack.call));
  const Ended unknown = inside(device(), [] { return ::syscall(500) == -1 && errno == EPERM ? 0 : 1; });
  EXPECT_TRUE(unknown.well()) << "a driver may have a way without";
  const Ended files = inside(
      device(), [] { return ::open("/tmp/cupilot_sandbox_test", O_CREAT | O_RDWR, 0600) < 0 ? 0 : 1; });
  EXPECT_TRUE(files.well()) << "Landlock refuses to write";
}

TEST_F(Sandbox, CoversThreadsThatRanBefore) {
  const Ended ended = inside(device(), [] { return 0; });
  ASSERT_TRUE(ended.well());
  int status = 0;
  const pid_t pid = ::fork();
  if (pid == 0) {
    static int gate[2];
    if (::pipe(gate) != 0) ::_exit(1);
    pthread_t thread{};
    const auto act = [](void *) -> void * {
      char byte;
      (void)!::read(gate[0], &byte, 1);
      ::socket(AF_INET, SOCK_STREAM, 0);
      ::_exit(0);
    };
    ::pthread_create(&thread, nullptr, act, nullptr);
    if (!enter_sandbox(device())) ::_exit(2);
    (void)!::write(gate[1], "x", 1);
    ::pthread_join(thread, nullptr);
    ::_exit(3);
  }
  ::waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS) << status;
}

/// For machines whose driver needs more: nothing is refused, everything is told.
TEST_F(Sandbox, ReportsInsteadOfRefusing) {
  int talk[2];
  ASSERT_EQ(::pipe(talk), 0);
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::dup2(talk[1], 2);
    ::close(talk[0]), ::close(talk[1]);
    ::setenv("CUPILOT_SANDBOX", "report", 1);
    SandboxRules rules = device();
    rules.readable = {"/usr"};
    if (!enter_sandbox(rules)) ::_exit(1);
    if (::socket(AF_UNIX, SOCK_STREAM, 0) < 0) ::_exit(2);
    if (::open("/etc/passwd", O_RDONLY) < 0) ::_exit(3);
    const pid_t grandchild = ::fork();
    if (grandchild == 0) ::_exit(0);
    ::_exit(grandchild < 0 ? 4 : 0);
  }
  ::close(talk[1]);
  std::string said;
  char piece[512];
  for (ssize_t count; (count = ::read(talk[0], piece, sizeof piece)) > 0;)
    said.append(piece, static_cast<std::size_t>(count));
  ::close(talk[0]);
  int status = 0;
  ::waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0) << said;
  EXPECT_THAT(said, testing::HasSubstr("'socket' (network) would end the process"));
  EXPECT_THAT(said, testing::HasSubstr("opening /etc/passwd to read would fail"));
  EXPECT_THAT(said, testing::HasSubstr("'clone' (starts processes or threads) would end the process"));
}

/// In a process in which the kernel seems to have no Landlock.
TEST(Protection, AKernelWithoutLandlockIsSaid) {
  EXPECT_EQ(missing_protection(), has_landlock() ? "" : missing_protection());
  const pid_t pid = ::fork();
  if (pid == 0) {
    const CallRule absent[] = {{kMakeFileRules, CallRule::Check::answered, 0, ENOSYS}};
    const auto filter = make_filter(absent, kAllowCalls);
    if (!filter || ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !load_filter(*filter))
      ::_exit(kNoSandbox);
    const auto rules = make_file_rules({});
    const bool said = missing_protection().starts_with("judged without Landlock, which this kernel");
    ::_exit(!has_landlock() && rules && *rules == -1 && said ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoSandbox) GTEST_SKIP() << "no seccomp here";
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/// In a process in which the kernel seems to have no seccomp from now on.
TEST(Protection, AKernelWithoutSeccompIsSaid) {
  if (!kernel_has_all()) GTEST_SKIP() << "this kernel has no Landlock or no seccomp";
  EXPECT_TRUE(has_filters());
  const pid_t pid = ::fork();
  if (pid == 0) {
    const CallRule absent[] = {{SYS_seccomp, CallRule::Check::answered, 0, ENOSYS}};
    const auto filter = make_filter(absent, kAllowCalls);
    if (!filter || ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !load_filter(*filter))
      ::_exit(kNoSandbox);
    ::_exit(!has_filters() && missing_protection().starts_with("judged without seccomp, which this kernel")
                ? 0
                : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(Protection, OneThatIsSwitchedOffIsSaid) {
  ::setenv("CUPILOT_SANDBOX", "off", 1);
  EXPECT_EQ(missing_protection().find("judged without the sandbox, by CUPILOT_SANDBOX=off"), 0u);
  ::unsetenv("CUPILOT_SANDBOX");
}

}  // namespace
}  // namespace cupilot
