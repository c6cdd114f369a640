// SPDX-License-Identifier: Apache-2.0
#include "evolution/model/bundle_json.h"

#include "annotate/spec/json_convert.h"

namespace cupilot {
namespace {

Json buffer_json(const CaseBuffer &buffer) {
  return {{"parameter", buffer.parameter},
          {"role", enum_name(buffer.role)},
          {"elements", buffer.elements},
          {"fill", buffer.fill}};
}
CaseBuffer buffer_from(const Json &json) {
  return {json.at("parameter").get<std::string>(), enum_member<BufferRole>(json, "role"),
          json.at("elements").get<std::uint64_t>(), json.at("fill").get<Fill>()};
}

Json case_json(const Case &one) {
  Json json = {{"id", one.id},
               {"workload", one.workload},
               {"timed", one.timed},
               {"scalars", Json::object()},
               {"buffers", Json::array()},
               {"grid", one.grid},
               {"block", one.block},
               {"shared_bytes", one.shared_bytes},
               {"families", one.families}};
  if (!one.verified) json["verified"] = false;
  if (one.weight != 1) json["weight"] = one.weight;
  if (one.holdout) json["holdout"] = true;
  if (!one.shrunk.empty()) json["shrunk"] = one.shrunk;
  for (const auto &[name, value] : one.scalars)
    std::visit([&, &key = name](auto number) { json["scalars"][key] = number; }, value);
  for (const auto &buffer : one.buffers) json["buffers"].push_back(buffer_json(buffer));
  return json;
}
Case case_from(const Json &json) {
  Case one;
  one.verified = json.value("verified", true);
  one.shrunk = json.value("shrunk", std::string());
  one.weight = json.value("weight", 1.0);
  one.holdout = json.value("holdout", false);
  json.at("id").get_to(one.id);
  json.at("workload").get_to(one.workload);
  json.at("timed").get_to(one.timed);
  for (const auto &[name, value] : json.at("scalars").items()) {
    if (value.is_number_float())
      one.scalars[name] = value.get<double>();
    else
      one.scalars[name] = value.get<std::int64_t>();
  }
  for (const auto &item : json.at("buffers")) one.buffers.push_back(buffer_from(item));
  json.at("grid").get_to(one.grid);
  json.at("block").get_to(one.block);
  json.at("shared_bytes").get_to(one.shared_bytes);
  json.at("families").get_to(one.families);
  return one;
}

Json request_json(const JudgeRequest &request) {
  return {{"time", request.time},
          {"profile", request.profile},
          {"finalist", request.finalist},
          {"check_original", request.check_original},
          {"most_scratch", request.most_scratch},
          {"seed", request.seed},
          {"secret", request.secret},
          {"build_seconds", request.build_seconds},
          {"run_seconds", request.run_seconds},
          {"timing_seconds", request.timing_seconds},
          {"relative_error", request.relative_error}};
}
JudgeRequest request_from(const Json &json) {
  JudgeRequest request;
  json.at("time").get_to(request.time);
  json.at("profile").get_to(request.profile);
  request.finalist = json.value("finalist", false);
  request.check_original = json.value("check_original", false);
  request.most_scratch = json.value("most_scratch", 1.0);
  json.at("seed").get_to(request.seed);
  request.secret = json.value("secret", std::uint64_t{0});
  json.at("build_seconds").get_to(request.build_seconds);
  json.at("run_seconds").get_to(request.run_seconds);
  json.at("timing_seconds").get_to(request.timing_seconds);
  json.at("relative_error").get_to(request.relative_error);
  return request;
}

Bundle bundle_from(const Json &json) {
  Bundle bundle;
  json.at("id").get_to(bundle.id);
  json.at("kernel").get_to(bundle.kernel);
  json.at("kernel_id").get_to(bundle.kernel_id);
  json.at("architecture").get_to(bundle.architecture);
  json.at("flags").get_to(bundle.flags);
  json.at("parameters").get_to(bundle.parameters);
  json.at("precision").get_to(bundle.precision);
  bundle.deterministic = json.value("deterministic", false);
  bundle.twin_missing = json.value("twin_missing", std::string("the bundle is older than twins"));
  bundle.waived = json.value("waived", std::vector<std::string>());
  for (const auto &item : json.at("cases")) bundle.cases.push_back(case_from(item));
  for (const auto &item : json.at("candidates"))
    bundle.candidates.push_back({item.at("id").get<std::string>()});
  bundle.request = request_from(json.at("request"));
  return bundle;
}

}  // namespace

std::string to_json(const Bundle &bundle) {
  Json json = {{"cupilot_bundle", 1},
               {"id", bundle.id},
               {"kernel", bundle.kernel},
               {"kernel_id", bundle.kernel_id},
               {"architecture", bundle.architecture},
               {"flags", bundle.flags},
               {"parameters", bundle.parameters},
               {"precision", bundle.precision},
               {"deterministic", bundle.deterministic},
               {"twin_missing", bundle.twin_missing},
               {"waived", bundle.waived}};
  json["cases"] = Json::array();
  for (const auto &one : bundle.cases) json["cases"].push_back(case_json(one));
  json["candidates"] = Json::array();
  for (const auto &candidate : bundle.candidates) json["candidates"].push_back({{"id", candidate.id}});
  json["request"] = request_json(bundle.request);
  return json.dump(1) + "\n";
}

Result<Bundle> bundle_from_json(std::string_view text) {
  return read_json<Bundle>(text, "cupilot_bundle", 1, bundle_from);
}

}  // namespace cupilot
