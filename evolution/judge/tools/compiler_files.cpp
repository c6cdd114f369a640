// SPDX-License-Identifier: Apache-2.0
//
// Nothing is opened because it stands in PATH: only compilers that are found there open something, and of
// their installation only the folders that compilers use. /proc stays closed but for a few files, because
// /proc/self/environ holds the keys of this user.
#include "evolution/judge/tools/compiler_files.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "annotate/support/process.h"
#include "annotate/support/text.h"

namespace cupilot::judge::tools {

namespace {

using Right = sandbox::PathAccess::Right;
namespace fs = std::filesystem;

/// The system's compilers, libraries and headers, what a shell and the dynamic loader need, and what programs
/// ask about the machine.
constexpr const char *kSystem[] = {"/usr",
                                   "/bin",
                                   "/sbin",
                                   "/lib",
                                   "/lib32",
                                   "/lib64",
                                   "/nix/store",
                                   "/gnu/store",
                                   "/etc/localtime",
                                   "/proc/cpuinfo",
                                   "/proc/meminfo",
                                   "/etc/alternatives",
                                   "/proc/sys/vm",
                                   "/proc/stat",
                                   "/etc/ld.so.cache",
                                   "/etc/ld.so.conf",
                                   "/etc/nvcc.profile",
                                   "/etc/ld.so.conf.d",
                                   "/sys/devices/system/cpu"};

/// Host compilers and the programs that they start from PATH.
constexpr const char *kHostPrograms[] = {"g++", "gcc", "c++", "cc", "clang++", "clang", "as", "ld"};

/// What compilers use of the folder that they are installed in; besides these "x86_64-linux-gnu" and its
/// like.
constexpr const char *kParts[] = {"bin",     "include", "lib",     "lib32",  "lib64",
                                  "libexec", "nvvm",    "targets", "open64", "crt"};
/// What only the installation of a compiler has.
constexpr const char *kMarks[] = {"nvvm", "lib/gcc", "lib64/gcc", "libexec/gcc", "lib/clang", "lib64/clang"};

bool is_there(const fs::path &path) {
  std::error_code none;
  return fs::exists(path, none);
}

fs::path real_path(const fs::path &path) {
  std::error_code none;
  auto real = fs::weakly_canonical(path, none);
  return none ? path.lexically_normal() : real;
}

std::string value_of(const char *variable) {
  const char *value = std::getenv(variable);
  return value ? value : "";
}

std::vector<std::string> folders_in(const char *variable) {
  auto all = split(value_of(variable), ':');
  std::erase_if(all, [](const std::string &one) { return !one.starts_with('/'); });
  return all;
}

bool is_above_or_same(const fs::path &folder, const fs::path &path) {
  const auto [end, rest] = std::ranges::mismatch(folder, path);
  return end == folder.end();
}

class Files {
public:
  Files() {
    homes_ = {"/root", value_of("HOME")};
    if (const passwd *me = ::getpwuid(::getuid()); me && me->pw_dir) homes_.emplace_back(me->pw_dir);
    for (fs::path &home : homes_) home = real_path(home);
    std::erase_if(homes_, [](const fs::path &home) { return home.empty() || home == home.root_path(); });
  }

  void add(const fs::path &path, Right right) { all_.push_back({path, right}); }

  /// A folder that flags or the environment name, but never a whole home folder or one that homes lie in.
  void add_named(const fs::path &path, Right right) {
    if (path.is_absolute() && !holds_a_home(real_path(path))) add(path, right);
  }

  /// A compiler: its file, and what it uses of its installation, where it stands in one.
  void add_program(const fs::path &program) {
    for (const fs::path &place : {program.lexically_normal(), real_path(program)}) {
      add(place, Right::execute);
      add_installation(place.parent_path().parent_path());
    }
  }

  void add_installation(const fs::path &root) {
    const auto has = [&](const char *part) { return is_there(root / part); };
    if (!root.is_absolute() || std::ranges::none_of(kMarks, has)) return;
    for (const char *part : kParts) add(root / part, Right::execute);
    if (holds_a_home(root)) return;
    std::error_code none;
    for (const auto &entry : fs::directory_iterator(root, none))
      if (entry.path().filename().string().contains("-linux")) add(entry.path(), Right::execute);
    add_package(root);
  }

