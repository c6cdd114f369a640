// SPDX-License-Identifier: Apache-2.0
#include "evolution/model/record_json.h"

#include <algorithm>
#include <cmath>

#include "annotate/spec/json_convert.h"
#include "evolution/model/evidence_json.h"

namespace cupilot {
namespace {

/// Six significant digits: nothing here is measured better, and diffs stay readable.
double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double scale = std::pow(10.0, 5 - std::floor(std::log10(std::fabs(value))));
  return std::round(value * scale) / scale;
}

bool is_flat(const Json &json) {
  return std::ranges::none_of(json, [](const Json &item) { return item.is_structured(); });
}

/// Indented by two, arrays of plain values on one line: what a reviewer reads.
void write(const Json &json, const std::string &indent, std::string &text) {
  if (!json.is_structured() || json.empty() || (json.is_array() && is_flat(json))) {
    text += json.dump(-1, ' ', false, Json::error_handler_t::replace);
    return;
  }
  const std::string inner = indent + "  ";
  text += json.is_array() ? "[" : "{";
  const char *separator = "\n";
  for (const auto &[key, value] : json.items()) {
    text += separator + inner;
    if (json.is_object()) text += Json(key).dump() + ": ";
    write(value, inner, text);
    separator = ",\n";
  }
  text += "\n" + indent + (json.is_array() ? "]" : "}");
}

Json error_json(OutputError error) {
  for (double *value : {&error.rms, &error.rms_limit, &error.max, &error.max_limit, &error.expected,
                        &error.got, &error.own_rms, &error.own_max})
    *value = rounded(*value);
  return error;
}

Json kernel_json(const KernelSpec &kernel) {
  Json json = {{"name", kernel.name},
               {"qualified_name", kernel.qualified_name},
               {"instantiation", kernel.instantiation},
               {"namespaces", kernel.namespaces},
               {"symbol", kernel.symbol},
               {"file", kernel.place.file},
               {"line", kernel.place.line}};
  json["precision"] = kernel.precision;
  if (kernel.deterministic) json["deterministic"] = true;
  json["parameters"] = Json::array();
  for (const auto &parameter : kernel.parameters)
    json["parameters"].push_back({{"name", parameter.name}, {"type", parameter.type}});
  return json;
}
KernelSpec kernel_from(const Json &json) {
  KernelSpec kernel;
  json.at("name").get_to(kernel.name);
  json.at("qualified_name").get_to(kernel.qualified_name);
  json.at("instantiation").get_to(kernel.instantiation);
  json.at("namespaces").get_to(kernel.namespaces);
  json.at("symbol").get_to(kernel.symbol);
  json.at("file").get_to(kernel.place.file);
  json.at("line").get_to(kernel.place.line);
  optional_member(json, "precision", kernel.precision);
  optional_member(json, "deterministic", kernel.deterministic);
  for (const auto &item : json.at("parameters")) {
    auto &parameter = kernel.parameters.emplace_back();
    item.at("name").get_to(parameter.name);
    item.at("type").get_to(parameter.type);
  }
  return kernel;
}

using Box = std::map<std::string, std::pair<std::int64_t, std::int64_t>>;

Json box_json(const Box &box) {
  Json json = Json::object();
  for (const auto &[name, range] : box) json[name] = {range.first, range.second};
  return json;
}
Box box_from(const Json &json) {
  Box box;
  for (const auto &[name, range] : json.items())
    box[name] = {range.at(0).get<std::int64_t>(), range.at(1).get<std::int64_t>()};
  return box;
}

Json guard_json(const Guard &guard) {
  Json json = Json::object();
  if (!guard.assumptions.empty()) json["assumptions"] = guard.assumptions;
  for (const auto &box : guard.boxes) json["boxes"].push_back(box_json(box));
  json["domain"] = box_json(guard.domain);
  json["launch"] = {{"grid", guard.launch.grid},
                    {"block", guard.launch.block},
                    {"shared_bytes", guard.launch.shared_bytes}};
  json["configurations"] = guard.configurations;
  return json;
}
Guard guard_from(const Json &json) {
  Guard guard;
  optional_member(json, "assumptions", guard.assumptions);
  for (const auto &box : json.value("boxes", Json::array())) guard.boxes.push_back(box_from(box));
  guard.domain = box_from(json.at("domain"));
  json.at("launch").get_to(guard.launch);
  json.at("configurations").get_to(guard.configurations);
  return guard;
}

Json measurement_json(const RecordMeasurement &m) {
  Json json = {{"workload", m.workload},
               {"verdict", m.verdict},
               {"original_us", rounded(m.original_us)},
               {"tuned_us", rounded(m.tuned_us)},
               {"speedup", rounded(m.speedup)},
               {"speedup_low", rounded(m.speedup_low)},
               {"speedup_high", rounded(m.speedup_high)},
               {"original_min_us", rounded(m.original_min_us)},
               {"original_q3_us", rounded(m.original_q3_us)},
               {"tuned_min_us", rounded(m.tuned_min_us)},
               {"tuned_q3_us", rounded(m.tuned_q3_us)},
               {"copy_bandwidth_share", rounded(m.copy_bandwidth_share)},
               {"samples", m.samples}};
  if (m.weight != 1) json["weight"] = m.weight;
  if (m.holdout) json["holdout"] = true;
  return json;
}
RecordMeasurement record_measurement_from(const Json &json) {
  RecordMeasurement m;
  json.at("workload").get_to(m.workload);
  json.at("verdict").get_to(m.verdict);
  json.at("original_us").get_to(m.original_us);
  json.at("tuned_us").get_to(m.tuned_us);
  json.at("speedup").get_to(m.speedup);
  json.at("speedup_low").get_to(m.speedup_low);
  json.at("speedup_high").get_to(m.speedup_high);
  json.at("original_min_us").get_to(m.original_min_us);
  json.at("original_q3_us").get_to(m.original_q3_us);
  json.at("tuned_min_us").get_to(m.tuned_min_us);
  json.at("tuned_q3_us").get_to(m.tuned_q3_us);
  json.at("copy_bandwidth_share").get_to(m.copy_bandwidth_share);
  json.at("samples").get_to(m.samples);
  optional_member(json, "weight", m.weight);
  optional_member(json, "holdout", m.holdout);
  return m;
}

Json estimate_json(const RecordEstimate &e) {
  return {{"workload", e.workload},
          {"verdict", e.verdict},
          {"original_us", rounded(e.original_us)},
          {"tuned_us", rounded(e.tuned_us)},
          {"ratio", rounded(e.ratio)},
          {"bound", e.bound},
          {"blocks", e.blocks},
          {"blocks_run", e.blocks_run}};
}
RecordEstimate record_estimate_from(const Json &json) {
  RecordEstimate e;
  json.at("workload").get_to(e.workload);
  json.at("verdict").get_to(e.verdict);
  json.at("original_us").get_to(e.original_us);
  json.at("tuned_us").get_to(e.tuned_us);
  json.at("ratio").get_to(e.ratio);
  json.at("bound").get_to(e.bound);
  json.at("blocks").get_to(e.blocks);
  json.at("blocks_run").get_to(e.blocks_run);
  return e;
}

/// What somebody who opens the file must see first; the reader takes the members in any order.
constexpr const char *kEstimateHead =
    "{ \"estimate\": true, \"note\": \"made from estimates of the CPU executor, never measured on a GPU\",\n";

Json counters_json(const std::map<std::string, double> &counters) {
  Json json = Json::object();
  for (const auto &[name, value] : counters) json[name] = rounded(value);
  return json;
}

Json search_json(const Record &record) {
  Json json = {{"policy", record.policy},         {"provider", record.provider}, {"model", record.model},
               {"strategies", record.strategies}, {"knobs", record.knobs},       {"seed", record.seed},
               {"command", record.command}};
  if (record.cost_usd > 0) json["cost_usd"] = rounded(record.cost_usd);
  if (record.tokens > 0) json["tokens"] = record.tokens;
  return json;
}

/// How it was judged; records of before have no such member.
Json judge_json(const Record &record) {
  Json json = {{"oracle", record.oracle},
               {"precision", to_string(record.kernel.precision)},
               {"seed", record.judged_seed},
               {"secret", record.secret},
               {"scratch_bytes", record.scratch_bytes}};
  if (!record.waived.empty()) json["waived"] = record.waived;
  json["finalist"] = record.finalist;
  for (Json &check : json["finalist"]) check["seconds"] = rounded(check["seconds"].get<double>());
  return json;
}
void judge_from(const Json &json, Record &record) {
  json.at("oracle").get_to(record.oracle);
  json.at("seed").get_to(record.judged_seed);
  json.at("secret").get_to(record.secret);
  json.at("scratch_bytes").get_to(record.scratch_bytes);
  optional_member(json, "waived", record.waived);
  json.at("finalist").get_to(record.finalist);
}

Record record_from(const Json &json) {
  Record record;
  json.at("estimate").get_to(record.estimate);
  json.at("arch").get_to(record.arch);
  record.kernel = kernel_from(json.at("kernel"));
  json.at("kernel_id").get_to(record.kernel_id);
  json.at("workload_id").get_to(record.workload_id);
  json.at("fingerprints").get_to(record.fingerprints);
  record.guard = guard_from(json.at("guard"));
  json.at("variant_sha256").get_to(record.variant_sha256);
  json.at("verdict").get_to(record.verdict);
  for (const auto &item : json.at("measurements"))
    record.measurements.push_back(record_measurement_from(item));
  for (const auto &item : json.value("estimates", Json::array()))
    record.estimates.push_back(record_estimate_from(item));
  record.limits = json.value("limits", std::vector<std::string>());
  if (json.contains("judge")) judge_from(json.at("judge"), record);
  json.at("errors").get_to(record.errors);
  json.at("counters").at("original").get_to(record.counters_original);
  json.at("counters").at("tuned").get_to(record.counters_tuned);
  json.at("device").get_to(record.device);
  json.at("toolchain").get_to(record.toolchain);
  json.at("flags").get_to(record.flags);
  const auto &search = json.at("search");
  search.at("policy").get_to(record.policy);
  search.at("provider").get_to(record.provider);
  search.at("model").get_to(record.model);
  search.at("strategies").get_to(record.strategies);
  search.at("knobs").get_to(record.knobs);
  search.at("seed").get_to(record.seed);
  search.at("command").get_to(record.command);
  optional_member(search, "cost_usd", record.cost_usd);
  optional_member(search, "tokens", record.tokens);
  json.at("created").get_to(record.created);
  return record;
}

}  // namespace

