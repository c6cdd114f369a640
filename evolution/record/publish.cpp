// SPDX-License-Identifier: Apache-2.0
//
// A record is two files that belong together, so its folder appears atomically: it is written to a temporary
// folder, synced, and exchanged with the old one in one system call. A killed publish leaves a `.part`
// folder, which the next publish of the same record removes and every reader ignores.

#include <fmt/format.h>

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "annotate/support/files.h"
#include "annotate/support/hash.h"
#include "evolution/model/record_json.h"
#include "evolution/record/record.h"

namespace cupilot::record {
namespace {

namespace fs = std::filesystem;

std::string last_error() {
  return std::strerror(errno);
}

void sync_folder(const fs::path &folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

/// Exchanges the folders if the file system can; otherwise the old one is moved aside for a moment.
Result<void> replace_folder(const fs::path &aside, const fs::path &folder) {
  std::error_code failed;
  const auto problem = [&] {
    return fail(fmt::format("cannot publish '{}': {}", folder.string(), last_error()));
  };
  if (!fs::exists(folder, failed)) {
    if (::rename(aside.c_str(), folder.c_str()) != 0) return problem();
    return {};
  }
  if (::renameat2(AT_FDCWD, aside.c_str(), AT_FDCWD, folder.c_str(), RENAME_EXCHANGE) != 0) {
    if (errno != EINVAL && errno != ENOSYS) return problem();
    const auto old = aside.string() + ".old";
    fs::remove_all(old, failed);
    if (::rename(folder.c_str(), old.c_str()) != 0) return problem();
    if (::rename(aside.c_str(), folder.c_str()) != 0) {
      const auto result = problem();
      (void)::rename(old.c_str(), folder.c_str());
      return result;
    }
    fs::remove_all(old, failed);
    return {};
  }
  fs::remove_all(aside, failed);  // it now holds the old record
  return {};
}

}  // namespace

fs::path record_folder(const fs::path &records, const std::string &kernel, const std::string &architecture) {
  return records / kernel / architecture;
}

Result<void> publish(const RecordFiles &files, const fs::path &records) {
  const auto &record = files.record;
  if (sha256(files.variant) != record.variant_sha256)
    return fail(
        fmt::format("the record of '{}' is for another variant than the given one", record.kernel.name));
  const auto folder = record_folder(records, record.kernel.name, record.arch);
  const fs::path aside = folder.parent_path() / fmt::format(".{}.part", record.arch);
  std::error_code failed;
  fs::remove_all(aside, failed);
  CUPILOT_CHECKED(write_file_atomic(aside / "variant.cuh", files.variant));
  CUPILOT_CHECKED(write_file_atomic(aside / "record.json", model::to_json(record)));
  sync_folder(aside);
  CUPILOT_CHECKED(replace_folder(aside, folder));
  sync_folder(folder.parent_path());
  return {};
}

Result<void> check_writable(const fs::path &records) {
  const auto refuse = [&](const std::string &why) {
    return user_error(fmt::format(
        "cannot write records into '{}': {}; make it writable or choose another folder with cupilot_tune(... "
        "RECORDS dir)",
        records.string(), why));
  };
  std::error_code failed;
  if (fs::exists(records, failed) && !fs::is_directory(records, failed)) return refuse("it is not a folder");
  const bool was_there = fs::exists(records, failed);
  fs::create_directories(records, failed);
  if (failed) return refuse(failed.message());
  std::string probe = (records / ".writable.XXXXXX").string();
  const int fd = ::mkostemp(probe.data(), O_CLOEXEC);
  const auto why = fd < 0 ? last_error() : std::string();
  if (fd >= 0) {
    ::close(fd);
    ::unlink(probe.c_str());
  }
  if (!was_there) fs::remove(records, failed);  // does not leave an empty folder
  if (!why.empty()) return refuse(why);
  return {};
}

}  // namespace cupilot::record
