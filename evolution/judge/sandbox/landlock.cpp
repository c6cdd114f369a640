// SPDX-License-Identifier: Apache-2.0
//
// Each version of the interface knows more rights. A kernel cannot refuse what its version does not know; the
// seccomp filter covers the rest.
#include "evolution/judge/sandbox/landlock.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>

namespace cupilot::judge::sandbox {

namespace {

// The same numbers on every architecture, from linux/landlock.h.
constexpr long kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446;
constexpr std::uint32_t kAskVersion = 1;
constexpr int kPathBeneath = 1;
constexpr std::uint64_t kExecute = 1 << 0, kWriteFile = 1 << 1, kReadFile = 1 << 2, kReadFolder = 1 << 3,
                        kIoctl = 1 << 15;

struct RulesetAttributes {
  std::uint64_t files = 0, network = 0, scoped = 0;
};
struct __attribute__((packed)) PathAttributes {
  std::uint64_t allowed;
  std::int32_t parent;
};

RulesetAttributes everything(long version) {
  RulesetAttributes all;
  const int bits = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
  all.files = (1ull << bits) - 1;
  all.network = version >= 4 ? 3 : 0;  // bind, connect
  all.scoped = version >= 6 ? 3 : 0;   // abstract sockets, signals
  return all;
}

long landlock_version() {
  return ::syscall(kCreateRuleset, nullptr, 0, kAskVersion);
}

std::size_t known_bytes(long version) {
  return version >= 6 ? sizeof(RulesetAttributes) : version >= 4 ? 16 : 8;
}

/// Rights that a rule for a file, not a folder, may name.
constexpr std::uint64_t kOfFiles = kExecute | kWriteFile | kReadFile | 1 << 14 | kIoctl;

std::uint64_t rights(PathAccess::Right right) {
  constexpr std::uint64_t kRead = kReadFile | kReadFolder;
  switch (right) {
    case PathAccess::Right::read:
      return kRead;
    case PathAccess::Right::drive:
      return kRead | kWriteFile | kIoctl;
    case PathAccess::Right::execute:
      return kRead | kExecute;
    case PathAccess::Right::all:
      return ~0ull;
  }
  return 0;
}

Result<> add_path(int ruleset, const PathAccess &access, std::uint64_t handled) {
  const int opened = ::open(access.path.c_str(), O_PATH | O_CLOEXEC);
  if (opened < 0) return {};  // a path that does not exist needs no rule
  struct stat status{};
  std::uint64_t allowed = rights(access.right);
  if (::fstat(opened, &status) != 0 || !S_ISDIR(status.st_mode)) allowed &= kOfFiles;
  const PathAttributes attributes{allowed & handled, opened};
  const long done = ::syscall(kAddRule, ruleset, kPathBeneath, &attributes, 0);
  const int problem = errno;
  ::close(opened);
  if (done == 0) return {};
  return fail(fmt::format("allowing '{}' in the sandbox: {}", access.path.string(), std::strerror(problem)));
}

}  // namespace

bool has_landlock() {
  return landlock_version() >= 1;
}

Result<int> make_file_rules(std::span<const PathAccess> paths) {
  const long version = landlock_version();
  if (version < 1) return -1;
  const RulesetAttributes attributes = everything(version);
  const int ruleset = static_cast<int>(::syscall(kCreateRuleset, &attributes, known_bytes(version), 0));
  if (ruleset < 0) return fail(std::string("making Landlock's rules: ") + std::strerror(errno));
  for (const PathAccess &path : paths)
    if (const auto added = add_path(ruleset, path, attributes.files); !added) {
      ::close(ruleset);
      return std::unexpected(added.error());
    }
  return ruleset;
}

Result<bool> restrict_files(std::span<const PathAccess> paths) {
  CUPILOT_TRY(ruleset, make_file_rules(paths));
  if (ruleset < 0) return false;
  const long done = ::syscall(kRestrictSelf, ruleset, 0);
  const int problem = errno;
  ::close(ruleset);
  if (done != 0) return fail(std::string("entering Landlock's rules: ") + std::strerror(problem));
  return true;
}

}  // namespace cupilot::judge::sandbox
