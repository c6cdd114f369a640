// SPDX-License-Identifier: Apache-2.0
//
// Role `revisor`: a variant that failed is repaired by two questions (seeds.md 3a): diagnose in prose, then
// edit by line numbers. And the single-issue critic of CudaForge, an option in the place of the diagnosis.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/model/strategy.h"
#include "evolution/model/verdict.h"
#include "evolution/provider/provider.h"
#include "evolution/role/kernel_brief.h"

namespace cupilot {

/// A variant is repaired this often; the revisor is told which attempt it is.
inline constexpr int kMostFixes = 5;
inline constexpr std::size_t kMostLogCharacters = 10'000;

struct DiagnoseQuestion {
  const KernelBrief &brief;
  const Strategy &strategy;
  std::string variant;
  const Verdict &verdict;  ///< why it failed: kind, stage, reason, the build's log
  int attempt = 1;         ///< from 1
};
RoleRequest diagnose_request(const DiagnoseQuestion &question);

struct Diagnosis {
  std::string cause, fix;
};
Result<Diagnosis> parse_diagnosis(std::string_view answer);

struct EditQuestion {
  const KernelBrief &brief;
  const Strategy &strategy;
  std::string variant;
  const Diagnosis &diagnosis;
};
RoleRequest edit_request(const EditQuestion &question);

/// Lines count from 1 in the text before any edit. replace: first..last by `text`; insert: `text` before
/// `first` (one past the last line: at the end); remove: first..last.
struct LineEdit {
  enum class Kind { replace, insert, remove } kind = Kind::replace;
  int first = 0, last = 0;
  std::string text;
};
/// {"cupilot_answer":1,"edits":[{"edit":"replace","first":3,"last":4,"text":"..."},...]}; at least one.
Result<std::vector<LineEdit>> parse_edits(std::string_view answer);
/// Bottom-up; a line outside the text or edits that touch the same line are an error.
Result<std::string> apply_edits(std::string_view variant, std::vector<LineEdit> edits);
/// "  12| text" lines, as the role reads them.
std::string numbered(std::string_view variant);

/// Two failures a role could not tell apart: same kind, stage and reason but for numbers and names of files.
bool same_failure(const Verdict &one, const Verdict &other);

/// One critical issue, why it is the one, the smallest change: of a failed variant, or of a correct one that
/// is to become faster (then `digest` says how it runs).
struct CriticQuestion {
  const KernelBrief &brief;
  std::string variant;
  const Verdict &verdict;
  std::string digest;
};
RoleRequest critic_request(const CriticQuestion &question);
struct Criticism {
  std::string issue, why, fix;
};
Result<Criticism> parse_criticism(std::string_view answer);

}  // namespace cupilot
