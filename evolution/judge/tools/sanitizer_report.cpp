// SPDX-License-Identifier: Apache-2.0
//
// Every line of the tool begins with "=========". A line with one blank after it begins a report; more blanks
// (or the word "and" of a race) continue the report before.
#include "evolution/judge/tools/sanitizer_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <utility>

#include "annotate/support/text.h"

namespace cupilot::judge::tools {

namespace {

constexpr std::string_view kPrefix = "=========";
constexpr std::array<std::string_view, 12> kReports{
    "Invalid ",  "Uninitialized ", "Barrier error", "Error: Race reported", "Warning: Race reported",
    "Race ",     "Misaligned ",    "Malloc/Free ",  "Error: Potential ",    "Out-of-range ",
    "Stack ovf", "Device-side "};

struct Location {
  std::string kernel, place;
};

/// Removes the arguments, blanks in template arguments, and the return type of a template: "void
/// f<(int)4>(int *)".
std::string short_name(std::string name) {
  name = name.substr(0, name.find('('));
  if (name.starts_with("void ")) name.erase(0, 5);
  if (const auto bracket = name.find('<'); bracket != std::string::npos) name.erase(bracket);
  return std::string(trim(name));
}

/// "kernel(int *)+0x90 in file.cu:12", "0x90 in file.cu:12:kernel(int *)", "0x90 in kernel(int *)".
Location location_of(std::string_view text) {
  if (const auto hazards = text.rfind(" ["); hazards != std::string_view::npos)
    text = text.substr(0, hazards);
  static const std::regex file_and_line(R"(^(.*?):(\d+)(?::(.*))?$)");
  static const std::regex offset(R"([:+]?0x[0-9a-fA-F]+$)");
  const auto in = text.rfind(" in ");
  std::string left(trim(text.substr(0, in)));
  const std::string right(in == std::string_view::npos ? "" : trim(text.substr(in + 4)));
  left = std::regex_replace(left, offset, "");
  Location location;
  std::smatch match;
  if (std::regex_match(right, match, file_and_line)) {
    location.place =
        fmt::format("{}:{}", std::filesystem::path(match[1].str()).filename().string(), match[2].str());
    location.kernel = short_name(match[3].matched ? match[3].str() : left);
  } else {
    location.kernel = short_name(left.empty() ? right : left);
  }
  return location;
}

std::string without_addresses(const std::string &text) {
  static const std::regex address(R"( ?(at )?0x[0-9a-fA-F]+)");
  std::string plain = std::regex_replace(text, address, "");
  for (const char *word : {"Address is ", "Access is ", "Access to is ", "Address "})
    if (plain.starts_with(word)) plain.erase(0, std::string_view(word).size());
  if (plain.starts_with("and is ")) plain.erase(0, 7);
  return plain;
}

/// A place in the variant is more useful than one in a header that it includes.
bool is_better(const std::string &place, const std::string &than) {
  const auto rank = [](const std::string &of) {
    if (of.empty()) return 3;
    if (of.starts_with("variant.cuh:")) return 0;
    return of.find(".slice.cu:") != std::string::npos || of.starts_with("entry.cu:") ? 1 : 2;
  };
  return rank(place) < rank(than);
}

class Parser {
public:
  SanitizerReport read(std::string_view text) {
    for (const auto &line : split_lines(std::string(text))) take(line);
    finish();
    return std::move(report_);
  }

private:
  void take(std::string_view line) {
    if (!line.starts_with(kPrefix)) return;
    line.remove_prefix(kPrefix.size());
    const std::string content(trim(line));
    const bool goes_on = line.starts_with("  ") || content.starts_with("and ");
    if (goes_on && open_)
      detail(content);
    else if (!content.empty())
      begin(content);
  }

  void begin(const std::string &content) {
    finish();
    if (content.find(" SUMMARY: ") != std::string::npos) return summary(content);
    if (content.starts_with("Error: ") && content.find("Race") == std::string::npos &&
        content.find("Potential") == std::string::npos)
      report_.trouble += (report_.trouble.empty() ? "" : "; ") + content;
    if (std::ranges::none_of(kReports, [&](std::string_view one) { return content.starts_with(one); }))
      return;
    open_ = true;
    now_ = {};
    if (content.find("Race reported") != std::string::npos) return race(content);
    now_.kind = content;
    if (now_.kind.ends_with('.')) now_.kind.pop_back();
  }

