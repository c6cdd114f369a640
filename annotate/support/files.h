// SPDX-License-Identifier: Apache-2.0
//
// Reads whole files and writes files atomically. Every error names the file and includes the system's
// message.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "annotate/support/result.h"

namespace cupilot {

Result<std::string> read_file(const std::filesystem::path &path);

/// For files that others may have put there: a regular file of at most `most_bytes`. Anything else is an
/// error at once: a pipe, a device, a socket, a folder, a file that is longer or never ends. A pipe is not
/// even opened, because that would take its writer's data away from whom they are for.
Result<std::string> read_regular_file(const std::filesystem::path &path, std::size_t most_bytes);

/// Writes a temporary file beside the target, syncs it and renames it. Readers see either the old or the new
/// content, never a mixture. Missing parent folders are created.
Result<void> write_file_atomic(const std::filesystem::path &path, std::string_view content);

/// Appends one line and flushes it to the system.
Result<void> append_line(const std::filesystem::path &path, std::string_view line);

/// A new private folder below the system's temporary folder. The destructor removes it.
class TemporaryFolder {
public:
  static Result<TemporaryFolder> create(const std::string &prefix);
  TemporaryFolder(TemporaryFolder &&other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder &operator=(TemporaryFolder &&other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~TemporaryFolder();
  const std::filesystem::path &path() const { return path_; }

private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

/// An advisory lock on a file, held for the object's life. It prevents two searches in the same folder.
class FileLock {
public:
  /// Fails at once when somebody else holds the lock, and names the holder's process id if the file contains
  /// it.
  static Result<FileLock> acquire(const std::filesystem::path &path);
  FileLock(FileLock &&other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileLock &operator=(FileLock &&other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~FileLock();

private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace cupilot