std::string to_json(const Record &record) {
  Json json = {{"cupilot_record", 1}, {"arch", record.arch}};
  if (!record.estimate) json["estimate"] = false;
  json["kernel"] = kernel_json(record.kernel);
  json["kernel_id"] = record.kernel_id;
  json["workload_id"] = record.workload_id;
  json["verdict"] = record.verdict;
  json["measurements"] = Json::array();
  for (const auto &item : record.measurements) json["measurements"].push_back(measurement_json(item));
  if (!record.estimates.empty()) json["estimates"] = Json::array();
  for (const auto &item : record.estimates) json["estimates"].push_back(estimate_json(item));
  if (!record.limits.empty()) json["limits"] = record.limits;
  json["guard"] = guard_json(record.guard);
  json["variant_sha256"] = record.variant_sha256;
  json["fingerprints"] = record.fingerprints;
  json["judge"] = judge_json(record);
  json["errors"] = Json::array();
  for (const auto &error : record.errors) json["errors"].push_back(error_json(error));
  json["counters"] = {{"original", counters_json(record.counters_original)},
                      {"tuned", counters_json(record.counters_tuned)}};
  json["device"] = record.device;
  json["toolchain"] = record.toolchain;
  json["flags"] = record.flags;
  json["search"] = search_json(record);
  json["created"] = record.created;
  std::string text;
  write(json, "", text);
  if (record.estimate) text.replace(0, 2, kEstimateHead);  // "{\n"
  return text + "\n";
}

Result<Record> record_from_json(std::string_view text) {
  return read_json<Record>(text, "cupilot_record", 1, record_from);
}

}  // namespace cupilot
