// SPDX-License-Identifier: Apache-2.0
//
// The dump is anonymous shared memory (memfd): other processes cannot open it by path, and the kernel frees
// it with its last user.
#include "evolution/judge/engine/child_process.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "annotate/support/log.h"
#include "annotate/support/process_tree.h"
#include "evolution/judge/engine/child.h"
#include "evolution/judge/engine/child_talk.h"
#include "evolution/judge/launches/recorder.h"
#include "evolution/judge/sandbox/high_descriptor.h"

namespace cupilot::judge::engine {

namespace {

/// How often a working child is checked.
constexpr std::chrono::milliseconds kWatchInterval{100};

struct Limit {
  __rlimit_resource what;
  rlim_t most;
};
/// No limit on address space: CUDA reserves many times the machine's memory. The parent also watches the
/// child's processes, because RLIMIT_NPROC counts all processes of the user and does not apply to root.
Limit process_limit() {
  return {RLIMIT_NPROC, tasks_of_user() + 512};
}
constexpr Limit kLimits[] = {{RLIMIT_CORE, 0}, {RLIMIT_FSIZE, 64u << 20}, {RLIMIT_NOFILE, 1024}};

struct Ends {
  int mine = -1, childs = -1, dump = -1;
  std::array<int, kEntryRoles> recorders{-1, -1, -1};
};

/// Calls only functions that are safe between fork and exec.
[[noreturn]] void become_child(const Ends &ends, const Limit &processes, pid_t parent, const char *executable,
                               char *const *argv, char *const *envp, int talk) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  for (const Limit &limit : kLimits) {
    const rlimit value{limit.most, limit.most};
    ::setrlimit(limit.what, &value);
  }
  const rlimit value{processes.most, processes.most};
  if (::geteuid() != 0) ::setrlimit(processes.what, &value);
  const int nothing = ::open("/dev/null", O_RDWR);
  ::dup2(nothing, 0);
  ::dup2(nothing, 1);
  ::dup2(talk >= 0 ? talk : nothing, 2);
  ::dup2(ends.childs, kChildChannel);
  ::dup2(ends.dump, kChildDump);
  for (std::size_t i = 0; i < kEntryRoles; ++i)
    ::dup2(ends.recorders[i], kChildRecorders + static_cast<int>(i));
  ::execve(executable, argv, envp);
  ::_exit(127);
}

/// Disables the driver's disk cache: a candidate must not leave anything behind for the next one.
std::vector<std::string> child_environment() {
  std::vector<std::string> all;
  for (char **entry = environ; *entry; ++entry)
    if (!std::string_view(*entry).starts_with("CUDA_CACHE_DISABLE=")) all.emplace_back(*entry);
  all.emplace_back("CUDA_CACHE_DISABLE=1");
  return all;
}

Result<Ends> make_ends(std::uint64_t dump_bytes) {
  Ends ends;
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    return fail(std::string("cannot create a socket pair: ") + std::strerror(errno));
  ends.mine = sandbox::moved_high(sockets[0]);
  ends.childs = sandbox::moved_high(sockets[1]);
  const int memory = ::memfd_create("cupilot-dump", MFD_CLOEXEC);
  if (memory < 0 || ::ftruncate(memory, static_cast<off_t>(dump_bytes)) != 0)
    return fail(fmt::format("cannot create {} bytes of shared memory: {}", dump_bytes, std::strerror(errno)));
  ends.dump = sandbox::moved_high(memory);
  return ends;
}

/// Counters cover the whole device.
launches::DeviceTurn::Use use_of(const Order &order) {
  const bool measures = order.what == Order::What::time || order.what == Order::What::bandwidth ||
                        order.what == Order::What::profile;
  return measures ? launches::DeviceTurn::Use::alone : launches::DeviceTurn::Use::beside;
}

}  // namespace

