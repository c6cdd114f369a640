// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/compile.h"

#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "annotate/support/log.h"
#include "annotate/support/process_tree.h"
#include "driver/launcher/last_resort.h"
#include "driver/launcher/limits.h"

extern char **environ;

namespace cupilot::launcher {
namespace {

constexpr int kCannotStart = 127;

std::vector<char *> pointers(const std::vector<std::string> &command) {
  std::vector<char *> argv;
  for (const auto &word : command) argv.push_back(const_cast<char *>(word.c_str()));
  argv.push_back(nullptr);
  return argv;
}

int cannot_start(const std::string &program, int error) {
  log::error("cannot start '" + program + "': " + std::strerror(error));
  return kCannotStart;
}

/// Waits at most `seconds`, if they are not 0; then kills the child and all that it has started. The child is
/// in our process group, so there is no group to kill.
bool wait_for(pid_t child, int seconds, int &status) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(seconds);
  useconds_t pause_us = 500;
  constexpr useconds_t kLongestPauseUs = 20'000;
  for (;;) {
    const pid_t waited = ::waitpid(child, &status, seconds > 0 ? WNOHANG : 0);
    if (waited == child) return true;
    if (waited < 0 && errno != EINTR) return true;
    if (waited != 0) continue;
    if (Clock::now() >= end) break;
    ::usleep(pause_us);
    pause_us = std::min(2 * pause_us, kLongestPauseUs);
  }
  kill_tree(child);
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return false;
}

/// The child stays in our process group, so that Ctrl-C reaches both. For -1 it inherits our own descriptor.
/// `run.exit_code` is set when the program was started; otherwise the result is the system's error.
int spawn_and_wait(const std::vector<std::string> &command, int out, int err, int seconds, HeldRun &run) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (out >= 0) posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  if (err >= 0) posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  pid_t child = 0;
  const int error =
      ::posix_spawnp(&child, command[0].c_str(), &actions, nullptr, pointers(command).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error) return error;
  limit_work(0);  // the compiler may take its time
  int status = 0;
  run.timed_out = !wait_for(child, seconds, status);
  limit_work(kMostOwnSeconds);
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return 0;
}

std::string content_of(int descriptor) {
  std::string text;
  char piece[4096];
  ::lseek(descriptor, 0, SEEK_SET);
  for (ssize_t got; (got = ::read(descriptor, piece, sizeof piece)) > 0;)
    text.append(piece, static_cast<std::size_t>(got));
  ::close(descriptor);
  return text;
}

/// nvcc turns a signal of one of its programs into a message and an exit code of its own.
bool speaks_of_the_machine(const std::string &messages) {
  constexpr std::string_view kSigns[] = {"died due to signal",
                                         "Killed signal",
                                         "killed by signal",
                                         "No space left on device",
                                         "Cannot allocate memory",
                                         "out of memory",
                                         "Resource temporarily unavailable",
                                         "Disk quota exceeded"};
  return std::ranges::any_of(kSigns, [&](auto sign) { return messages.contains(sign); });
}

}  // namespace

int exec_command(const std::vector<std::string> &command) {
  const auto argv = pointers(command);
  drop_guard();
  ::execvp(argv[0], argv.data());
  return cannot_start(command[0], errno);
}

int run_command(const std::vector<std::string> &command) {
  HeldRun run;
  // no process or no memory for one more, or a script without an interpreter: this process can become it
  if (spawn_and_wait(command, -1, -1, 0, run)) return exec_command(command);
  return run.exit_code;
}

HeldRun run_command_held(const std::vector<std::string> &command, int seconds) {
  HeldRun run;
  const int out = ::memfd_create("cupilot-out", MFD_CLOEXEC),
            err = ::memfd_create("cupilot-err", MFD_CLOEXEC);
  if (const int error = spawn_and_wait(command, out, err, seconds, run)) {
    run.exit_code = kCannotStart;
    run.err = std::strerror(error);
    run.interrupted = true;
  }
  if (out >= 0) run.out += content_of(out);
  if (err >= 0) run.err += content_of(err);
  if (run.exit_code && !run.timed_out)
    run.interrupted |= run.exit_code > 128 || speaks_of_the_machine(run.out + run.err);
  return run;
}

void HeldRun::release() const {
  std::fwrite(out.data(), 1, out.size(), stdout);
  std::fflush(stdout);
  std::fwrite(err.data(), 1, err.size(), stderr);
}

}  // namespace cupilot::launcher
