// SPDX-License-Identifier: Apache-2.0
//
// One order on its way to a piece; for the workshop*.cpp files alone.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evolution/search/workshop.h"

namespace cupilot {

struct Workshop::Draft {
  enum class State { ordered, to_judge, broken, survived, given_up };

  const WorkOrder *order = nullptr;
  Piece *piece = nullptr;
  std::string variant;
  std::vector<std::int64_t> calls;
  State state = State::ordered;
  int timeouts = 0;
  std::optional<Verdict> failure;  ///< the latest

  void give_up(const std::string &why) {
    state = State::given_up;
    piece->failure = piece->failure.empty() ? why : piece->failure + "; " + why;
  }
  /// Another text for the same code: memory and run database know verdicts by the text.
  std::string submitted() const { return variant + std::string(static_cast<std::size_t>(timeouts), '\n'); }
  void add_calls(const std::vector<std::int64_t> &more) {
    calls.insert(calls.end(), more.begin(), more.end());
  }
};

/// Verdict::stage of edits that did not fit.
inline constexpr const char *kEditStage = "edit";

/// Of what never came to the judge: for the revisor a failure like any other.
inline Verdict own_verdict(const std::string &stage, const std::string &reason) {
  Verdict verdict;
  verdict.kind = VerdictKind::build_failed;
  verdict.stage = stage;
  verdict.reason = reason;
  return verdict;
}

}  // namespace cupilot
