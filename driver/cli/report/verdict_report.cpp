// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/report/verdict_report.h"

#include <fmt/format.h>

#include "annotate/spec/json_convert.h"
#include "driver/cli/report/evidence.h"
#include "driver/cli/report/output_fields.h"
#include "driver/cli/text/figures.h"
#include "driver/cli/text/table.h"

namespace cupilot::cli::report {
namespace {

std::string build_text(const model::BuildReport &build) {
  std::string text;
  if (build.registers > 0)
    text = fmt::format("\nBuild: {} registers, {} bytes spilled, {} bytes of static shared memory.\n",
                       build.registers, build.spill_bytes, build.static_shared_bytes);
  return build.log.empty() ? text : text + "\n" + build.log + (build.log.ends_with('\n') ? "" : "\n");
}

std::string measurements_text(const model::Verdict &verdict) {
  if (verdict.measurements.empty()) return "";
  text::Table table({{"workload"},
                     {"original µs", text::Align::right},
                     {"variant µs", text::Align::right},
                     {"speed-up"},
                     {"verdict"},
                     {"copy bandwidth", text::Align::right},
                     {"samples", text::Align::right}});
  for (const auto &m : verdict.measurements)
    table.add({m.workload, text::time_text(m.original.median_us), text::time_text(m.candidate.median_us),
               text::speedup_text(m), model::to_string(m.verdict), text::share_text(m.bandwidth_share),
               std::to_string(m.candidate.samples_us.size())});
  return "\n" + table.text();
}

std::string estimates_text(const model::Verdict &verdict) {
  if (verdict.estimates.empty()) return "";
  text::Table table({{"workload"},
                     {"original est. µs", text::Align::right},
                     {"variant est. µs", text::Align::right},
                     {"est."},
                     {"verdict"},
                     {"bound by"},
                     {"blocks run", text::Align::right}});
  for (const auto &e : verdict.estimates)
    table.add({e.workload, text::time_text(e.original.time_us), text::time_text(e.candidate.time_us),
               text::estimate_text(e), model::to_string(e.verdict), e.candidate.bound,
               fmt::format("{} of {}", e.candidate.blocks_run, e.candidate.blocks)});
  std::string text = "\n" + table.text();
  for (const auto &limit : verdict.limits) text += limit + "\n";
  return text + fmt::format("Estimated for {} ({}); nothing was measured.\n", verdict.device.name,
                            verdict.device.table);
}

}  // namespace

std::string verdict_text(const VerdictReport &report) {
  const auto &verdict = report.verdict;
  std::string text = report.kernel;
  if (!report.architecture.empty()) text += " on " + report.architecture;
  text += std::string(": ") + model::to_string(verdict.kind);
  if (!verdict.reason.empty()) text += ": " + verdict.reason;
  text += "\n" + build_text(verdict.build) + judgement_text(verdict) + errors_text(verdict) +
          measurements_text(verdict) + estimates_text(verdict) + finalist_text(verdict.finalist);
  if (report.publication) text += "\n" + records::describe(*report.publication) + "\n";
  return text;
}

Json verdict_json(const VerdictReport &report) {
  constexpr auto kForm = fields(
      field("kernel", &VerdictReport::kernel), field("architecture", &VerdictReport::architecture),
      inlined(&VerdictReport::verdict,
              fields(field("verdict", &model::Verdict::kind), field("stage", &model::Verdict::stage),
                     field("reason", &model::Verdict::reason), field("build", &model::Verdict::build),
                     kJudgementForm, field("measurements", &model::Verdict::measurements, kMeasurementForm),
                     sparse_list("estimates", &model::Verdict::estimates, kEstimateForm),
                     sparse("limits", &model::Verdict::limits))));
  Json json = spec::document_of("cupilot_judge", 1, report, kForm);
  json["record"] = report.publication ? report.publication->folder.string() : "";
  return json;
}

Json refusal_json(const std::string &kernel, const Diagnostic &refused) {
  return {{"cupilot_judge", 1}, {"kernel", kernel}, {"diagnostic", spec::json_of(refused, kDiagnosticForm)}};
}

}  // namespace cupilot::cli::report
