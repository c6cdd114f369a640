// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/run/check_run.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "annotate/support/files.h"
#include "annotate/support/process.h"
#include "driver/cli/project/programs.h"
#include "driver/cli/run/bundle_run.h"
#include "evolution/judge/bundle/bundle_writer.h"
#include "evolution/judge/cases/cases.h"

namespace cupilot::cli::run {
namespace {

using Json = nlohmann::ordered_json;

std::string triple(const Json &values) {
  std::string text;
  for (const auto &value : values) text += (text.empty() ? "(" : ",") + value.dump();
  return text + ")";
}

std::string thread_text(const Json &of) {
  if (!of.contains("block") || !of.contains("thread")) return "";
  return "[block " + triple(of["block"]) + " thread " + triple(of["thread"]) + "]";
}

SourcePlace place_of(const Json &of, const std::filesystem::path &root) {
  SourcePlace place{of.value("file", std::string()), of.value("line", 0), 0};
  std::error_code ignored;
  if (const auto file = root / place.file; !place.file.empty() && std::filesystem::exists(file, ignored))
    place.file = file.lexically_normal().string();
  return place;
}

void add_finding(const Json &told, const std::filesystem::path &root, CheckedKernel &into) {
  CheckFinding finding;
  finding.kind = told.value("kind", std::string());
  finding.kernel = into.kernel;
  finding.message = told.value("message", std::string()) + " " + thread_text(told);
  finding.place = place_of(told, root);
  finding.workload = into.workloads.empty() ? "" : into.workloads.back();
  if (told.contains("other")) {
    finding.other_place = place_of(told["other"], root);
    finding.other_thread = thread_text(told["other"]);
  }
  const bool known = std::ranges::any_of(into.findings, [&](const CheckFinding &other) {
    return other.kind == finding.kind && other.place == finding.place;
  });
  if (!known) into.findings.push_back(std::move(finding));
}

Result<void> run_check(const std::filesystem::path &bundle, const std::filesystem::path &root,
                       CheckedKernel &into) {
  CUPILOT_TRY(program, project::find_emulate());
  CUPILOT_TRY(child, LineProcess::start({program.string(), "check", bundle.string()}));
  child.close_input();
  while (const auto line = child.receive()) CUPILOT_CHECKED(take_check_line(*line, root, into));
  const auto end = child.wait();
  const bool finished = end.exit_code == 0 || end.exit_code == 1;
  if (into.error.empty() && (!finished || end.signal))
    into.error = "cupilot-emulate ended with " + end.describe();
  return {};
}

}  // namespace

Result<void> take_check_line(std::string_view line, const std::filesystem::path &root, CheckedKernel &into) {
  const auto json = Json::parse(line, nullptr, false);
  if (!json.is_object())
    return fail("cupilot-emulate printed an unexpected line: '" + std::string(line.substr(0, 200)) + "'");
  if (json.contains("cupilot_check") && json["cupilot_check"] != 1)
    return fail("cupilot-emulate has another version than cupilot; install both programs together");
  if (json.contains("error")) into.error = json["error"].get<std::string>();
  if (json.contains("finding") && json["finding"].is_object()) {
    add_finding(json["finding"], root, into);
  } else if (json.contains("workload")) {
    into.workloads.push_back(json.value("workload", std::string()));
    if (const auto shrunk = json.value("shrunk", std::string()); !shrunk.empty())
      into.shrunk.push_back(into.workloads.back() + ": " + shrunk);
  }
  return {};
}

Result<CheckedKernel> check_kernel(const project::ProjectKernel &kernel, const std::string &architecture,
                                   std::uint64_t seed) {
  CheckedKernel checked;
  checked.kernel = kernel.spec.name;
  auto cases = judge::cases::make_cases(kernel.spec, {seed}, judge::cases::CaseCap::emulated,
                                        judge::cases::CaseReader::finalist);
  if (!cases) {
    checked.error = cases.error().message;
    return checked;
  }
  CUPILOT_TRY(scratch, TemporaryFolder::create("cupilot-check"));
  judge::bundle::BundleContent content;
  content.id = kernel.spec.name + "-check";
  content.architecture = architecture;
  content.spec = kernel.spec;
  content.cases = std::move(*cases);
  content.request.seed = seed;
  content.request.run_seconds = judge::cases::kEmulatedRunSeconds;
  CUPILOT_TRY(bundle, judge::bundle::write_bundle(scratch.path() / "bundle", content));
  CUPILOT_CHECKED(run_check(scratch.path() / "bundle", kernel.records.parent_path(), checked));
  return checked;
}

}  // namespace cupilot::cli::run
