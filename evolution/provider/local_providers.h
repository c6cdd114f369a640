// SPDX-License-Identifier: Apache-2.0
//
// Providers without a network of ours: any program (`command`), a folder somebody or something answers in
// (`mailbox`), a recorded run (`replay`).

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

namespace cupilot {

struct CommandSettings {
  std::vector<std::string> words;  ///< the program and its arguments; prompt on stdin, answer on stdout
  std::string model;               ///< told to it in CUPILOT_MODEL, with CUPILOT_ROLE
  int parallel = kUsualParallel;
  std::chrono::seconds time_limit = kLongestAnswer;
  std::size_t most_answer_bytes = kMostReceivedBytes;
  const std::atomic<bool> *stop = nullptr;
};
/// Exit code other than 0, nothing or too much on stdout, too slow: no answer, with the end of its stderr.
Result<std::unique_ptr<Provider>> make_command_provider(CommandSettings settings);

/// folder/0001.prompt.json {"cupilot_prompt":1,"number","question":sha256,"role","prompt_version","prefix",
/// "prompt"}, beside it 0001.prompt.md (both texts, for reading) -> folder/0001.answer.json
/// {"cupilot_answer_text":1,"text","model"?,"tokens_in"?,"tokens_cached"?,"tokens_out"?}, with "no_answer":
/// "why" in place of the text where there will be none, or folder/0001.answer.md (the text alone). All
/// questions of one answer_all lie there at once. The same question keeps its number over restarts. An answer
/// that cannot be used is said and renamed to 0001.answer.json.bad, so that a better one can take its place.
struct MailboxSettings {
  std::filesystem::path folder;
  std::chrono::milliseconds poll_interval{500};
  std::chrono::milliseconds settle{300};  ///< an answer.md must not have grown for this long
  std::size_t most_answer_bytes = kMostReceivedBytes;
  const std::atomic<bool> *stop = nullptr;
  std::function<void(const std::string &)> waiting;  ///< one line for people, when something is asked
};
Result<std::unique_ptr<Provider>> make_mailbox_provider(MailboxSettings settings);

/// A recording as `cupilot log --export` writes it (provider/recording.h says the format). A question is
/// known by its hash; asked again it gets the recording's next answer to it, and past the last one none.
Result<std::unique_ptr<Provider>> make_replay_provider(const std::filesystem::path &recording);

}  // namespace cupilot
