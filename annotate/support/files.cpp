// SPDX-License-Identifier: Apache-2.0
#include "annotate/support/files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace cupilot {
namespace {

namespace fs = std::filesystem;

std::string reason() {
  return std::strerror(errno);
}

/// Closes the descriptor on every path. `close_now` also reports a late write error.
class Descriptor {
public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  bool close_now() { return ::close(std::exchange(fd_, -1)) == 0; }

private:
  int fd_;
};

bool write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const auto written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

Result<std::string> read_file(const fs::path &path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return fail("cannot read '" + path.string() + "': " + reason());
  struct stat info{};
  if (::fstat(file.get(), &info) == 0 && S_ISDIR(info.st_mode))
    return fail("cannot read '" + path.string() + "': it is a folder");
  std::string text;
  text.resize(info.st_size > 0 ? static_cast<std::size_t>(info.st_size) + 1 : 4096);
  std::size_t used = 0;
  while (true) {
    if (used == text.size()) text.resize(text.size() * 2);
    const auto got = ::read(file.get(), text.data() + used, text.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail("cannot read '" + path.string() + "': " + reason());
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
  }
  text.resize(used);
  return text;
}

Result<std::string> read_regular_file(const fs::path &path, std::size_t most_bytes) {
  const auto cannot = [&](const std::string &why) {
    return fail("cannot read '" + path.string() + "': " + why);
  };
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) return cannot(reason());
  if (!S_ISREG(info.st_mode)) return cannot("it is not a regular file");
  // it may be another file by now, and then opening must not wait for anybody
  Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (file.get() < 0 || ::fstat(file.get(), &info) != 0) return cannot(reason());
  if (!S_ISREG(info.st_mode)) return cannot("it is not a regular file");
  const auto too_long = [&] { return cannot("it has more than " + std::to_string(most_bytes) + " bytes"); };
  if (info.st_size < 0 || static_cast<std::uintmax_t>(info.st_size) > most_bytes) return too_long();
  std::string text(info.st_size > 0 ? static_cast<std::size_t>(info.st_size) + 1 : 4096, '\0');
  std::size_t used = 0;
  while (true) {
    if (used > most_bytes) return too_long();
    if (used == text.size()) text.resize(text.size() * 2);
    const auto got = ::read(file.get(), text.data() + used, text.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return cannot(reason());
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
  }
  text.resize(used);
  return text;
}

Result<void> write_file_atomic(const fs::path &path, std::string_view content) {
  std::error_code failed;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), failed);
  std::string aside = path.string() + ".XXXXXX";
  Descriptor file(::mkostemp(aside.data(), O_CLOEXEC));
  if (file.get() < 0) return fail("cannot write '" + path.string() + "': " + reason());
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(file.get(), 0666 & ~mask);
  if (!write_all(file.get(), content) || ::fsync(file.get()) != 0 || !file.close_now() ||
      ::rename(aside.c_str(), path.c_str()) != 0) {
    const auto why = reason();
    ::unlink(aside.c_str());
    return fail("cannot write '" + path.string() + "': " + why);
  }
  return {};
}

Result<void> append_line(const fs::path &path, std::string_view line) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666));
  if (file.get() < 0 || !write_all(file.get(), std::string(line) + "\n"))
    return fail("cannot write '" + path.string() + "': " + reason());
  return {};
}

Result<TemporaryFolder> TemporaryFolder::create(const std::string &prefix) {
  std::error_code failed;
  std::string pattern = (fs::temp_directory_path(failed) / (prefix + ".XXXXXX")).string();
  if (failed || !::mkdtemp(pattern.data())) return fail("cannot create a temporary folder: " + reason());
  return TemporaryFolder(pattern);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

Result<FileLock> FileLock::acquire(const fs::path &path) {
  std::error_code ignored;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), ignored);
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) return fail("cannot open the lock '" + path.string() + "': " + reason());
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    char holder[32] = {};
    const auto got = ::pread(fd, holder, sizeof holder - 1, 0);
    ::close(fd);
    const std::string by = got > 0 ? " by process " + std::string(holder, static_cast<std::size_t>(got)) : "";
    return user_error("'" + path.string() + "' is locked" + by + "; wait for it or choose another folder");
  }
  const auto self = std::to_string(::getpid());
  if (::ftruncate(fd, 0) != 0 || ::pwrite(fd, self.data(), self.size(), 0) < 0) {
    // The lock is held even if the process id could not be written into the file.
  }
  return FileLock(fd);
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace cupilot
