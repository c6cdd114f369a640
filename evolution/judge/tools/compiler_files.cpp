// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/tools/compiler_files.h"

#include <cstdlib>
#include <string_view>

#include "annotate/support/process.h"

namespace cupilot::judge::tools {

namespace {

using Right = sandbox::PathAccess::Right;
namespace fs = std::filesystem;

/// Compilers, their libraries and headers, and what the dynamic loader and a shell need. Of /etc only the
/// files that say where libraries are.
constexpr const char *kSystem[] = {"/usr",
                                   "/bin",
                                   "/lib",
                                   "/lib64",
                                   "/opt",
                                   "/proc",
                                   "/sys",
                                   "/nix",
                                   "/etc/alternatives",
                                   "/etc/ld.so.cache",
                                   "/etc/ld.so.conf",
                                   "/etc/ld.so.conf.d"};

/// Adds the installation of a program in `folder`: the parent of "bin", but never the root folder.
void add_installation(const fs::path &folder, std::vector<sandbox::PathAccess> &all) {
  all.push_back({folder, Right::execute});
  const fs::path above = folder.parent_path();
  if (above != above.root_path()) all.push_back({above, Right::execute});
}

void add_list(const char *variable, bool programs, std::vector<sandbox::PathAccess> &all) {
  const char *value = std::getenv(variable);
  for (std::string_view rest = value ? value : ""; !rest.empty();) {
    const auto colon = std::min(rest.find(':'), rest.size());
    const fs::path folder = fs::path(rest.substr(0, colon)).lexically_normal();
    if (folder.is_absolute() && programs) add_installation(folder, all);
    if (folder.is_absolute() && !programs) all.push_back({folder, Right::read});
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
}

/// Finds paths in "-I/a/b", "--include-path=/a/b" and in a separate word after -isystem.
void add_named_paths(const std::vector<std::string> &command, std::vector<sandbox::PathAccess> &all) {
  for (const std::string &word : command) {
    const auto slash = word.find('/');
    if (slash == std::string::npos) continue;
    const fs::path path = word.substr(slash);
    std::error_code none;
    all.push_back({path, Right::read});
    if (fs::is_regular_file(path, none) && path.parent_path() != path.root_path())
      all.push_back({path.parent_path(), Right::read});
  }
}

}  // namespace

std::vector<sandbox::PathAccess> compiler_files(const std::vector<std::string> &command,
                                                const fs::path &bundle, const fs::path &folder) {
  std::vector<sandbox::PathAccess> all;
  for (const char *path : kSystem) all.push_back({path, Right::execute});
  for (const char *path : {"/dev/null", "/dev/zero", "/dev/urandom", "/dev/tty"})
    all.push_back({path, Right::drive});
  std::error_code none;
  if (const auto program = find_program(command.front())) {
    add_installation(program->parent_path(), all);
    add_installation(fs::canonical(*program, none).parent_path(), all);
  }
  add_list("PATH", true, all);
  for (const char *variable :
       {"LD_LIBRARY_PATH", "LIBRARY_PATH", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"})
    add_list(variable, false, all);
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH", "NVCC_CCBIN"})
    if (const char *value = std::getenv(variable)) all.push_back({value, Right::execute});
  add_named_paths(command, all);
  all.push_back({bundle / "include", Right::read});
  all.push_back({folder, Right::all});
  return all;
}

}  // namespace cupilot::judge::tools
