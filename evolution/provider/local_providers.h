// SPDX-License-Identifier: Apache-2.0
//
// Providers that use no network themselves: any program (`command`), a folder in which a person or a program
// answers (`mailbox`), a recorded run (`replay`).

#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/provider/provider.h"

namespace cupilot::provider {

struct CommandSettings {
  std::vector<std::string> words;  ///< program and arguments; prompt on its stdin, answer on its stdout
  std::string model;               ///< passed in CUPILOT_MODEL; the role is passed in CUPILOT_ROLE
  int parallel = kUsualParallel;
  std::chrono::seconds time_limit = kLongestAnswer;
  std::size_t most_answer_bytes = kMostReceivedBytes;
  const std::atomic<bool> *stop = nullptr;
};
/// An exit code other than 0, an empty or too large output, or a timeout gives no answer; the reason includes
/// the end of the program's stderr.
Result<std::unique_ptr<Provider>> make_command_provider(CommandSettings settings);

/// A question is folder/0001.prompt.json {"cupilot_prompt":1,"number","question":sha256,"role",
/// "prompt_version","prefix","prompt"}; 0001.prompt.md has both texts for reading. An answer is
/// folder/0001.answer.json {"cupilot_answer_text":1,"text","model"?,"tokens_in"?,"tokens_cached"?,
/// "tokens_out"?}, with "no_answer":"why" in place of the text if there will be none, or
/// folder/0001.answer.md with the text alone. All questions of one answer_all are written at once. A question
/// keeps its number over restarts. An unusable answer is reported and renamed to 0001.answer.json.bad, so
/// that a better one can take its place.
struct MailboxSettings {
  std::filesystem::path folder;
  std::chrono::milliseconds poll_interval{500};
  std::chrono::milliseconds settle{300};  ///< an answer.md is read after being unchanged this long
  std::size_t most_answer_bytes = kMostReceivedBytes;
  const std::atomic<bool> *stop = nullptr;
  std::function<void(const std::string &)> waiting;  ///< gets one line for people
};
Result<std::unique_ptr<Provider>> make_mailbox_provider(MailboxSettings settings);

/// Answers from a recording written by `cupilot log --export` (format: provider/recording.h). A question is
/// identified by its hash. Asking it again gives the recording's next answer to it; after the last one there
/// is no answer.
Result<std::unique_ptr<Provider>> make_replay_provider(const std::filesystem::path &recording);

}  // namespace cupilot::provider
