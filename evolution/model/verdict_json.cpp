// SPDX-License-Identifier: Apache-2.0
#include "evolution/model/verdict_json.h"

#include "annotate/spec/json_convert.h"
#include "evolution/model/verdict_fields.h"

namespace cupilot::model {

std::string to_json(const Verdict &verdict) {
  return spec::one_line(spec::document_of("cupilot_verdict", 1, verdict));
}

Result<Verdict> verdict_from_json(std::string_view text) {
  Verdict verdict;
  verdict.precision = "same";  // default for verdicts written before the clause existed
  return spec::read_document(text, "cupilot_verdict", 1, std::move(verdict));
}

}  // namespace cupilot::model
