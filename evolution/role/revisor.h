// SPDX-License-Identifier: Apache-2.0
//
// Role `revisor`: repairs a variant that failed, with two questions (CuTeGen, arXiv 2604.01489): diagnose in
// prose, then edit by line numbers. As an option, the single-issue critic of CudaForge (arXiv 2511.01884)
// replaces the diagnosis.

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

namespace cupilot::role {

/// A variant is repaired at most this many times; the revisor is told which attempt it is.
inline constexpr int kMostFixes = 5;
inline constexpr std::size_t kMostLogCharacters = 10'000;

struct DiagnoseQuestion {
  const KernelBrief &brief;
  const model::Strategy &strategy;
  std::string variant;
  const model::Verdict &verdict;  ///< why it failed: kind, stage, reason, the build's log
  int attempt = 1;                ///< from 1
};
provider::RoleRequest diagnose_request(const DiagnoseQuestion &question);

struct Diagnosis {
  std::string cause, fix;
};
Result<Diagnosis> parse_diagnosis(std::string_view answer);

struct EditQuestion {
  const KernelBrief &brief;
  const model::Strategy &strategy;
  std::string variant;
  const Diagnosis &diagnosis;
};
provider::RoleRequest edit_request(const EditQuestion &question);

/// Line numbers count from 1 in the text before any edit. `replace` replaces first..last by `text`; `insert`
/// puts `text` before `first` (one past the last line: at the end); `remove` removes first..last.
struct LineEdit {
  enum class Kind { replace, insert, remove } kind = Kind::replace;
  int first = 0, last = 0;
  std::string text;
};
/// Format: {"cupilot_answer":1,"edits":[{"edit":"replace","first":3,"last":4,"text":"..."},...]}; at least
/// one edit.
Result<std::vector<LineEdit>> parse_edits(std::string_view answer);
/// Applies the edits from the bottom up. A line outside the text, or two edits of the same line, is an error.
Result<std::string> apply_edits(std::string_view variant, std::vector<LineEdit> edits);
/// The variant with line numbers ("  12| text"), as the role reads it.
std::string numbered(std::string_view variant);

/// True if a role could not distinguish the two failures: same kind and stage, and reasons that differ only
/// in numbers and file names.
bool same_failure(const model::Verdict &one, const model::Verdict &other);

/// Asks for one critical issue, why it is critical, and the smallest change. It is asked about a failed
/// variant, or about a correct one that should become faster (then `digest` says how it runs).
struct CriticQuestion {
  const KernelBrief &brief;
  std::string variant;
  const model::Verdict &verdict;
  std::string digest;
};
provider::RoleRequest critic_request(const CriticQuestion &question);
struct Criticism {
  std::string issue, why, fix;
};
Result<Criticism> parse_criticism(std::string_view answer);

}  // namespace cupilot::role
