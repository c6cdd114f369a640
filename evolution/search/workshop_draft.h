// SPDX-License-Identifier: Apache-2.0
//
// The state of one order while the workshop makes a piece of it. Private to the workshop*.cpp files.

#pragma once

#include <fmt/format.h>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evolution/search/workshop.h"

namespace cupilot::search {

struct Workshop::Draft {
  enum class State { ordered, to_judge, broken, survived, given_up };

  const WorkOrder *order = nullptr;
  Piece *piece = nullptr;
  std::string variant;
  std::vector<std::int64_t> calls;
  State state = State::ordered;
  int timeouts = 0;
  std::optional<model::Verdict> failure;  ///< the latest failure

  void give_up(const std::string &why) {
    state = State::given_up;
    piece->failure = piece->failure.empty() ? why : fmt::format("{}; {}", piece->failure, why);
  }
  /// The text that is judged. After a timeout it gets one more empty line, because memory and run database
  /// recognise verdicts by the text.
  std::string submitted() const { return variant + std::string(static_cast<std::size_t>(timeouts), '\n'); }
  void add_calls(const std::vector<std::int64_t> &more) {
    calls.insert(calls.end(), more.begin(), more.end());
  }
};

/// Verdict::stage of line edits that could not be applied.
inline constexpr const char *kEditStage = "edit";

/// The verdict of something that never reached the judge. The revisor treats it like any other failure.
inline model::Verdict own_verdict(const std::string &stage, const std::string &reason) {
  model::Verdict verdict;
  verdict.kind = model::VerdictKind::build_failed;
  verdict.stage = stage;
  verdict.reason = reason;
  return verdict;
}

}  // namespace cupilot::search
