// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/run/program.h"

#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "annotate/support/process.h"

extern char **environ;

namespace cupilot::cli::run {
namespace {

namespace fs = std::filesystem;

/// Our variables replace the caller's.
std::vector<std::string> whole_environment(const std::map<std::string, std::string> &ours) {
  std::vector<std::string> all;
  for (char **variable = environ; *variable; ++variable) {
    const std::string text = *variable;
    if (!ours.contains(text.substr(0, text.find('=')))) all.push_back(text);
  }
  for (const auto &[name, value] : ours) all.push_back(name + "=" + value);
  return all;
}

std::vector<char *> pointers(std::vector<std::string> &words) {
  std::vector<char *> all;
  for (auto &word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

Result<fs::path> program_file(const std::vector<std::string> &words, const std::string &usage) {
  if (words.empty()) return user_error("no program was given; write it after '--': " + usage);
  const auto found = find_program(words[0]);
  if (!found) return user_error("cannot find the program '" + words[0] + "'");
  return *found;
}

Result<fs::path> own_library(const char *variable, const std::string &name, const std::string &what,
                             const std::string &part) {
  const char *asked = std::getenv(variable);
  const fs::path place =
      asked && *asked ? fs::path(asked) : own_folder().parent_path() / "lib/cupilot" / name;
  std::error_code ignored;
  if (fs::exists(place, ignored)) return fs::absolute(place);
  return fail("cannot find the " + what + " '" + place.string() + "'; install " + part + ", or set " +
              variable);
}

Result<fs::path> emulated_runtime() {
  return own_library("CUPILOT_CUDART", "libcupilot-cudart.so", "stand-in CUDA runtime",
                     "the CPU executor (CUPILOT_BUILD_EMULATE=ON)");
}

std::string with_preload(const fs::path &library) {
  const char *others = std::getenv("LD_PRELOAD");
  return others && *others ? library.string() + ":" + others : library.string();
}

Result<int> run_attached(const fs::path &file, std::vector<std::string> words,
                         const std::map<std::string, std::string> &variables) {
  auto environment = whole_environment(variables);
  pid_t child = 0;
  const int failed = posix_spawn(&child, file.c_str(), nullptr, nullptr, pointers(words).data(),
                                 pointers(environment).data());
  if (failed) return user_error("cannot run '" + file.string() + "': " + std::strerror(failed));
  const auto before = std::signal(SIGINT, SIG_IGN);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  std::signal(SIGINT, before);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace cupilot::cli::run
