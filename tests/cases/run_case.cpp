// SPDX-License-Identifier: Apache-2.0
//
// run_case [--lifted | --reach | --schedules | --uses] [--update] ANNOTATE FILE: runs the scan of one source
// and compares what it says, in short lines, with the `//= ` lines of the source. Nothing may be missing and
// nothing may be said that is not expected. With --lifted the lines are the lifted forms of the kernels, or
// why there are none; with --reach, whether they lift; with --uses, which pointers they only read or write;
// with --schedules, which schedules (evolution/schedule) apply, and why the others do not.

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "annotate/spec/kernel_spec_json.h"
#include "annotate/spec/lifted_text.h"
#include "annotate/support/files.h"
#include "annotate/support/process.h"
#include "annotate/support/text.h"
#include "evolution/schedule/schedule.h"

namespace {

using namespace cupilot;
using namespace cupilot::spec;
using Lines = std::vector<std::string>;
constexpr std::string_view kMark = "//= ";

std::string file_name(const std::string &path) {
  return std::filesystem::path(path).filename().string();
}

std::string describe(const Diagnostic &diagnostic) {
  std::string text = std::string(to_string(diagnostic.severity)) + " " +
                     std::to_string(diagnostic.place.line) + ":" + std::to_string(diagnostic.place.column) +
                     ": " + diagnostic.message;
  return diagnostic.remedy.empty() ? text : text + "; " + diagnostic.remedy;
}

std::string describe(const Fill &fill) {
  std::string text = to_string(fill.kind);
  if (fill.kind == FillKind::file) return text + "(" + file_name(fill.file) + ")";
  if (!fill.low.empty()) return text + "(" + fill.low + ", " + fill.high + ")";
  if (fill.kind != FillKind::normal && fill.kind != FillKind::uniform && fill.kind != FillKind::randint &&
      fill.kind != FillKind::sorted)
    return text;
  char numbers[64];
  std::snprintf(numbers, sizeof numbers, "(%g, %g)", fill.a, fill.b);
  return text + numbers;
}

std::string describe(const Workload &workload) {
  std::string text = "  workload " + workload.id + ":";
  for (const auto &set : workload.set) text += " " + set.name + "=" + set.expression;
  for (const auto &buffer : workload.buffers)
    text += std::string(" ") + to_string(buffer.role) + "(" + buffer.parameter + "[" + buffer.extent + "] " +
            describe(buffer.fill) + ")";
  const auto three = [](const std::array<std::string, 3> &sizes) {
    return sizes[0] + ", " + sizes[1] + ", " + sizes[2];
  };
  text += " <<<(" + three(workload.launch.grid) + "), (" + three(workload.launch.block) + "), " +
          workload.launch.shared_bytes + ">>>";
  text += workload.launch.from_source ? " from source" : "";
  if (workload.weight != 1) {
    char number[32];
    std::snprintf(number, sizeof number, " weight(%g)", workload.weight);
    text += number;
  }
  return text + (workload.check ? " check" : "") + (workload.holdout ? " holdout" : "");
}

/// ": at.x f32 at 8, cell i32 x2 at 20".
std::string members(const Parameter &parameter) {
  std::string text;
  for (const Member &member : parameter.members) {
    text += (text.empty() ? ": " : ", ") + member.name + " " + to_string(member.type);
    if (member.count > 1) text += " x" + std::to_string(member.count);
    text += " at " + std::to_string(member.offset);
  }
  return text;
}

void describe(const KernelSpec &spec, Lines &lines) {
  lines.push_back("kernel " + spec.name + ": " + spec.qualified_name + " as " + spec.instantiation + " at " +
                  std::to_string(spec.place.line));
  std::string parameters = "  parameters:";
  for (const auto &p : spec.parameters)
    parameters += " " + p.type + " " + p.name + " [" + to_string(p.element) + members(p) + "]";
  if (!spec.parameters.empty()) lines.push_back(parameters);
  if (spec.precision.kind != PrecisionKind::same) lines.push_back("  precision " + to_string(spec.precision));
  for (const auto &assumption : spec.assumptions)
    lines.push_back("  assumes " + assumption.expression + " at " + std::to_string(assumption.place.line) +
                    ":" + std::to_string(assumption.place.column));
  if (spec.deterministic) lines.push_back("  deterministic");
  for (const auto &workload : spec.workloads) lines.push_back(describe(workload));
  for (const auto &launch : spec.launches)
    lines.push_back("  launch " + std::to_string(launch.place.line) + ": " + to_string(launch.kind) +
                    (launch.caught ? "" : " not caught"));
  if (!spec.device_globals.empty()) lines.push_back("  device globals: " + join(spec.device_globals, " "));
}

void describe_lifted(const KernelSpec &spec, Lines &lines) {
  lines.push_back(spec.name + ":");
  const NotLifted &missing = spec.lifted.missing;
  if (!missing.reason.empty())
    lines.push_back("  line " + std::to_string(missing.line) + ": " + missing.reason);
  for (const std::string &line : split_lines(to_text(spec.lifted))) lines.push_back("  " + line);
}

/// Whether the kernel lifts, and else why not.
void describe_reach(const KernelSpec &spec, Lines &lines) {
  const std::string &reason = spec.lifted.missing.reason;
  lines.push_back(spec.name + ": " + (reason.empty() ? "lifted" : reason));
}

/// What is known of the kernel's pointers.
void describe_uses(const KernelSpec &spec, Lines &lines) {
  lines.push_back(spec.name + ": reads " + join(spec.lifted.only_read, " ") + "; writes " +
                  join(spec.lifted.only_written, " "));
}

/// Which schedules apply, and why the others do not.
void describe_schedules(const KernelSpec &spec, Lines &lines) {
  lines.push_back(spec.name + ":");
  for (const schedule::Schedule &one : schedule::schedules()) {
    const schedule::Outcome outcome = one.write(spec);
    lines.push_back(std::string("  ") + one.name + ": " +
                    (outcome ? outcome->summary : "no, " + outcome.error().reason));
  }
}

using Describe = void (*)(const KernelSpec &, Lines &);

Result<Lines> scan(const std::string &annotate, const std::filesystem::path &file, Describe describe_kernel) {
  ProcessRequest request;
  request.argv = {annotate, "scan",       "--root", file.parent_path().string(), file.string(), "--",
                  "nvcc",   "-std=c++17", "-c"};
  CUPILOT_TRY(result, run_process(request));
  Lines lines;
  for (const std::string &line : split_lines(result.out)) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (json.contains("diagnostic")) {
      CUPILOT_TRY(diagnostic, diagnostic_from_json(json["diagnostic"].dump()));
      lines.push_back(describe(diagnostic));
    } else if (json.contains("spec")) {
      CUPILOT_TRY(spec, kernel_spec_from_json(json["spec"].dump()));
      describe_kernel(spec, lines);
    }
  }
  if (describe_kernel != static_cast<Describe>(describe) && result.ok()) return lines;
  lines.push_back("exit code " + std::to_string(result.exit_code) +
                  (result.err.empty() ? "" : " " + result.err));
  return lines;
}

