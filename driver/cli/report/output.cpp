// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/report/output.h"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace cupilot::cli {

Result<void> print(const std::string &text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return {};
  return fail("cannot write to the standard output");
}

Result<void> print(const Json &json) {
  // Names and messages may contain bytes that are not UTF-8; these are replaced instead of throwing an
  // exception.
  return print(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

Json json_of(const SourcePlace &place) {
  return {{"file", place.file}, {"line", place.line}, {"column", place.column}};
}

Json json_of(const Diagnostic &diagnostic) {
  return {{"severity", to_string(diagnostic.severity)},
          {"place", json_of(diagnostic.place)},
          {"message", diagnostic.message},
          {"remedy", diagnostic.remedy}};
}

Json json_of(const ProjectKernel &kernel) {
  const auto &spec = kernel.spec;
  Json json = {{"kernel", spec.name},
               {"instantiation", spec.instantiation},
               {"place", json_of(spec.place)},
               {"target", kernel.target},
               {"kernel_id", spec.kernel_id},
               {"workload_id", spec.workload_id},
               {"architectures", spec.command.architectures},
               {"precision", to_string(spec.precision)},
               {"deterministic", spec.deterministic},
               {"assumptions", Json::array()}};
  for (const auto &assumption : spec.assumptions) json["assumptions"].push_back(assumption.expression);
  return json;
}

Json json_of(const RecordView &view) {
  Json json = {{"architecture", view.architecture},
               {"state", view.word()},
               {"detail", view.detail},
               {"compiled", view.compiled},
               {"folder", view.folder.string()}};
  if (!view.record) return json;
  json["estimate"] = view.record->estimate;
  json["precision"] = to_string(view.record->kernel.precision);
  json["oracle"] = view.record->oracle;
  for (const auto &e : view.record->estimates)
    json["estimates"].push_back({{"workload", e.workload},
                                 {"original_us", e.original_us},
                                 {"tuned_us", e.tuned_us},
                                 {"ratio", e.ratio},
                                 {"verdict", e.verdict}});
  json["measurements"] = Json::array();
  for (const auto &m : view.record->measurements)
    json["measurements"].push_back({{"workload", m.workload},
                                    {"original_us", m.original_us},
                                    {"tuned_us", m.tuned_us},
                                    {"speedup", m.speedup},
                                    {"speedup_low", m.speedup_low},
                                    {"speedup_high", m.speedup_high},
                                    {"copy_bandwidth_share", m.copy_bandwidth_share}});
  return json;
}

Json json_of(const Measurement &m) {
  Json json = {{"workload", m.workload},
               {"verdict", to_string(m.verdict)},
               {"original_us", m.original.median_us},
               {"tuned_us", m.candidate.median_us},
               {"speedup", m.speedup},
               {"speedup_low", m.speedup_low},
               {"speedup_high", m.speedup_high},
               {"copy_bandwidth_share", m.bandwidth_share}};
  if (m.weight != 1) json["weight"] = m.weight;
  if (m.holdout) json["holdout"] = true;
  return json;
}

Json json_of(const Estimate &e) {
  return {{"workload", e.workload},
          {"verdict", to_string(e.verdict)},
          {"original_us", e.original.time_us},
          {"tuned_us", e.candidate.time_us},
          {"ratio", e.ratio},
          {"tie", e.tie},
          {"bound", e.candidate.bound},
          {"blocks", e.candidate.blocks},
          {"blocks_run", e.candidate.blocks_run}};
}

std::string short_place(const ProjectKernel &kernel) {
  const auto &place = kernel.spec.place;
  const auto below =
      std::filesystem::path(place.file).lexically_relative(kernel.records.parent_path()).string();
  const auto &file = below.empty() || below.starts_with("../../") ? place.file : below;
  return file + ":" + std::to_string(place.line);
}

}  // namespace cupilot::cli
