// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/report/evidence.h"

#include <fmt/format.h>
#include <cmath>

#include "annotate/spec/json_convert.h"
#include "driver/cli/report/output_fields.h"
#include "driver/cli/text/table.h"
#include "evolution/model/verdict_fields.h"

namespace cupilot::cli::report {

Json number_json(double value) {
  if (std::isfinite(value)) return value;
  return fmt::format("{}", value);
}

void add_judgement(Json &json, const model::Verdict &verdict) {
  spec::write_members(json, verdict, kJudgementForm);
}

std::string errors_text(const model::Verdict &verdict) {
  if (verdict.errors.empty()) return "";
  text::Table table({{"output"},
                     {"case"},
                     {"inputs"},
                     {"rms error", text::Align::right},
                     {"limit", text::Align::right},
                     {"max error", text::Align::right},
                     {"limit", text::Align::right},
                     {"original's rms", text::Align::right},
                     {"worst"}});
  for (const auto &e : verdict.errors)
    table.add({e.parameter, e.case_id, e.family, fmt::format("{:.2g}", e.rms),
               fmt::format("{:.2g}", e.rms_limit), fmt::format("{:.2g}", e.max),
               fmt::format("{:.2g}", e.max_limit), e.own_rms > 0 ? fmt::format("{:.2g}", e.own_rms) : "-",
               fmt::format("[{}] expected {:g}, got {:g}", e.worst_index, e.expected, e.got)});
  return "\n" + table.text();
}

std::string finalist_text(const std::vector<model::FinalistCheck> &checks) {
  if (checks.empty()) return "";
  text::Table table({{"finalist check"}, {"outcome"}, {"s", text::Align::right}, {"detail"}});
  for (const auto &check : checks)
    table.add({check.name,
               check.outcome == model::FinalistCheck::Outcome::not_run ? "not run" : enum_name(check.outcome),
               fmt::format("{:.1f}", check.seconds), check.detail});
  return "\n" + table.text();
}

std::string judgement_text(const model::Verdict &verdict) {
  const bool strict = verdict.precision.empty() || verdict.precision == "same";
  if (verdict.oracle.empty() && strict) return "";
  std::string text = "\nJudged with precision " + verdict.precision;
  if (!verdict.oracle.empty()) text += ", exact results by: " + verdict.oracle;
  return text + ".\n";
}

std::string kernel_text(const std::string &kernel, const spec::Precision &precision) {
  if (precision.kind == spec::PrecisionKind::same) return kernel;
  return kernel + " (" + spec::to_string(precision) + ")";
}

}  // namespace cupilot::cli::report
