// SPDX-License-Identifier: Apache-2.0
//
// A recorded run, one JSON object a line. It serves for review, for the provider `replay` and for the
// recorded judge. The lines are:
//   {"cupilot_recording":1,"kernel","kernel_id","architecture","policy","options","seed","provider","device",
//    "history"}
//   {"text":sha256,"content"}                 a prefix, before the first question that has it
//   {"question":sha256,"role","prompt_version","prefix":sha256,"prompt","answer","failure","model",
//    "tokens_in","tokens_cached","tokens_out","usd","seconds"}   without "answer", "failure" says why
//   {"variant":sha256,"content"}              before its first verdict
//   {"verdict":{...},"variant":sha256,"seed"} in the format of verdict_json.h

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/model/verdict.h"
#include "evolution/provider/provider.h"

namespace cupilot::provider {

/// The hash over everything a provider receives: role, prompt version, content, prefix and prompt. It
/// identifies a question in the run database and in recordings.
std::string question_sha256(const RoleRequest &request);

struct RecordedQuestion {
  std::string question;  ///< question_sha256
  std::string role, prompt_version, prefix, prompt;
  std::optional<std::string> answer;  ///< unusable answers are included
  std::string failure;                ///< why there is no answer, or why it could not be used
  std::string model;
  Spending spent;
  double seconds = 0;
};

struct RecordedVerdict {
  std::string variant_sha256;
  std::uint64_t seed = 0;
  model::Verdict verdict;
};

struct Recording {
  std::string kernel, kernel_id, architecture, policy;
  std::string options;  ///< RunInfo::options
  std::uint64_t seed = 0;
  std::string provider, device;
  std::string
      history;  ///< the history of earlier runs when it began, in the format of driver/cli; "" for none
  std::vector<RecordedQuestion> questions;      ///< in the order asked
  std::map<std::string, std::string> variants;  ///< by sha256
  std::vector<RecordedVerdict> verdicts;        ///< in the order judged
};

std::string to_json_lines(const Recording &recording);
/// Parses strictly: an error names the line.
Result<Recording> recording_from(std::string_view json_lines);

}  // namespace cupilot::provider