std::string describe_status(int status) {
  if (WIFEXITED(status)) return "exit code " + std::to_string(WEXITSTATUS(status));
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
    return "a system call that the sandbox refuses; CUPILOT_SANDBOX=report with --verbose tells which";
  if (WIFSIGNALED(status))
    return fmt::format("signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  return "an unknown end";
}

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(const Engine &engine,
                                                          const std::string &architecture,
                                                          std::uint64_t dump_bytes) {
  constexpr std::uint64_t kPage = 4096;
  const std::uint64_t slot = (dump_bytes + kPage) / kPage * kPage;
  CUPILOT_TRY(recorders, start_recorders());
  CUPILOT_TRY(ends, make_ends(2 * slot));
  for (std::size_t i = 0; i < kEntryRoles; ++i) ends.recorders[i] = recorders[i]->take_socket();
  const std::vector<std::string> environment = child_environment();
  std::vector<char *> envp;
  for (const std::string &entry : environment) envp.push_back(const_cast<char *>(entry.c_str()));
  envp.push_back(nullptr);
  std::array<char *, 4> argv{const_cast<char *>(engine.program.c_str()), const_cast<char *>(kChildVerb),
                             const_cast<char *>(architecture.c_str()), nullptr};
  const std::string executable = engine.executable.empty() ? "/proc/self/exe" : engine.executable.string();
  const Limit processes = process_limit();
  const int talk = log::debug_on() ? child_talk() : -1;
  const pid_t parent = ::getpid(), pid = ::fork();
  if (pid == 0) become_child(ends, processes, parent, executable.c_str(), argv.data(), envp.data(), talk);
  ::close(ends.childs);
  for (const int socket : ends.recorders) ::close(socket);
  Channel channel(ends.mine);
  if (pid < 0) {
    ::close(ends.dump);
    return fail(std::string("cannot start a child process: ") + std::strerror(errno));
  }
  ::setpgid(pid, pid);
  std::unique_ptr<ChildProcess> child(new ChildProcess(pid, std::move(channel), std::move(recorders)));
  void *memory = ::mmap(nullptr, 2 * slot, PROT_READ, MAP_SHARED, ends.dump, 0);
  ::close(ends.dump);
  if (memory == MAP_FAILED)
    return fail(std::string("cannot map the shared memory of a child process: ") + std::strerror(errno));
  child->dump_ = {static_cast<std::byte *>(memory), 2 * slot};
  return child;
}

Result<ChildProcess::Recorders> ChildProcess::start_recorders() {
  CUPILOT_TRY(program, launches_program());
  Recorders recorders;
  for (auto &recorder : recorders) {
    CUPILOT_TRY(started, RecorderProcess::start(program));
    recorder = std::move(started);
  }
  return recorders;
}

launches::Fault ChildProcess::explain(launches::Fault fault) {
  if (fault.rule != launches::kHostEnded) return fault;
  // The socket closes a moment before the process can be waited for.
  for (int i = 0; i < 200; ++i)
    for (const auto &recorder : recorders_)
      if (auto end = recorder->end(i ? 5 : 0)) return *end;
  return fault;
}

ChildProcess::~ChildProcess() {
  end();
  if (!dump_.empty()) ::munmap(dump_.data(), dump_.size());
}

void ChildProcess::end() {
  if (pid_ < 0) return;
  const auto turn = turn_beside();  // the end of its context disturbs whoever times
  for (const int extra : descendants(pid_)) ::kill(extra, SIGKILL);  // also those that left the group
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

std::string ChildProcess::forbidden_now() const {
  if (pid_ < 0 || !watching_) return {};
  if (const auto extra = descendants(pid_).size(); extra > 0)
    return fmt::format("starts processes ({} seen): a launch may only queue work on its stream", extra);
  if (const auto bytes = private_memory(pid_); bytes > kMostChildMemoryBytes)
    return fmt::format("takes {} GiB of host memory", bytes >> 30);
  return {};
}

Result<std::string> ChildProcess::give_up(Ending ending, const std::string &reason) {
  ending_ = ending;
  end();
  return fail(reason);
}

void ChildProcess::wait_until_ready(Deadline deadline) {
  while (!first_line_ && !channel_.closed() && std::chrono::steady_clock::now() < deadline)
    first_line_ = channel_.receive(kWatchInterval);
}

std::string ChildProcess::heard(std::string line) {
  if (line.starts_with(kFailedLine) || std::exchange(began_, true)) return line;
  if (const auto device = device_from_line(line)) device_ = device->bus_id;
  return line;
}

Result<std::string> ChildProcess::receive(Deadline deadline) {
  if (auto line = std::exchange(first_line_, std::nullopt)) return heard(std::move(*line));
  if (pid_ < 0) return fail("the child process has ended");
  for (;;) {
    if (auto line = channel_.receive(kWatchInterval)) return heard(std::move(*line));
    if (channel_.closed()) {
      // The socket closes a moment before the process ends. Wait, so that the status is the child's own and
      // not that of our signal.
      for (int i = 0; i < 100 && ::waitpid(pid_, &status_, WNOHANG) == 0; ++i) ::usleep(10'000);
      for (const int extra : descendants(pid_)) ::kill(extra, SIGKILL);
      ::kill(-pid_, SIGKILL);
      (void)::waitpid(pid_, nullptr, 0);
      pid_ = -1;
      ending_ = Ending::ended;
      return fail("the process ended by itself with " + describe_status(status_));
    }
    if (std::chrono::steady_clock::now() > deadline) return give_up(Ending::timed_out, "time limit");
    if (const std::string forbidden = forbidden_now(); !forbidden.empty())
      return give_up(Ending::forbidden, forbidden);
  }
}

Result<std::string> ChildProcess::ask(const Order &order, Deadline deadline) {
  const auto turn = launches::DeviceTurn::take(device_, use_of(order));
  (void)send(order);  // receive() reports a child that has ended
  return receive(deadline + turn.waited());
}

Result<> ChildProcess::ask_done(const Order &order) {
  CUPILOT_TRY(line, ask(order, in_seconds(kStartSeconds)));
  return done_from_line(line);
}

std::span<const std::byte> ChildProcess::slot(int which) const {
  const std::size_t half = dump_.size() / 2;
  return std::span<const std::byte>(dump_).subspan(which ? half : 0, half);
}

}  // namespace cupilot::judge::engine
