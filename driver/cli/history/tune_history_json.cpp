// SPDX-License-Identifier: Apache-2.0
//
// {"cupilot_known_history":1,"outcomes":[{...}],"strategies":["..."]}

#include "annotate/spec/json_convert.h"
#include "driver/cli/history/tune_history.h"
#include "evolution/model/verdict_fields.h"

namespace cupilot::cli::history {

constexpr auto fields_of(const KnownHistory *) {
  return fields(field("outcomes", &KnownHistory::outcomes), field("strategies", &KnownHistory::learned));
}

std::string to_json(const KnownHistory &known) {
  return spec::one_line(spec::document_of("cupilot_known_history", 1, known)) + "\n";
}

Result<KnownHistory> known_history_from_json(std::string_view text) {
  return spec::read_document<KnownHistory>(text, "cupilot_known_history", 1);
}

}  // namespace cupilot::cli::history
