// SPDX-License-Identifier: Apache-2.0
#include "evolution/role/revisor.h"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>

#include "annotate/support/text.h"
#include "evolution/role/log_excerpt.h"
#include "evolution/role/prompt.h"
#include "evolution/role/strategy_words.h"
#include "evolution/role/words.h"

namespace cupilot::role {
namespace {

constexpr std::size_t kMostReasonCharacters = 4'000;
constexpr std::size_t kMostErrorsShown = 6;

std::string error_text(const model::OutputError &error) {
  std::string text = fmt::format("output {} on case {}", error.parameter, error.case_id);
  if (!error.family.empty()) text += fmt::format(", inputs '{}'", error.family);
  const auto relative = [](double value, double limit) {
    return fmt::format("{}e-6 (allowed {}e-6)", decimals(value * 1e6, 3), decimals(limit * 1e6, 3));
  };
  return text + fmt::format(": element {} is {}, expected {}; root mean square error {}, largest {}",
                            error.worst_index, decimals(error.got, 9), decimals(error.expected, 9),
                            relative(error.rms, error.rms_limit), relative(error.max, error.max_limit));
}

std::string kind_words(model::VerdictKind kind) {
  std::string words = model::to_string(kind);
  std::ranges::replace(words, '_', ' ');
  return words;
}

/// True if the variant is correct, whatever its speed.
bool survived(const model::Verdict &verdict) {
  return verdict.kind == model::VerdictKind::faster || verdict.kind == model::VerdictKind::slower ||
         verdict.kind == model::VerdictKind::same || verdict.kind == model::VerdictKind::unsure;
}

std::string failure_text(const model::Verdict &verdict) {
  std::string kind = model::to_string(verdict.kind);
  std::ranges::replace(kind, '_', ' ');
  std::string text = "verdict: " + kind;
  if (!verdict.stage.empty()) text += fmt::format(", at stage '{}'", verdict.stage);
  text += "\n";
  if (!verdict.reason.empty()) text += log_excerpt(verdict.reason, kMostReasonCharacters) + "\n";
  if (verdict.kind == model::VerdictKind::wrong)
    for (std::size_t i = 0; i < std::min(verdict.errors.size(), kMostErrorsShown); ++i)
      text += error_text(verdict.errors[i]) + "\n";
  return text;
}

/// The log is shown only if the reason does not already contain all of it.
std::string log_text(const model::Verdict &verdict) {
  const std::string &log = verdict.build.log;
  const bool build = verdict.kind == model::VerdictKind::build_failed || verdict.stage == "build";
  if (!build || trim(log).empty() || verdict.reason.ends_with(log)) return {};
  return fenced(log_excerpt(log, kMostLogCharacters), "text");
}

std::string yes_if(bool condition) {
  return condition ? "yes" : "";
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '/' || c == '-' ||
         c == '+';
}

/// True for a path, or for a file name with one of the endings of sources, objects and PTX.
bool is_file(std::string_view word) {
  if (word.find('/') != std::string_view::npos) return true;
  constexpr std::string_view kEnds[] = {".cu", ".cuh", ".ptx", ".cubin", ".so", ".o", ".h", ".cpp", ".ii"};
  return std::ranges::any_of(kEnds, [&](std::string_view end) { return word.ends_with(end); });
}

/// Replaces each number (with sign, point and exponent, or hexadecimal) by '#'.
std::string without_numbers(std::string_view word) {
  std::string text;
  for (std::size_t at = 0; at < word.size();) {
    if (!std::isdigit(static_cast<unsigned char>(word[at]))) {
      text += word[at++];
      continue;
    }
    const bool hex = word.substr(at).starts_with("0x");
    const auto part = [&](std::size_t i) {
      const auto c = static_cast<unsigned char>(word[i]);
      const bool sign = (c == '-' || c == '+') && (word[i - 1] == 'e' || word[i - 1] == 'E');
      return std::isdigit(c) || c == '.' || sign ||
             (hex ? std::isxdigit(c) || c == 'x' : c == 'e' || c == 'E');
    };
    while (at < word.size() && part(at)) ++at;
    while (text.ends_with('-') || text.ends_with('+') || text.ends_with('.')) text.pop_back();
    text += '#';
  }
  return text;
}

/// The normalised text by which two failures are compared.
std::string essence(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_word(text[at])) {
      const bool blank = std::isspace(static_cast<unsigned char>(text[at]));
      if (!blank || !result.ends_with(' ')) result += blank ? ' ' : text[at];
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    result += is_file(word) ? "FILE" : without_numbers(word);
    at = end;
  }
  return std::string(trim(result));
}

}  // namespace

provider::RoleRequest diagnose_request(const DiagnoseQuestion &question) {
  const model::Verdict &verdict = question.verdict;
  const auto kind = [&](model::VerdictKind one) { return yes_if(verdict.kind == one); };
  return role_request("revisor_diagnose", stable_prefix(question.brief),
                      {{"attempt", std::to_string(question.attempt)},
                       {"most", std::to_string(kMostFixes)},
                       {"strategy", fenced(strategy_words(question.strategy), "text")},
                       {"variant", fenced(numbered(question.variant), "text")},
                       {"failure", fenced(failure_text(verdict), "text")},
                       {"log", log_text(verdict)},
                       {"build", kind(model::VerdictKind::build_failed)},
                       {"rejected", kind(model::VerdictKind::rejected)},
                       {"wrong", kind(model::VerdictKind::wrong)},
                       {"crashed", kind(model::VerdictKind::crashed)},
                       {"timed_out", kind(model::VerdictKind::timed_out)}});
}

provider::RoleRequest edit_request(const EditQuestion &question) {
  return role_request("revisor_edit", stable_prefix(question.brief),
                      {{"strategy", fenced(strategy_words(question.strategy), "text")},
                       {"variant", fenced(numbered(question.variant), "text")},
                       {"cause", fenced(question.diagnosis.cause, "text")},
                       {"fix", fenced(question.diagnosis.fix, "text")}});
}

provider::RoleRequest critic_request(const CriticQuestion &question) {
  const model::Verdict &verdict = question.verdict;
  const bool passed = survived(verdict);
  const double speedup = model::overall_speedup(verdict);
  const std::string measured =
      speedup > 0 ? fmt::format(", {} of the original's speed", factor(speedup)) : "";
  return role_request("critic", stable_prefix(question.brief),
                      {{"variant", fenced(numbered(question.variant), "text")},
                       {"failure", passed ? "" : fenced(failure_text(verdict), "text")},
                       {"log", passed ? "" : log_text(verdict)},
                       {"passed", passed ? kind_words(verdict.kind) + measured + "." : ""},
                       {"digest", question.digest}});
}

bool same_failure(const model::Verdict &one, const model::Verdict &other) {
  return one.kind == other.kind && one.stage == other.stage && essence(one.reason) == essence(other.reason) &&
         essence(first_error_line(one.build.log)) == essence(first_error_line(other.build.log));
}

}  // namespace cupilot::role
