// SPDX-License-Identifier: Apache-2.0
//
// Files as cupilot needs them: whole reads, and writes that are either all there or not at all.
// Every error names the file and what the system said.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "annotate/support/result.h"

namespace cupilot {

Result<std::string> read_file(const std::filesystem::path &path);

/// Writes beside the target, syncs, renames: readers see the old content or the new one, never a part.
/// Missing parent folders are created.
Result<void> write_file_atomic(const std::filesystem::path &path, std::string_view content);

/// Appends one line and flushes it to the system.
Result<void> append_line(const std::filesystem::path &path, std::string_view line);

/// A fresh private folder below the system's temporary folder, removed by the destructor.
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

/// An advisory lock on a file, held for the object's life: two tunes in one folder exclude each other.
class FileLock {
public:
  /// Fails at once, naming the holder's process id where the file says it, when somebody else holds the lock.
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