  /// "Error: Race reported between Write access at LOCATION".
  void race(const std::string &content) {
    now_.warning = content.starts_with("Warning");
    now_.kind = "Race reported";
    side(content);
  }
  void side(const std::string &content) {
    const auto at = content.find(" access at ");
    if (at == std::string::npos) return;
    const auto word = content.rfind(' ', at - 1) + 1;
    const std::string access = content.substr(word, at - word);
    const Location location = location_of(std::string_view(content).substr(at + 11));
    now_.kind += (now_.place.empty() && now_.kernel.empty() ? " between a " : " and a ") + access;
    if (now_.kernel.empty()) now_.kernel = location.kernel;
    (now_.place.empty() ? now_.place : now_.other_place) = location.place;
  }

  void detail(const std::string &content) {
    if (content.starts_with("Saved host backtrace")) return finish();
    if (content.starts_with("and ") && content.find(" access at ") != std::string::npos) {
      if (now_.other_place.empty() && now_.kind.find(" and a ") == std::string::npos) side(content);
    } else if (content.starts_with("at ") || content.starts_with("Device Frame:")) {
      const auto begin = content.starts_with("at ") ? 3 : content.find(':') + 1;
      const Location location = location_of(trim(std::string_view(content).substr(begin)));
      if (now_.kernel.empty() || is_better(location.place, now_.place)) now_.kernel = location.kernel;
      if (now_.place.empty() || is_better(location.place, now_.place)) now_.place = location.place;
    } else if (content.starts_with("by thread ")) {
      now_.thread = content.substr(3);
    } else if (content.starts_with("Address ") || content.starts_with("Access ") ||
               content.starts_with("and is ")) {
      const std::string words = without_addresses(content);
      if (!words.empty()) now_.detail += (now_.detail.empty() ? "" : ", ") + words;
    }
  }

  void summary(const std::string &content) {
    report_.complete = true;
    if (content.find("not printed") != std::string::npos) return;
    const auto at = content.find(": ");
    const bool race = content.starts_with("RACECHECK");
    const auto inside = content.find('(');
    const auto number = race && inside != std::string::npos ? inside + 1 : at + 2;
    report_.errors += std::strtoull(content.c_str() + number, nullptr, 10);
  }

  void finish() {
    if (!std::exchange(open_, false)) return;
    const auto same = std::ranges::find_if(report_.findings, [&](const SanitizerFinding &one) {
      return one.kind == now_.kind && one.place == now_.place && one.other_place == now_.other_place &&
             one.kernel == now_.kernel;
    });
    if (same == report_.findings.end())
      report_.findings.push_back(now_);
    else
      ++same->times, same->warning &= now_.warning;
  }

  SanitizerReport report_;
  SanitizerFinding now_;
  bool open_ = false;
};

}  // namespace

SanitizerReport parse_sanitizer_output(std::string_view text) {
  return Parser().read(text);
}

std::string describe(const SanitizerFinding &finding) {
  std::string text = finding.kind;
  if (!finding.kernel.empty()) text += " in " + finding.kernel;
  if (!finding.place.empty()) text += " at " + finding.place;
  if (!finding.other_place.empty() && finding.other_place != finding.place)
    text += " and " + finding.other_place;
  if (!finding.thread.empty()) text += ", " + finding.thread;
  if (!finding.detail.empty()) text += ": " + finding.detail;
  if (finding.times > 1) text += fmt::format(" ({} reports)", finding.times);
  return text;
}

std::vector<SanitizerFinding> without(std::vector<SanitizerFinding> findings,
                                      const std::vector<SanitizerFinding> &known) {
  // "Invalid __global__ write of size 4 bytes" and "... of size 16 bytes" are one kind of mistake.
  const auto kind = [](const SanitizerFinding &one) { return one.kind.substr(0, one.kind.find(" of size")); };
  std::erase_if(findings, [&](const SanitizerFinding &one) {
    return std::ranges::any_of(known, [&](const SanitizerFinding &own) {
      return kind(own) == kind(one) && (!own.warning || one.warning);
    });
  });
  return findings;
}

}  // namespace cupilot::judge::tools
