// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/recorder_process.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "annotate/support/log.h"
#include "annotate/support/process.h"
#include "evolution/judge/engine/child_talk.h"
#include "evolution/judge/launches/recorder.h"
#include "evolution/judge/sandbox/high_descriptor.h"
#include "evolution/judge/sandbox/sandbox.h"

namespace cupilot::judge::engine {

namespace {

struct RecorderEnds {
  int mine = -1, its = -1;
};

Result<RecorderEnds> make_sockets() {
  int both[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both) != 0)
    return fail(std::string("cannot create a socket pair: ") + std::strerror(errno));
  return RecorderEnds{sandbox::moved_high(both[0]), sandbox::moved_high(both[1])};
}

Result<RecorderEnds> make_notes() {
  int both[2];
  if (::pipe2(both, O_CLOEXEC | O_NONBLOCK) != 0)
    return fail(std::string("cannot create a pipe: ") + std::strerror(errno));
  return RecorderEnds{sandbox::moved_high(both[0]), sandbox::moved_high(both[1])};
}

/// Passes only the variables that the dynamic loader and the sandbox need: a host function reads no
/// environment.
std::vector<std::string> recorder_environment() {
  std::vector<std::string> all;
  for (const char *name : {"LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "CUPILOT_SANDBOX"})
    if (const char *value = std::getenv(name)) all.push_back(fmt::format("{}={}", name, value));
  return all;
}

/// Does not fork(): this process may hold gigabytes of expected outputs, and a fork copies their page tables.
Result<pid_t> spawn(const std::filesystem::path &program, int socket, int notes) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawnattr_init(&attributes);
  const int talk = log::debug_on() ? child_talk() : -1;
  for (const int standard : {0, 1, 2})
    if (standard != 2 || talk < 0)
      ::posix_spawn_file_actions_addopen(&files, standard, "/dev/null", O_RDWR, 0);
    else
      ::posix_spawn_file_actions_adddup2(&files, talk, standard);
  ::posix_spawn_file_actions_adddup2(&files, socket, launches::kRecorderSocket);
  ::posix_spawn_file_actions_adddup2(&files, notes, launches::kRecorderNotes);
  ::posix_spawn_file_actions_addclosefrom_np(&files, launches::kRecorderNotes + 1);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // keeps signals of a terminal away
  const std::vector<std::string> environment = recorder_environment();
  std::vector<char *> envp;
  for (const std::string &entry : environment) envp.push_back(const_cast<char *>(entry.c_str()));
  envp.push_back(nullptr);
  std::array<char *, 2> argv{const_cast<char *>(program.c_str()), nullptr};
  pid_t process = -1;
  const int code = ::posix_spawn(&process, program.c_str(), &files, &attributes, argv.data(), envp.data());
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&files);
  if (code) return fail(fmt::format("cannot start '{}': {}", program.string(), std::strerror(code)));
  return process;
}

}  // namespace

Result<std::filesystem::path> launches_program() {
  const char *asked = std::getenv("CUPILOT_LAUNCHES");
  if (asked && *asked) {
    if (const auto found = find_program(asked)) return *found;
    return user_error(fmt::format("CUPILOT_LAUNCHES names '{}', which is not a program", asked));
  }
  if (const auto found = find_program((own_folder() / "cupilot-launches").string())) return *found;
  if (const auto found = find_program("cupilot-launches")) return *found;
  return fail(
      fmt::format("cannot find cupilot-launches, which runs the host side of kernels, in {} or in PATH; "
                  "install it there, or set CUPILOT_LAUNCHES to its path",
                  own_folder().string()));
}

Result<std::unique_ptr<RecorderProcess>> RecorderProcess::start(const std::filesystem::path &program) {
  CUPILOT_TRY(sockets, make_sockets());
  auto notes = make_notes();
  auto process = notes ? spawn(program, sockets.its, notes->its) : std::unexpected(notes.error());
  ::close(sockets.its);
  if (notes) ::close(notes->its);
  if (process)
    return std::unique_ptr<RecorderProcess>(new RecorderProcess(*process, sockets.mine, notes->mine));
  ::close(sockets.mine);
  if (notes) ::close(notes->mine);
  return std::unexpected(process.error());
}

RecorderProcess::~RecorderProcess() {
  for (const int descriptor : {socket_, notes_})
    if (descriptor >= 0) ::close(descriptor);
  if (process_ < 0) return;
  ::kill(process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::string RecorderProcess::note() const {
  std::array<char, 256> text;
  const ssize_t count = ::read(notes_, text.data(), text.size());
  return {text.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
}

launches::Fault RecorderProcess::explain(const launches::Fault &fault) {
  constexpr int kWaitMs = 2000;  // the socket closes a moment before the process can be waited for
  if (fault.rule != launches::kHostEnded) return fault;
  return end(kWaitMs).value_or(fault);
}

std::optional<launches::Fault> RecorderProcess::end(int wait_ms) {
  constexpr int kStepMs = 5;
  int status = 0;
  pid_t waited = process_ < 0 ? -1 : ::waitpid(process_, &status, WNOHANG);
  for (int waited_ms = 0; waited == 0 && waited_ms < wait_ms; waited_ms += kStepMs) {
    ::usleep(kStepMs * 1000);
    waited = ::waitpid(process_, &status, WNOHANG);
  }
  if (waited <= 0) return std::nullopt;
  process_ = -1;
  if (const std::string call = sandbox::forbidden_call(status, note()); !call.empty())
    return launches::Fault{launches::Fault::Kind::forbidden, "host", call};
  if (WIFSIGNALED(status))
    return launches::Fault{launches::Fault::Kind::crashed, "host",
                           fmt::format("the host side crashed with signal {} ({})", WTERMSIG(status),
                                       ::strsignal(WTERMSIG(status)))};
  return launches::Fault{
      launches::Fault::Kind::crashed, "host",
      fmt::format("the host side ended its process with exit code {}", WEXITSTATUS(status))};
}

}  // namespace cupilot::judge::engine