  std::vector<sandbox::PathAccess> taken() { return std::move(all_); }

private:
  bool holds_a_home(const fs::path &folder) const {
    return folder == "/home" ||
           std::ranges::any_of(homes_,
                               [&](const fs::path &home) { return is_above_or_same(folder, home); }) ||
           folder.parent_path() == "/home";
  }

  /// Packages below /opt are spread over several folders: "/opt/nvidia/hpc_sdk/...".
  void add_package(const fs::path &root) {
    const auto below = root.lexically_relative("/opt");
    if (is_above_or_same("/opt", root) && below != "." && !holds_a_home("/opt" / *below.begin()))
      add("/opt" / *below.begin(), Right::execute);
  }

  std::vector<fs::path> homes_;
  std::vector<sandbox::PathAccess> all_;
};

/// The values of options that name the host compiler, joined or as the next word.
std::vector<std::string> named_compilers(const std::vector<std::string> &command) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < command.size(); ++i)
    for (const std::string option : {"-ccbin", "--compiler-bindir"}) {
      if (command[i] == option && i + 1 < command.size()) all.push_back(command[i + 1]);
      if (command[i].starts_with(option + "=")) all.push_back(command[i].substr(option.size() + 1));
    }
  if (const auto chosen = value_of("NVCC_CCBIN"); !chosen.empty()) all.push_back(chosen);
  return all;
}

/// All of them, since nvcc and a wrapper such as ccache may find different ones.
void add_host_compilers(const std::vector<std::string> &command, Files &files) {
  std::vector<std::string> names(std::begin(kHostPrograms), std::end(kHostPrograms));
  for (const std::string &named : named_compilers(command)) {
    std::error_code none;
    if (named.find('/') == std::string::npos)
      names.push_back(named);
    else if (fs::is_directory(named, none))
      for (const char *program : kHostPrograms) files.add_program(fs::path(named) / program);
    else
      files.add_program(named);
  }
  for (const std::string &folder : folders_in("PATH"))
    for (const std::string &name : names)
      if (is_there(fs::path(folder) / name)) files.add_program(fs::path(folder) / name);
}

/// Finds paths in "-I/a/b", "--include-path=/a/b" and in a separate word after -isystem. Macros may have
/// values that look like paths.
void add_named_paths(const std::vector<std::string> &command, Files &files) {
  for (std::size_t i = 0; i < command.size(); ++i) {
    const std::string &word = command[i];
    const auto slash = word.find('/');
    if (slash == std::string::npos || word.starts_with("-D") || (i > 0 && command[i - 1] == "-D")) continue;
    const fs::path path = word.substr(slash);
    std::error_code none;
    files.add_named(path, Right::read);
    if (fs::is_regular_file(path, none)) files.add_named(path.parent_path(), Right::read);
  }
}

}  // namespace

std::vector<sandbox::PathAccess> compiler_files(const std::vector<std::string> &command,
                                                const fs::path &bundle, const fs::path &folder) {
  Files files;
  for (const char *path : kSystem) files.add(path, Right::execute);
  for (const char *path : {"/dev/null", "/dev/zero", "/dev/urandom"}) files.add(path, Right::drive);
  std::vector<std::string> words = command;
  for (const char *more : {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"})
    for (const std::string &word : split(value_of(more), ' ')) words.push_back(word);
  if (const auto program = find_program(command.front())) files.add_program(*program);
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"}) files.add_installation(value_of(variable));
  add_host_compilers(words, files);
  for (const char *variable :
       {"LD_LIBRARY_PATH", "LIBRARY_PATH", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"})
    for (const std::string &named : folders_in(variable)) files.add_named(named, Right::read);
  for (const std::string &named : folders_in("CUPILOT_COMPILER_FILES")) files.add(named, Right::execute);
  add_named_paths(words, files);
  files.add(bundle / "include", Right::read);
  files.add(folder, Right::all);
  return files.taken();
}

}  // namespace cupilot::judge::tools
