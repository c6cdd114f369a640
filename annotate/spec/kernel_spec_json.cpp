// SPDX-License-Identifier: Apache-2.0
#include "annotate/spec/kernel_spec_json.h"

#include "annotate/spec/json_convert.h"

namespace cupilot::spec {

Json own_json(const Precision &precision) {
  if (precision.kind != PrecisionKind::relaxed) return enum_name(precision.kind);
  Json json = Json::object();
  write_members(json, precision, described<Precision>());
  return json;
}

void read_own_json(const Json &json, Precision &precision) {
  if (json.is_object())
    read_members(json, precision, {}, described<Precision>());
  else
    read_json_into(json, precision.kind);
}

std::string to_json(const KernelSpec &spec) {
  return one_line(document_of("cupilot_spec", 1, spec));
}

Result<KernelSpec> kernel_spec_from_json(std::string_view text) {
  return read_document<KernelSpec>(text, "cupilot_spec", 1);
}

std::string to_json(const Diagnostic &diagnostic) {
  return one_line(json_of(diagnostic));
}

Result<Diagnostic> diagnostic_from_json(std::string_view text) {
  try {
    Diagnostic diagnostic;
    read_json_into(Json::parse(text), diagnostic);
    return diagnostic;
  } catch (const std::exception &problem) {
    return fail(std::string("damaged JSON: ") + problem.what());
  }
}

}  // namespace cupilot::spec
