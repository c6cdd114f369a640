// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/project/located.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "annotate/support/files.h"
#include "annotate/support/text.h"

namespace cupilot::cli::project {
namespace {

/// Removes the prefixes that callers added, which do not help to find the place: "tuning k: judging bundle
/// k-0001: ".
std::string without_levels(std::string message) {
  constexpr std::array<std::string_view, 2> kLevels{"tuning ", "judging bundle "};
  const auto is_level = [&](std::string_view level) { return message.starts_with(level); };
  while (std::ranges::any_of(kLevels, is_level)) {
    const auto end = message.find(": ");
    if (end == std::string::npos) break;
    message.erase(0, end + 2);
  }
  return message;
}

/// Removes the place "file:line:column: " from the beginning of the message; false if it does not begin with
/// it.
bool take_place(std::string &message, const SourcePlace &place) {
  const std::string prefix =
      place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + ": ";
  if (place.file.empty() || !message.starts_with(prefix)) return false;
  message.erase(0, prefix.size());
  return true;
}

SourcePlace place_of(std::string &message, const spec::KernelSpec &spec) {
  for (const spec::Workload &workload : spec.workloads) {
    if (take_place(message, workload.place)) return workload.place;
    for (const spec::BufferUse &buffer : workload.buffers)
      if (take_place(message, buffer.place)) return buffer.place;
  }
  for (const spec::Workload &workload : spec.workloads)
    if (message.contains("workload '" + workload.id + "'")) return workload.place;
  return spec.place;
}

std::string line_at(const SourcePlace &place) {
  const auto text = read_file(place.file);
  if (!text || place.line < 1) return "";
  const auto lines = split_lines(*text);
  const auto index = static_cast<std::size_t>(place.line) - 1;
  return index < lines.size() ? lines[index] : "";
}

}  // namespace

Diagnostic located(const Error &error, const spec::KernelSpec &spec) {
  Diagnostic diagnostic;
  diagnostic.severity = Severity::error;
  diagnostic.message = without_levels(error.message);
  diagnostic.place = place_of(diagnostic.message, spec);
  diagnostic.source_line = line_at(diagnostic.place);
  return diagnostic;
}

}  // namespace cupilot::cli::project
