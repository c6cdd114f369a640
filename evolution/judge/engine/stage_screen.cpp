// SPDX-License-Identifier: Apache-2.0
//
// Takes some milliseconds: the files are small, and the listing of the code was made with the build.
#include <fmt/format.h>

#include <algorithm>

#include "annotate/support/files.h"
#include "evolution/judge/engine/stages.h"
#include "evolution/judge/screen/binary_screen.h"

namespace cupilot::judge::engine {

namespace {

constexpr std::size_t kMostTold = 4;

std::string told(const std::vector<screen::ScreenFinding> &findings) {
  std::string text;
  for (std::size_t i = 0; i < std::min(findings.size(), kMostTold); ++i)
    text += (i ? "; " : "") + findings[i].reason;
  if (findings.size() > kMostTold) text += fmt::format("; and {} more", findings.size() - kMostTold);
  return text;
}

std::span<const std::byte> bytes_of(const Result<std::string> &file) {
  return file ? std::as_bytes(std::span(*file)) : std::span<const std::byte>();
}

}  // namespace

bool screen_candidate(Judging &judging, const tools::Built &built) {
  const tools::Built &original = judging.setting.original;
  const auto library = read_file(built.library), known = read_file(original.library);
  auto findings = screen::screen_library(bytes_of(library), bytes_of(known));
  const screen::CodeScreen code = screen::screen_code(built.code, original.code);
  findings.insert(findings.end(), code.findings.begin(), code.findings.end());
  if (!findings.empty()) return judging.decide(model::VerdictKind::rejected, told(findings));
  judging.classes = code.classes;
  judging.flushing = code.flushing;
  judging.impatient = code.impatient;
  if (built.code.empty())
    judging.verdict.limits.push_back("the kernels' code was not screened: no cuobjdump");
  return true;
}

void explain_numbers(Judging &judging) {
  if (judging.verdict.kind != model::VerdictKind::wrong || judging.classes.told.empty()) return;
  judging.verdict.reason +=
      fmt::format("; the candidate uses {}, which the original does not", judging.classes.told);
}

}  // namespace cupilot::judge::engine
