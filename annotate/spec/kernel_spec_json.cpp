// SPDX-License-Identifier: Apache-2.0
#include "annotate/spec/kernel_spec_json.h"

#include "annotate/spec/json_convert.h"

namespace cupilot {

void to_json(Json &json, const SourcePlace &place) {
  json = {{"file", place.file}, {"line", place.line}, {"column", place.column}};
}
void from_json(const Json &json, SourcePlace &place) {
  json.at("file").get_to(place.file);
  json.at("line").get_to(place.line);
  optional_member(json, "column", place.column);
}

void to_json(Json &json, const Diagnostic &d) {
  json = {{"severity", enum_name(d.severity)},
          {"place", d.place},
          {"message", d.message},
          {"source_line", d.source_line},
          {"remedy", d.remedy}};
}
void from_json(const Json &json, Diagnostic &d) {
  d.severity = enum_member<Severity>(json, "severity");
  json.at("place").get_to(d.place);
  json.at("message").get_to(d.message);
  optional_member(json, "source_line", d.source_line);
  optional_member(json, "remedy", d.remedy);
}

void to_json(Json &json, const Parameter &p) {
  json = {{"name", p.name},
          {"type", p.type},
          {"pointer", p.pointer},
          {"const_pointee", p.const_pointee},
          {"restrict", p.restrict_qualified},
          {"element", enum_name(p.element)},
          {"element_type", p.element_type},
          {"element_bytes", p.element_bytes}};
}
void from_json(const Json &json, Parameter &p) {
  json.at("name").get_to(p.name);
  json.at("type").get_to(p.type);
  json.at("pointer").get_to(p.pointer);
  json.at("const_pointee").get_to(p.const_pointee);
  json.at("restrict").get_to(p.restrict_qualified);
  p.element = enum_member<ElementType>(json, "element");
  json.at("element_type").get_to(p.element_type);
  json.at("element_bytes").get_to(p.element_bytes);
}

void to_json(Json &json, const Fill &fill) {
  json = {{"kind", enum_name(fill.kind)}, {"a", fill.a}, {"b", fill.b}};
  if (!fill.file.empty()) json["file"] = fill.file;
}
void from_json(const Json &json, Fill &fill) {
  fill.kind = enum_member<FillKind>(json, "kind");
  json.at("a").get_to(fill.a);
  json.at("b").get_to(fill.b);
  optional_member(json, "file", fill.file);
}

void to_json(Json &json, const LaunchShape &launch) {
  json = {{"grid", launch.grid},
          {"block", launch.block},
          {"shared_bytes", launch.shared_bytes},
          {"from_source", launch.from_source}};
}
void from_json(const Json &json, LaunchShape &launch) {
  json.at("grid").get_to(launch.grid);
  json.at("block").get_to(launch.block);
  json.at("shared_bytes").get_to(launch.shared_bytes);
  optional_member(json, "from_source", launch.from_source);
}

void to_json(Json &json, const Precision &precision) {
  json = enum_name(precision.kind);
  if (precision.kind == PrecisionKind::relaxed)
    json = {{"kind", "relaxed"}, {"relative", precision.relative}, {"absolute", precision.absolute}};
}
void from_json(const Json &json, Precision &precision) {
  const std::string name = json.is_object() ? json.at("kind").get<std::string>() : json.get<std::string>();
  const auto kind = enum_from_name<PrecisionKind>(name);
  if (!kind) throw std::runtime_error("unknown precision '" + name + "'");
  precision.kind = *kind;
  if (!json.is_object()) return;
  json.at("relative").get_to(precision.relative);
  json.at("absolute").get_to(precision.absolute);
}

void to_json(Json &json, const Assumption &assumption) {
  json = {{"expression", assumption.expression}, {"place", assumption.place}};
}
void from_json(const Json &json, Assumption &assumption) {
  json.at("expression").get_to(assumption.expression);
  optional_member(json, "place", assumption.place);
}

void to_json(Json &json, const Fingerprint &fingerprint) {
  json = {{"source", fingerprint.source}, {"macros", fingerprint.macros}, {"files", Json::array()}};
  for (const auto &file : fingerprint.files)
    json["files"].push_back({{"path", file.path}, {"sha256", file.sha256}});
}
void from_json(const Json &json, Fingerprint &fingerprint) {
  json.at("source").get_to(fingerprint.source);
  json.at("macros").get_to(fingerprint.macros);
  for (const auto &file : json.at("files"))
    fingerprint.files.push_back({file.at("path").get<std::string>(), file.at("sha256").get<std::string>()});
}

namespace {

void to_json(Json &json, const BufferUse &use) {
  json = {{"parameter", use.parameter},
          {"role", enum_name(use.role)},
          {"extent", use.extent},
          {"fill", use.fill},
          {"place", use.place}};
}
void from_json(const Json &json, BufferUse &use) {
  json.at("parameter").get_to(use.parameter);
  use.role = enum_member<BufferRole>(json, "role");
  json.at("extent").get_to(use.extent);
  json.at("fill").get_to(use.fill);
  json.at("place").get_to(use.place);
}

Json workload_json(const Workload &workload) {
  Json json = {{"id", workload.id},         {"set", Json::array()},    {"buffers", Json::array()},
               {"launch", workload.launch}, {"check", workload.check}, {"place", workload.place}};
  for (const auto &[name, expression] : workload.set)
    json["set"].push_back({{"name", name}, {"expression", expression}});
  for (const auto &use : workload.buffers) {
    Json buffer;
    to_json(buffer, use);
    json["buffers"].push_back(buffer);
  }
  if (workload.weight != 1) json["weight"] = workload.weight;
  if (workload.holdout) json["holdout"] = true;
  return json;
}
Workload workload_from(const Json &json) {
  Workload workload;
  json.at("id").get_to(workload.id);
  for (const auto &item : json.at("set"))
    workload.set.push_back({item.at("name").get<std::string>(), item.at("expression").get<std::string>()});
  for (const auto &item : json.at("buffers")) from_json(item, workload.buffers.emplace_back());
  json.at("launch").get_to(workload.launch);
  json.at("check").get_to(workload.check);
  optional_member(json, "weight", workload.weight);
  optional_member(json, "holdout", workload.holdout);
  json.at("place").get_to(workload.place);
  return workload;
}

Json launch_json(const LaunchSite &site) {
  return {{"place", site.place}, {"kind", enum_name(site.kind)}, {"caught", site.caught}};
}
LaunchSite launch_from(const Json &json) {
  return {json.at("place").get<SourcePlace>(), enum_member<LaunchKind>(json, "kind"),
          json.at("caught").get<bool>()};
}

Json command_json(const CompileCommand &command) {
  return {{"folder", command.folder},
          {"source", command.source},
          {"compiler", command.compiler},
          {"flags", command.flags},
          {"architectures", command.architectures}};
}
CompileCommand command_from(const Json &json) {
  CompileCommand command;
  json.at("folder").get_to(command.folder);
  json.at("source").get_to(command.source);
  json.at("compiler").get_to(command.compiler);
  json.at("flags").get_to(command.flags);
  json.at("architectures").get_to(command.architectures);
  return command;
}

/// A spec without one is older than twins in specs.
void add_twin(Json &json, const Twin &twin) {
  if (!twin.missing.empty()) {
    json["twin"] = {{"missing", twin.missing}};
  } else if (!twin.source.empty()) {
    json["twin"] = {{"source", twin.source},
                    {"instantiation", twin.instantiation},
                    {"types", twin.types},
                    {"sixteen", twin.sixteen}};
  }
}
Twin twin_from(const Json &json) {
  Twin twin;
  const auto found = json.find("twin");
  if (found == json.end()) return twin;
  optional_member(*found, "missing", twin.missing);
  if (!twin.missing.empty()) return twin;
  found->at("source").get_to(twin.source);
  found->at("instantiation").get_to(twin.instantiation);
  found->at("types").get_to(twin.types);
  found->at("sixteen").get_to(twin.sixteen);
  return twin;
}

KernelSpec spec_from(const Json &json) {
  KernelSpec spec;
  json.at("name").get_to(spec.name);
  json.at("qualified_name").get_to(spec.qualified_name);
  json.at("instantiation").get_to(spec.instantiation);
  json.at("namespaces").get_to(spec.namespaces);
  json.at("symbol").get_to(spec.symbol);
  json.at("place").get_to(spec.place);
  json.at("precision").get_to(spec.precision);
  json.at("parameters").get_to(spec.parameters);
  optional_member(json, "assumptions", spec.assumptions);
  optional_member(json, "deterministic", spec.deterministic);
  for (const auto &item : json.at("workloads")) spec.workloads.push_back(workload_from(item));
  for (const auto &item : json.at("launches")) spec.launches.push_back(launch_from(item));
  json.at("device_globals").get_to(spec.device_globals);
  json.at("slice").get_to(spec.slice);
  json.at("kernel_id").get_to(spec.kernel_id);
  json.at("workload_id").get_to(spec.workload_id);
  json.at("fingerprint").get_to(spec.fingerprint);
  spec.command = command_from(json.at("command"));
  spec.twin = twin_from(json);
  return spec;
}

}  // namespace

std::string to_json(const KernelSpec &spec) {
  Json json = {{"cupilot_spec", 1},
               {"name", spec.name},
               {"qualified_name", spec.qualified_name},
               {"instantiation", spec.instantiation},
               {"namespaces", spec.namespaces},
               {"symbol", spec.symbol},
               {"place", spec.place},
               {"precision", spec.precision},
               {"parameters", spec.parameters}};
  if (!spec.assumptions.empty()) json["assumptions"] = spec.assumptions;
  if (spec.deterministic) json["deterministic"] = true;
  json["workloads"] = Json::array();
  for (const auto &workload : spec.workloads) json["workloads"].push_back(workload_json(workload));
  json["launches"] = Json::array();
  for (const auto &site : spec.launches) json["launches"].push_back(launch_json(site));
  json["device_globals"] = spec.device_globals;
  json["slice"] = spec.slice;
  json["kernel_id"] = spec.kernel_id;
  json["workload_id"] = spec.workload_id;
  json["fingerprint"] = spec.fingerprint;
  json["command"] = command_json(spec.command);
  add_twin(json, spec.twin);
  return one_line(json);
}

Result<KernelSpec> kernel_spec_from_json(std::string_view text) {
  return read_json<KernelSpec>(text, "cupilot_spec", 1, spec_from);
}

std::string to_json(const Diagnostic &diagnostic) {
  return one_line(Json(diagnostic));
}

Result<Diagnostic> diagnostic_from_json(std::string_view text) {
  try {
    return Json::parse(text).get<Diagnostic>();
  } catch (const std::exception &problem) {
    return fail(std::string("damaged JSON: ") + problem.what());
  }
}

}  // namespace cupilot