int compare(const Lines &expected, const Lines &found) {
  if (expected == found) return 0;
  for (const auto &line : expected)
    if (std::ranges::find(found, line) == found.end()) std::printf("missing:    %s\n", line.c_str());
  for (const auto &line : found)
    if (std::ranges::find(expected, line) == expected.end()) std::printf("unexpected: %s\n", line.c_str());
  std::printf("all that was said:\n");
  for (const auto &line : found) std::printf("%s%s\n", std::string(kMark).c_str(), line.c_str());
  return 1;
}

}  // namespace

int main(int argc, char **argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  Describe what = describe;
  if (std::erase(words, "--lifted") > 0) what = describe_lifted;
  if (std::erase(words, "--reach") > 0) what = describe_reach;
  if (std::erase(words, "--uses") > 0) what = describe_uses;
  if (std::erase(words, "--schedules") > 0) what = describe_schedules;
  const bool update = std::erase(words, "--update") > 0;
  if (words.size() != 2)
    return std::fprintf(
               stderr,
               "usage: run_case [--lifted | --reach | --schedules | --uses] [--update] ANNOTATE FILE\n"),
           2;
  const std::filesystem::path file = words[1];
  const auto text = read_file(file);
  const auto found = scan(words[0], file, what);
  if (!text || !found)
    return std::fprintf(stderr, "%s\n", (text ? found.error() : text.error()).message.c_str()), 1;
  Lines expected;
  std::string source;
  for (const std::string &line : split_lines(*text)) {
    if (line.starts_with(kMark))
      expected.push_back(line.substr(kMark.size()));
    else
      source += line + "\n";
  }
  if (!update) return compare(expected, *found);
  while (source.ends_with("\n\n")) source.pop_back();
  for (const std::string &line : *found) source += std::string(kMark) + line + "\n";
  return write_file_atomic(file, source) ? 0 : 1;
}
