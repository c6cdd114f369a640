// SPDX-License-Identifier: Apache-2.0
#include "annotate/spec/definition.h"

#include "annotate/spec/json_convert.h"

namespace cupilot::spec {

constexpr auto fields_of(const Definition *) {
  using S = Definition;
  return fields(field("name", &S::name), field("place", &S::place), field("beginning", &S::beginning),
                sparse("annotated", &S::annotated), sparse("problem", &S::problem));
}

std::string to_json(const Definition &definition) {
  return one_line(json_of(definition));
}

Result<Definition> definition_from_json(std::string_view text) {
  try {
    Definition definition;
    read_json_into(Json::parse(text), definition);
    return definition;
  } catch (const std::exception &problem) {
    return fail(std::string("damaged JSON: ") + problem.what());
  }
}

}  // namespace cupilot::spec
