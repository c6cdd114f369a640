// SPDX-License-Identifier: Apache-2.0
#include "annotate/support/process_tree.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace cupilot {

namespace {

struct ProcessEntry {
  pid_t pid = 0, parent = 0, group = 0;
  bool zombie = false;
};

/// Parses "pid (name) state ppid pgrp ..."; the name may contain blanks and parentheses.
bool read_entry(const std::string &pid, ProcessEntry &entry) {
  std::ifstream file("/proc/" + pid + "/stat");
  std::string text;
  if (!std::getline(file, text)) return false;
  const auto end = text.rfind(')');
  char state = 0;
  if (end == std::string::npos ||
      std::sscanf(text.c_str() + end + 1, " %c %d %d", &state, &entry.parent, &entry.group) != 3)
    return false;
  entry.pid = std::atoi(pid.c_str());
  entry.zombie = state == 'Z';
  return true;
}

template <class Visit>
void each_pid(const Visit &visit) {
  DIR *folder = ::opendir("/proc");
  if (!folder) return;
  while (const dirent *item = ::readdir(folder))
    if (item->d_name[0] >= '1' && item->d_name[0] <= '9') visit(std::string(item->d_name));
  ::closedir(folder);
}

/// The number after `name` in a status file, in the file's own unit.
std::size_t status_number(const std::string &path, const std::string &name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(name)) return std::strtoull(line.c_str() + name.size(), nullptr, 10);
  return 0;
}

}  // namespace

std::vector<pid_t> descendants(pid_t pid) {
  std::vector<ProcessEntry> all;
  each_pid([&](const std::string &name) {
    if (ProcessEntry entry; read_entry(name, entry) && !entry.zombie) all.push_back(entry);
  });
  std::vector<pid_t> found;
  for (bool grown = true; grown;) {
    grown = false;
    for (const ProcessEntry &entry : all) {
      if (entry.pid == pid || std::find(found.begin(), found.end(), entry.pid) != found.end()) continue;
      const bool below =
          entry.parent == pid || std::find(found.begin(), found.end(), entry.parent) != found.end();
      if (!below && entry.group != pid) continue;
      found.push_back(entry.pid);
      grown = true;
    }
  }
  return found;
}

/// A stopped process starts no others, so the search comes to an end.
void kill_tree(pid_t child) {
  ::kill(child, SIGSTOP);
  std::size_t known = 0;
  for (auto found = descendants(child); found.size() != known; found = descendants(child)) {
    known = found.size();
    for (const pid_t one : found) ::kill(one, SIGSTOP);
  }
  for (const pid_t one : descendants(child)) ::kill(one, SIGKILL);
  ::kill(child, SIGKILL);
}

std::size_t private_memory(pid_t pid) {
  return status_number("/proc/" + std::to_string(pid) + "/status", "RssAnon:") << 10;
}

std::size_t tasks_of_user() {
  std::size_t tasks = 0;
  const uid_t user = ::getuid();
  each_pid([&](const std::string &name) {
    struct stat status{};
    if (::stat(("/proc/" + name).c_str(), &status) == 0 && status.st_uid == user)
      tasks += status_number("/proc/" + name + "/status", "Threads:");
  });
  return tasks;
}

}  // namespace cupilot
