// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/report/check_report.h"

#include <set>

#include "annotate/spec/json_convert.h"
#include "annotate/support/files.h"
#include "annotate/support/text.h"

namespace cupilot::cli::report {
namespace {

constexpr const char *kSarifSchema =
    "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/main/sarif-2.1/schema/sarif-schema-2.1.0.json";

/// The text of a line; empty when the file is not there.
std::string source_line(const SourcePlace &place) {
  const auto text = read_file(place.file);
  if (!text || place.line < 1) return "";
  const auto lines = split_lines(*text);
  const auto index = static_cast<std::size_t>(place.line - 1);
  return index < lines.size() ? std::string(lines[index]) : "";
}

/// PTX has line numbers but no columns, so the caret marks where the line's code begins.
Diagnostic diagnostic_at(SourcePlace place, Severity severity, const std::string &message) {
  Diagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.source_line = source_line(place);
  const auto code = diagnostic.source_line.find_first_not_of(" \t");
  place.column = code == std::string::npos ? 1 : static_cast<int>(code) + 1;
  diagnostic.place = std::move(place);
  diagnostic.message = message;
  return diagnostic;
}

std::string text_of(const run::CheckFinding &finding) {
  const std::string message = finding.kind + ": " + finding.message + " in " + finding.kernel +
                              ", workload '" + finding.workload + "'";
  if (finding.place.file.empty()) return finding.kernel + ": error: " + message + "\n";
  std::string text = render(diagnostic_at(finding.place, Severity::error, message));
  if (finding.other_place && finding.other_place->line > 0)
    text += render(
        diagnostic_at(*finding.other_place, Severity::note, "the other access " + finding.other_thread));
  return text;
}

constexpr auto kFindingForm =
    fields(field("rule", &run::CheckFinding::kind), field("kernel", &run::CheckFinding::kernel),
           field("workload", &run::CheckFinding::workload), field("message", &run::CheckFinding::message),
           field("place", &run::CheckFinding::place));

Json finding_json(const run::CheckFinding &finding) {
  Json json = spec::json_of(finding, kFindingForm);
  if (finding.other_place)
    json["other"] = {{"place", spec::json_of(*finding.other_place)}, {"thread", finding.other_thread}};
  return json;
}

Json location_of(const SourcePlace &place, const std::filesystem::path &root) {
  auto path = std::filesystem::path(place.file).lexically_relative(root).generic_string();
  if (path.empty() || path.starts_with(".."))
    path = (place.file.starts_with("/") ? "file://" : "") + place.file;
  Json location = {{"physicalLocation", {{"artifactLocation", {{"uri", path}}}}}};
  if (place.line > 0) location["physicalLocation"]["region"] = {{"startLine", place.line}};
  return location;
}

Json sarif_result(const run::CheckFinding &finding, const std::filesystem::path &root) {
  Json result = {
      {"ruleId", finding.kind},
      {"level", "error"},
      {"message",
       {{"text", finding.message + " in " + finding.kernel + ", workload '" + finding.workload + "'"}}}};
  if (!finding.place.file.empty()) result["locations"] = Json::array({location_of(finding.place, root)});
  if (finding.other_place) {
    auto other = location_of(*finding.other_place, root);
    other["message"] = {{"text", "the other access " + finding.other_thread}};
    result["relatedLocations"] = Json::array({other});
  }
  return result;
}

}  // namespace

std::string check_text(const std::vector<run::CheckedKernel> &kernels) {
  std::string text;
  for (const auto &kernel : kernels) {
    for (const auto &finding : kernel.findings) text += text_of(finding);
    text += kernel.kernel + ": " + std::to_string(kernel.findings.size()) +
            (kernel.findings.size() == 1 ? " finding" : " findings") + " on " +
            std::to_string(kernel.workloads.size()) +
            (kernel.workloads.size() == 1 ? " workload" : " workloads");
    for (const auto &shrunk : kernel.shrunk) text += "; " + shrunk;
    text += "\n";
    if (!kernel.error.empty()) text += kernel.kernel + ": not run: " + kernel.error + "\n";
  }
  return text;
}

Json check_json(const std::vector<run::CheckedKernel> &kernels) {
  Json json = {{"cupilot_check", 1}, {"kernels", Json::array()}};
  for (const auto &kernel : kernels) {
    Json item = {{"kernel", kernel.kernel},
                 {"workloads", kernel.workloads},
                 {"shrunk", kernel.shrunk},
                 {"error", kernel.error}};
    item["findings"] = Json::array();
    for (const auto &finding : kernel.findings) item["findings"].push_back(finding_json(finding));
    json["kernels"].push_back(std::move(item));
  }
  return json;
}

std::string check_sarif(const std::vector<run::CheckedKernel> &kernels, const std::filesystem::path &root) {
  std::set<std::string> rules;
  Json results = Json::array();
  for (const auto &kernel : kernels)
    for (const auto &finding : kernel.findings) {
      rules.insert(finding.kind);
      results.push_back(sarif_result(finding, root));
    }
  Json driver = {{"name", "cupilot"}, {"rules", Json::array()}};
  for (const auto &rule : rules) driver["rules"].push_back({{"id", rule}});
  Json run = {{"tool", {{"driver", driver}}}, {"results", results}};
  const Json sarif = {{"$schema", kSarifSchema}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
  return sarif.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace cupilot::cli::report
