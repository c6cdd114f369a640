// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/compile.h"

#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "annotate/support/log.h"

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

/// The child stays in our process group, so that Ctrl-C reaches both. For -1 it inherits our own descriptor.
int spawn_and_wait(const std::vector<std::string> &command, int out, int err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (out >= 0) posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  if (err >= 0) posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  pid_t child = 0;
  const int error =
      ::posix_spawnp(&child, command[0].c_str(), &actions, nullptr, pointers(command).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error) return cannot_start(command[0], error);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
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

}  // namespace

int exec_command(const std::vector<std::string> &command) {
  ::execvp(command[0].c_str(), pointers(command).data());
  return cannot_start(command[0], errno);
}

int run_command(const std::vector<std::string> &command) {
  return spawn_and_wait(command, -1, -1);
}

HeldRun run_command_held(const std::vector<std::string> &command) {
  HeldRun run;
  const int out = ::memfd_create("cupilot-out", MFD_CLOEXEC),
            err = ::memfd_create("cupilot-err", MFD_CLOEXEC);
  run.exit_code = spawn_and_wait(command, out, err);
  if (out >= 0) run.out = content_of(out);
  if (err >= 0) run.err = content_of(err);
  return run;
}

void HeldRun::release() const {
  std::fwrite(out.data(), 1, out.size(), stdout);
  std::fflush(stdout);
  std::fwrite(err.data(), 1, err.size(), stderr);
}

}  // namespace cupilot::launcher
