// SPDX-License-Identifier: Apache-2.0
//
// cupilot explain: what a kernel computes in the lifted form, what no implementation of it gets below on a
// GPU, and which schedules apply. It needs no GPU and changes nothing.

#include <fmt/format.h>

#include <algorithm>
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "annotate/spec/json_convert.h"
#include "annotate/spec/lifted_text.h"
#include "annotate/support/text.h"
#include "driver/cli/report/output.h"
#include "driver/cli/report/output_fields.h"
#include "driver/cli/text/figures.h"
#include "driver/cli/text/table.h"
#include "driver/cli/verbs.h"
#include "evolution/emulate/estimate/estimate.h"
#include "evolution/judge/cases/evaluate_case.h"
#include "evolution/schedule/schedule.h"
#include "evolution/schedule/work.h"
#include "evolution/search/least.h"

namespace cupilot::cli {
namespace {

using emulate::estimate::DeviceTable;

constexpr const char *kExplainHelp = R"(Examples:
  cupilot explain build/
  cupilot explain --kernel rms_norm build/
  cupilot explain --kernel rms_norm --write row-in-registers build/ > rms_norm.cuh
  cupilot explain --on "NVIDIA H100" norm.cu -- -Iinclude -arch=sm_90

Prints for each kernel what it computes, whatever way its threads go about it; for each workload the time that
moving its buffers once and its arithmetic take on the device, which nothing gets below; and for each schedule
whether it applies, or why not. Needs no GPU. Times are computed from the device's table, not measured.
--json: {"cupilot_explain":1,"device","kernels":[{"kernel","lifted":{...},"workloads":[{"id","bytes","operations",
  "floor_us","bound"}],"schedules":[{"name","summary","variant"} | {"name","reason","line"}]}]}
Exit codes: 0 fine, 1 an annotation has an error or something failed, 2 a mistake in the command line or the input.)";

struct ExplainOptions {
  project::ProjectRequest project;
  std::string device = "sm_90", schedule;
  bool json = false;
};

/// What a workload takes at least.
struct Floor {
  std::string workload;
  double bytes = 0;
  std::optional<schedule::Work> work;
  double memory_us = 0, arithmetic_us = 0;
  double floor_us() const { return std::max(memory_us, arithmetic_us); }
  const char *bound() const { return memory_us >= arithmetic_us ? "memory" : "arithmetic"; }
};

Result<Floor> floor_of(const spec::KernelSpec &spec, const spec::Workload &workload,
                       const DeviceTable &device) {
  CUPILOT_TRY(one, judge::cases::evaluate_case(spec, workload, {}));
  const search::Least least = search::least_of(spec, one);
  Floor floor{.workload = workload.id, .bytes = least.bytes, .work = least.work};
  const auto rate = [&](const char *name) { return device.values.at(name); };
  constexpr double kWarp = 32, kGiga = 1e3;  // per microsecond
  floor.memory_us = floor.bytes / (rate("dram_gbs") * kGiga);
  if (floor.work) {
    const double cycles =
        floor.work->arithmetic * rate("fma_cycles") / 2 + floor.work->special * rate("special_cycles");
    floor.arithmetic_us = cycles / kWarp / rate("multiprocessors") / (rate("clock_ghz") * kGiga);
  }
  return floor;
}

std::string floors_text(const std::vector<Floor> &floors) {
  text::Table table({{"workload"},
                     {"MB", text::Align::right},
                     {"Mop", text::Align::right},
                     {"floor us", text::Align::right},
                     {"bound by"}});
  for (const Floor &one : floors)
    table.add({one.workload, fmt::format("{:.3g}", one.bytes / 1e6),
               one.work ? fmt::format("{:.3g}", (one.work->arithmetic + one.work->special) / 1e6) : "unknown",
               text::time_text(one.floor_us()), one.bound()});
  return table.text();
}

std::string indented(const std::string &text) {
  std::string out;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out += "  " + text.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return out;
}

std::string explanation(const project::ProjectKernel &kernel, const std::vector<Floor> &floors) {
  const spec::KernelSpec &spec = kernel.spec;
  std::string text = fmt::format("{} ({})\n", spec.name, report::short_place(kernel));
  if (spec.lifted.body.empty()) {
    const int line = spec.lifted.missing.line;
    text += fmt::format("  not lifted: {}{}\n", spec.lifted.missing.reason,
                        line > 0 ? fmt::format(" (line {})", line) : "");
  } else {
    text += indented(spec::to_text(spec.lifted));
  }
  text += "\n" + indented(floors_text(floors)) + "\n";
  if (spec.lifted.body.empty()) return text;
  for (const schedule::Schedule &one : schedule::schedules()) {
    const schedule::Outcome outcome = one.write(spec);
    text += outcome ? fmt::format("  {}: applies, {}\n", one.name, outcome->summary)
                    : fmt::format("  {}: no, {}\n", one.name, outcome.error().reason);
  }
  return text;
}

spec::Json json_of(const project::ProjectKernel &kernel, const std::vector<Floor> &floors) {
  spec::Json workloads = spec::Json::array(), schedules = spec::Json::array();
  for (const Floor &one : floors) {
    spec::Json json{
        {"id", one.workload}, {"bytes", one.bytes}, {"floor_us", one.floor_us()}, {"bound", one.bound()}};
    if (one.work) json["operations"] = one.work->arithmetic + one.work->special;
    workloads.push_back(std::move(json));
  }
  for (const schedule::Schedule &one : schedule::schedules()) {
    const schedule::Outcome outcome = one.write(kernel.spec);
    spec::Json json{{"name", one.name}};
    if (outcome)
      json.update(spec::Json{{"summary", outcome->summary}, {"variant", outcome->variant}});
    else
      json.update(spec::Json{{"reason", outcome.error().reason}, {"line", outcome.error().line}});
    schedules.push_back(std::move(json));
  }
  return {{"kernel", kernel.spec.name},
          {"place", report::short_place(kernel)},
          {"lifted", spec::json_of(kernel.spec.lifted)},
          {"workloads", std::move(workloads)},
          {"schedules", std::move(schedules)}};
}

/// Only the code that one schedule writes.
Result<int> print_variants(const std::vector<project::ProjectKernel> &kernels, const std::string &name) {
  const schedule::Schedule *chosen = schedule::find_schedule(name);
  if (chosen == nullptr) {
    std::vector<std::string> known;
    for (const schedule::Schedule &one : schedule::schedules()) known.emplace_back(one.name);
    return user_error("unknown schedule '" + name + "'; " + did_you_mean(name, known));
  }
  for (const project::ProjectKernel &kernel : kernels) {
    const schedule::Outcome outcome = chosen->write(kernel.spec);
    if (!outcome) return fail(fmt::format("{}: {}: {}", kernel.spec.name, name, outcome.error().reason));
    CUPILOT_CHECKED(report::print(outcome->variant));
  }
  return 0;
}

Result<int> explain(const ExplainOptions &options) {
  CUPILOT_TRY(device, emulate::estimate::device_table(options.device));
  CUPILOT_TRY(project, project::read_project(options.project));
  CUPILOT_CHECKED(project::report_diagnostics(project));
  CUPILOT_TRY(kernels, project::select_kernels(project, options.project.kernels));
  if (!options.schedule.empty()) return print_variants(kernels, options.schedule);
  std::string text;
  spec::Json all = spec::Json::array();
  for (const project::ProjectKernel &kernel : kernels) {
    std::vector<Floor> floors;
    for (const spec::Workload &workload : kernel.spec.workloads) {
      if (workload.check || workload.holdout) continue;
      CUPILOT_TRY(floor, floor_of(kernel.spec, workload, device));
      floors.push_back(std::move(floor));
    }
    text += (text.empty() ? "" : "\n") + explanation(kernel, floors);
    all.push_back(json_of(kernel, floors));
  }
  if (options.json) {
    const spec::Json json{{"cupilot_explain", 1}, {"device", device.name}, {"kernels", std::move(all)}};
    CUPILOT_CHECKED(report::print(json));
    return 0;
  }
  CUPILOT_CHECKED(report::print(fmt::format("on {} ({})\n\n{}", device.name, device.source, text)));
  return 0;
}

}  // namespace

Verb add_explain(CLI::App &app) {
  const auto options = std::make_shared<ExplainOptions>();
  auto *command =
      app.add_subcommand("explain", "Say what kernels compute, what they take at least, and what applies");
  command->footer(kExplainHelp);
  command
      ->add_option("inputs", options->project.inputs,
                   "A build folder (and files of it), or files; default: this one, or build/ in it")
      ->type_name("BUILD|FILE");
  command->add_option("--kernel", options->project.kernels, "Only these kernels")->type_name("NAME");
  command->add_option("--target", options->project.target, "Only this target");
  command->add_option("--on", options->device, "The device: an architecture, a name or a table's file")
      ->type_name("DEVICE")
      ->capture_default_str();
  command->add_option("--write", options->schedule, "Print only the code that this schedule writes")
      ->type_name("SCHEDULE");
  command->add_flag("--json", options->json, "JSON on stdout");
  return {command, [options](const auto &compiler) {
            options->project.compiler = compiler;
            return explain(*options);
          }};
}

}  // namespace cupilot::cli
