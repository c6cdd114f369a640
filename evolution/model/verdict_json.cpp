// SPDX-License-Identifier: Apache-2.0
#include "evolution/model/verdict_json.h"

#include <array>

#include "annotate/spec/json_convert.h"
#include "evolution/model/evidence_json.h"
#include "evolution/model/verdict_names.h"

namespace cupilot {
namespace {

using enum VerdictKind;
constexpr std::array<std::pair<VerdictKind, const char *>, 10> kVerdicts{{{faster, "faster"},
                                                                          {slower, "slower"},
                                                                          {same, "same"},
                                                                          {unsure, "unsure"},
                                                                          {wrong, "wrong"},
                                                                          {rejected, "rejected"},
                                                                          {build_failed, "build_failed"},
                                                                          {crashed, "crashed"},
                                                                          {timed_out, "timed_out"},
                                                                          {not_evaluated, "not_evaluated"}}};

using Outcome = FinalistCheck::Outcome;
constexpr std::array<std::pair<Outcome, const char *>, 3> kOutcomes{
    {{Outcome::passed, "passed"}, {Outcome::failed, "failed"}, {Outcome::not_run, "not_run"}}};

void to_json(Json &json, const SampleSet &set) {
  json = {{"samples_us", set.samples_us}, {"sm_clock_mhz", set.sm_clock_mhz},
          {"dropped", Json::array()},     {"min_us", set.min_us},
          {"q1_us", set.q1_us},           {"median_us", set.median_us},
          {"q3_us", set.q3_us},           {"mean_us", set.mean_us},
          {"stdev_us", set.stdev_us}};
  for (const auto &drop : set.dropped)
    json["dropped"].push_back({{"time_us", drop.time_us}, {"reason", drop.reason}});
}
void from_json(const Json &json, SampleSet &set) {
  json.at("samples_us").get_to(set.samples_us);
  json.at("sm_clock_mhz").get_to(set.sm_clock_mhz);
  for (const auto &drop : json.at("dropped"))
    set.dropped.push_back({drop.at("time_us").get<double>(), drop.at("reason").get<std::string>()});
  json.at("min_us").get_to(set.min_us);
  json.at("q1_us").get_to(set.q1_us);
  json.at("median_us").get_to(set.median_us);
  json.at("q3_us").get_to(set.q3_us);
  json.at("mean_us").get_to(set.mean_us);
  json.at("stdev_us").get_to(set.stdev_us);
}

Json measurement_json(const Measurement &m) {
  Json original, candidate;
  to_json(original, m.original);
  to_json(candidate, m.candidate);
  Json json = {{"workload", m.workload},
               {"verdict", enum_name(m.verdict)},
               {"speedup", m.speedup},
               {"speedup_low", m.speedup_low},
               {"speedup_high", m.speedup_high},
               {"bytes_moved", m.bytes_moved},
               {"bandwidth_share", m.bandwidth_share},
               {"stopped_because", m.stopped_because},
               {"original", original},
               {"candidate", candidate}};
  if (m.weight != 1) json["weight"] = m.weight;
  if (m.holdout) json["holdout"] = true;
  if (m.noise > 0) json["noise"] = m.noise;
  if (m.launches != 1) json["launches"] = m.launches;
  if (!m.note.empty()) json["note"] = m.note;
  return json;
}
Measurement measurement_from(const Json &json) {
  Measurement m;
  json.at("workload").get_to(m.workload);
  m.verdict = enum_member<VerdictKind>(json, "verdict");
  json.at("speedup").get_to(m.speedup);
  json.at("speedup_low").get_to(m.speedup_low);
  json.at("speedup_high").get_to(m.speedup_high);
  m.weight = json.value("weight", 1.0);
  m.holdout = json.value("holdout", false);
  m.noise = json.value("noise", 0.0);
  m.launches = json.value("launches", 1);
  m.note = json.value("note", "");
  json.at("bytes_moved").get_to(m.bytes_moved);
  json.at("bandwidth_share").get_to(m.bandwidth_share);
  json.at("stopped_because").get_to(m.stopped_because);
  from_json(json.at("original"), m.original);
  from_json(json.at("candidate"), m.candidate);
  return m;
}

Json estimated_json(const EstimatedTime &time) {
  return {{"time_us", time.time_us},   {"bound", time.bound},   {"parts_us", time.parts_us},
          {"launches", time.launches}, {"blocks", time.blocks}, {"blocks_run", time.blocks_run}};
}
EstimatedTime estimated_from(const Json &json) {
  EstimatedTime time;
  json.at("time_us").get_to(time.time_us);
  json.at("bound").get_to(time.bound);
  json.at("parts_us").get_to(time.parts_us);
  json.at("launches").get_to(time.launches);
  json.at("blocks").get_to(time.blocks);
  json.at("blocks_run").get_to(time.blocks_run);
  return time;
}

Json estimate_json(const Estimate &e) {
  Json json = {{"workload", e.workload},
               {"verdict", enum_name(e.verdict)},
               {"ratio", e.ratio},
               {"tie", e.tie},
               {"original", estimated_json(e.original)},
               {"candidate", estimated_json(e.candidate)}};
  if (e.weight != 1) json["weight"] = e.weight;
  if (e.holdout) json["holdout"] = true;
  return json;
}
Estimate estimate_from(const Json &json) {
  Estimate e;
  json.at("workload").get_to(e.workload);
  e.verdict = enum_member<VerdictKind>(json, "verdict");
  json.at("ratio").get_to(e.ratio);
  json.at("tie").get_to(e.tie);
  e.weight = json.value("weight", 1.0);
  e.holdout = json.value("holdout", false);
  e.original = estimated_from(json.at("original"));
  e.candidate = estimated_from(json.at("candidate"));
  return e;
}

void to_json(Json &json, const BuildReport &build) {
  json = {{"seconds", build.seconds},
          {"registers", build.registers},
          {"spill_bytes", build.spill_bytes},
          {"static_shared_bytes", build.static_shared_bytes},
          {"log", build.log}};
}
void from_json(const Json &json, BuildReport &build) {
  json.at("seconds").get_to(build.seconds);
  json.at("registers").get_to(build.registers);
  json.at("spill_bytes").get_to(build.spill_bytes);
  json.at("static_shared_bytes").get_to(build.static_shared_bytes);
  json.at("log").get_to(build.log);
}

Json profile_json(const Profile &profile) {
  return {{"workload", profile.workload},
          {"roofline_class", profile.roofline_class},
          {"memory_share", profile.memory_share},
          {"compute_share", profile.compute_share},
          {"note", profile.note},
          {"counters", profile.counters}};
}
Profile profile_from(const Json &json) {
  Profile profile;
  json.at("workload").get_to(profile.workload);
  json.at("roofline_class").get_to(profile.roofline_class);
  json.at("memory_share").get_to(profile.memory_share);
  json.at("compute_share").get_to(profile.compute_share);
  json.at("note").get_to(profile.note);
  json.at("counters").get_to(profile.counters);
  return profile;
}

/// Members that verdicts of the first versions do not have.
void later_members(const Json &json, Verdict &verdict) {
  verdict.oracle = json.value("oracle", std::string());
  verdict.precision = json.value("precision", std::string("same"));
  verdict.strict = json.value("strict", std::string());
  optional_member(json, "finalist", verdict.finalist);
  verdict.dispatch = json.value("dispatch", std::vector<std::string>());
  verdict.scratch_bytes = json.value("scratch_bytes", std::uint64_t{0});
  verdict.seed = json.value("seed", std::uint64_t{0});
  verdict.secret = json.value("secret", std::uint64_t{0});
  verdict.finalist_seconds = json.value("finalist_seconds", 0.0);
}

Verdict verdict_from(const Json &json) {
  Verdict verdict;
  json.at("candidate").get_to(verdict.candidate);
  verdict.kind = enum_member<VerdictKind>(json, "verdict");
  json.at("stage").get_to(verdict.stage);
  json.at("reason").get_to(verdict.reason);
  from_json(json.at("build"), verdict.build);
  json.at("errors").get_to(verdict.errors);
  for (const auto &item : json.at("measurements")) verdict.measurements.push_back(measurement_from(item));
  // Verdicts from before there were estimates have neither.
  for (const auto &item : json.value("estimates", Json::array()))
    verdict.estimates.push_back(estimate_from(item));
  verdict.limits = json.value("limits", std::vector<std::string>());
  for (const auto &item : json.at("original_profiles"))
    verdict.original_profiles.push_back(profile_from(item));
  for (const auto &item : json.at("profiles")) verdict.profiles.push_back(profile_from(item));
  json.at("device").get_to(verdict.device);
  json.at("verify_seconds").get_to(verdict.verify_seconds);
  json.at("time_seconds").get_to(verdict.time_seconds);
  json.at("cases_passed").get_to(verdict.cases_passed);
  later_members(json, verdict);
  return verdict;
}

}  // namespace

template <>
EnumNames<FinalistCheck::Outcome> enum_names<FinalistCheck::Outcome>() {
  return kOutcomes;
}
template <>
EnumNames<VerdictKind> enum_names<VerdictKind>() {
  return kVerdicts;
}

void to_json(Json &json, const OutputError &error) {
  json = {{"case", error.case_id},        {"family", error.family},
          {"parameter", error.parameter}, {"rms", error.rms},
          {"rms_limit", error.rms_limit}, {"max", error.max},
          {"max_limit", error.max_limit}, {"worst_index", error.worst_index},
          {"expected", error.expected},   {"got", error.got},
          {"own_rms", error.own_rms},     {"own_max", error.own_max}};
}
void from_json(const Json &json, OutputError &error) {
  // JSON has no NaN or infinity; they are written as null.
  const auto number = [&](const char *member, double &into) {
    into =
        json.at(member).is_null() ? std::numeric_limits<double>::quiet_NaN() : json.at(member).get<double>();
  };
  json.at("case").get_to(error.case_id);
  json.at("family").get_to(error.family);
  json.at("parameter").get_to(error.parameter);
  number("rms", error.rms);
  number("rms_limit", error.rms_limit);
  number("max", error.max);
  number("max_limit", error.max_limit);
  json.at("worst_index").get_to(error.worst_index);
  number("expected", error.expected);
  number("got", error.got);
  error.own_rms = json.value("own_rms", 0.0);
  error.own_max = json.value("own_max", 0.0);
}

void to_json(Json &json, const FinalistCheck &check) {
  json = {{"name", check.name},
          {"outcome", enum_name(check.outcome)},
          {"detail", check.detail},
          {"seconds", check.seconds}};
}
void from_json(const Json &json, FinalistCheck &check) {
  json.at("name").get_to(check.name);
  check.outcome = enum_member<FinalistCheck::Outcome>(json, "outcome");
  json.at("detail").get_to(check.detail);
  json.at("seconds").get_to(check.seconds);
}

void to_json(Json &json, const DeviceReport &device) {
  json = {{"name", device.name},
          {"architecture", device.architecture},
          {"driver", device.driver},
          {"runtime", device.runtime},
          {"multiprocessors", device.multiprocessors},
          {"memory_bytes", device.memory_bytes},
          {"l2_bytes", device.l2_bytes},
          {"copy_bandwidth_gbs", device.copy_bandwidth_gbs},
          {"sm_clock_mhz", device.sm_clock_mhz}};
  if (!device.emulated) return;
  json["emulated"] = true;
  json["table"] = device.table;
}
void from_json(const Json &json, DeviceReport &device) {
  json.at("name").get_to(device.name);
  json.at("architecture").get_to(device.architecture);
  json.at("driver").get_to(device.driver);
  json.at("runtime").get_to(device.runtime);
  json.at("multiprocessors").get_to(device.multiprocessors);
  json.at("memory_bytes").get_to(device.memory_bytes);
  json.at("l2_bytes").get_to(device.l2_bytes);
  json.at("copy_bandwidth_gbs").get_to(device.copy_bandwidth_gbs);
  json.at("sm_clock_mhz").get_to(device.sm_clock_mhz);
  device.emulated = json.value("emulated", false);
  device.table = json.value("table", std::string());
}

std::string to_json(const Verdict &verdict) {
  Json json = {{"cupilot_verdict", 1},
               {"candidate", verdict.candidate},
               {"verdict", enum_name(verdict.kind)},
               {"stage", verdict.stage},
               {"reason", verdict.reason}};
  to_json(json["build"], verdict.build);
  json["errors"] = verdict.errors;
  json["measurements"] = Json::array();
  for (const auto &item : verdict.measurements) json["measurements"].push_back(measurement_json(item));
  if (!verdict.estimates.empty()) json["estimates"] = Json::array();
  for (const auto &item : verdict.estimates) json["estimates"].push_back(estimate_json(item));
  json["original_profiles"] = Json::array();
  for (const auto &item : verdict.original_profiles) json["original_profiles"].push_back(profile_json(item));
  json["profiles"] = Json::array();
  for (const auto &item : verdict.profiles) json["profiles"].push_back(profile_json(item));
  json["device"] = verdict.device;
  json["verify_seconds"] = verdict.verify_seconds;
  json["time_seconds"] = verdict.time_seconds;
  json["cases_passed"] = verdict.cases_passed;
  if (!verdict.limits.empty()) json["limits"] = verdict.limits;
  json["oracle"] = verdict.oracle;
  json["precision"] = verdict.precision;
  if (!verdict.strict.empty()) json["strict"] = verdict.strict;
  if (!verdict.finalist.empty()) json["finalist"] = verdict.finalist;
  if (!verdict.dispatch.empty()) json["dispatch"] = verdict.dispatch;
  json["scratch_bytes"] = verdict.scratch_bytes;
  json["seed"] = verdict.seed;
  json["secret"] = verdict.secret;
  json["finalist_seconds"] = verdict.finalist_seconds;
  return one_line(json);
}

Result<Verdict> verdict_from_json(std::string_view text) {
  return read_json<Verdict>(text, "cupilot_verdict", 1, verdict_from);
}

}  // namespace cupilot
