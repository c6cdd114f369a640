// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/cache_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "annotate/support/files.h"
#include "driver/launcher/limits.h"

namespace cupilot::launcher {
namespace {

/// A new file, never one that is there already: that may be a pipe that nobody reads, or a link to somewhere
/// else.
std::FILE *create_new(const std::string &path) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  int descriptor = ::open(path.c_str(), kFlags, 0666);
  if (descriptor < 0 && errno == EEXIST && ::unlink(path.c_str()) == 0)
    descriptor = ::open(path.c_str(), kFlags, 0666);
  std::FILE *file = descriptor < 0 ? nullptr : ::fdopen(descriptor, "wb");
  if (descriptor >= 0 && !file) ::close(descriptor);
  return file;
}

}  // namespace

bool is_regular(const std::filesystem::path &path) {
  struct stat info{};
  return ::lstat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

Result<void> write_cache_file(const std::filesystem::path &path, std::string_view content) {
  if (const auto old = read_regular_file(path, kMostCacheBytes); old && *old == content) return {};
  std::error_code failed;
  std::filesystem::create_directories(path.parent_path(), failed);
  const std::string aside = path.string() + "." + std::to_string(::getpid());
  std::FILE *file = create_new(aside);
  const bool written = file && std::fwrite(content.data(), 1, content.size(), file) == content.size();
  const bool closed = file && std::fclose(file) == 0;
  if (written && closed && std::rename(aside.c_str(), path.c_str()) == 0) return {};
  const std::string reason = std::strerror(errno);
  if (file) (void)::unlink(aside.c_str());
  return fail("cannot write '" + path.string() + "': " + reason);
}

}  // namespace cupilot::launcher
