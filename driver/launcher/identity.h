// SPDX-License-Identifier: Apache-2.0
//
// Decides whether a record is still about the kernel in this source.

#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "driver/launcher/plan.h"

namespace cupilot::launcher {

/// SHA-256 of files on disk, each read once, and no more of them than limits.h allows.
class FileHashes {
public:
  /// Empty for a file that is not read.
  const std::string &of(const std::filesystem::path &path);

private:
  std::map<std::filesystem::path, std::string> known_;
  std::size_t bytes_ = 0;
};

/// True when the source, the macro options and the content of every file are those of the record. This needs
/// no parse.
bool fingerprint_matches(const SwapRecord &record, const CompileJob &job, const std::vector<UserFile> &files,
                         FileHashes &hashes);

/// Asks cupilot-annotate for the kernels of one translation unit, once for each content of its files.
class Identifier {
public:
  Identifier(const CompileJob &job, const std::vector<UserFile> &files, const Settings &settings,
             std::filesystem::path cache)
      : job_(job), files_(files), settings_(settings), cache_(std::move(cache)) {}

  enum class Answer { same, changed, unknown };
  /// The answer is `unknown` when the program is missing or failed. That is only trouble when the record was
  /// taken from this unit.
  Answer ask(const SwapRecord &record, const std::filesystem::path &root, Trouble &trouble);

private:
  Result<std::string> answer(const std::filesystem::path &root);
  Result<std::string> run(const std::filesystem::path &root) const;

  const CompileJob &job_;
  const std::vector<UserFile> &files_;
  const Settings &settings_;
  std::filesystem::path cache_;
  std::optional<Result<std::string>> known_;
};

}  // namespace cupilot::launcher
