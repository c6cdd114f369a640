// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/report/evidence.h"

#include <fmt/format.h>
#include <cmath>

#include "annotate/spec/json_convert.h"
#include "driver/cli/report/output_fields.h"
#include "driver/cli/text/table.h"
#include "evolution/model/verdict_fields.h"

namespace cupilot::cli {

Json number_json(double value) {
  if (std::isfinite(value)) return value;
  return fmt::format("{}", value);
}

void add_judgement(Json &json, const Verdict &verdict) {
  write_members(json, verdict, kJudgementForm);
}

std::string errors_text(const Verdict &verdict) {
  if (verdict.errors.empty()) return "";
  Table table({{"output"},
               {"case"},
               {"inputs"},
               {"rms error", Align::right},
               {"limit", Align::right},
               {"max error", Align::right},
               {"limit", Align::right},
               {"original's rms", Align::right},
               {"worst"}});
  for (const auto &e : verdict.errors)
    table.add({e.parameter, e.case_id, e.family, fmt::format("{:.2g}", e.rms),
               fmt::format("{:.2g}", e.rms_limit), fmt::format("{:.2g}", e.max),
               fmt::format("{:.2g}", e.max_limit), e.own_rms > 0 ? fmt::format("{:.2g}", e.own_rms) : "-",
               fmt::format("[{}] expected {:g}, got {:g}", e.worst_index, e.expected, e.got)});
  return "\n" + table.text();
}

std::string finalist_text(const std::vector<FinalistCheck> &checks) {
  if (checks.empty()) return "";
  Table table({{"finalist check"}, {"outcome"}, {"s", Align::right}, {"detail"}});
  for (const auto &check : checks)
    table.add({check.name,
               check.outcome == FinalistCheck::Outcome::not_run ? "not run" : enum_name(check.outcome),
               fmt::format("{:.1f}", check.seconds), check.detail});
  return "\n" + table.text();
}

std::string judgement_text(const Verdict &verdict) {
  const bool strict = verdict.precision.empty() || verdict.precision == "same";
  if (verdict.oracle.empty() && strict) return "";
  std::string text = "\nJudged with precision " + verdict.precision;
  if (!verdict.oracle.empty()) text += ", exact results by: " + verdict.oracle;
  return text + ".\n";
}

std::string kernel_text(const std::string &kernel, const Precision &precision) {
  if (precision.kind == PrecisionKind::same) return kernel;
  return kernel + " (" + to_string(precision) + ")";
}

}  // namespace cupilot::cli
