// SPDX-License-Identifier: Apache-2.0
//
// The members (annotate/support/fields.h) that `--json` prints of the structs that several verbs print.

#pragma once

#include <string>
#include <vector>

#include "driver/cli/report/evidence.h"
#include "driver/cli/report/output.h"
#include "evolution/model/record_fields.h"
#include "evolution/model/verdict_fields.h"

namespace cupilot::cli {

/// A member that is printed only when it differs from the default.
template <class S, class M, class List>
constexpr Field<S, M, List> sparse_list(const char *name, M S::*member, List list) {
  return {name, member, Presence::sparse, list, false};
}
/// A number that may be NaN or infinite; number_json() says how these are printed.
template <auto Member>
constexpr auto any_number(const char *name) {
  return computed(name, [](const auto &one) { return number_json(one.*Member); });
}

inline constexpr auto kDiagnosticForm =
    fields(field("severity", &Diagnostic::severity), field("place", &Diagnostic::place),
           field("message", &Diagnostic::message), field("remedy", &Diagnostic::remedy));

inline constexpr auto kKernelForm = fields(
    inlined(&ProjectKernel::spec,
            fields(field("kernel", &KernelSpec::name), field("instantiation", &KernelSpec::instantiation),
                   field("place", &KernelSpec::place))),
    field("target", &ProjectKernel::target),
    inlined(
        &ProjectKernel::spec,
        fields(field("kernel_id", &KernelSpec::kernel_id), field("workload_id", &KernelSpec::workload_id),
               inlined(&KernelSpec::command, fields(field("architectures", &CompileCommand::architectures))),
               computed("precision", [](const KernelSpec &spec) { return to_string(spec.precision); }),
               field("deterministic", &KernelSpec::deterministic),
               computed("assumptions", [](const KernelSpec &spec) {
                 std::vector<std::string> texts;
                 for (const auto &assumption : spec.assumptions) texts.push_back(assumption.expression);
                 return texts;
               }))));

inline constexpr auto kRecordEstimateForm =
    fields(field("workload", &RecordEstimate::workload), field("original_us", &RecordEstimate::original_us),
           field("tuned_us", &RecordEstimate::tuned_us), field("ratio", &RecordEstimate::ratio),
           field("verdict", &RecordEstimate::verdict));
/// The times and the speed-up of a workload in a record.
inline constexpr auto kRecordedTimes = fields(
    field("original_us", &RecordMeasurement::original_us), field("tuned_us", &RecordMeasurement::tuned_us),
    field("speedup", &RecordMeasurement::speedup), field("speedup_low", &RecordMeasurement::speedup_low),
    field("speedup_high", &RecordMeasurement::speedup_high));
inline constexpr auto kRecordForm = fields(
    field("estimate", &Record::estimate),
    computed("precision", [](const Record &record) { return to_string(record.kernel.precision); }),
    field("oracle", &Record::oracle), sparse_list("estimates", &Record::estimates, kRecordEstimateForm),
    field("measurements", &Record::measurements,
          fields(field("workload", &RecordMeasurement::workload), kRecordedTimes,
                 field("copy_bandwidth_share", &RecordMeasurement::copy_bandwidth_share))));
inline constexpr auto kRecordViewForm =
    fields(field("architecture", &RecordView::architecture),
           computed("state", [](const RecordView &view) { return view.word(); }),
           field("detail", &RecordView::detail), field("compiled", &RecordView::compiled),
           computed("folder", [](const RecordView &view) { return view.folder.string(); }),
           inlined(&RecordView::record, kRecordForm));

inline constexpr auto kMeasurementForm =
    fields(field("workload", &Measurement::workload), field("verdict", &Measurement::verdict),
           inlined(&Measurement::original, fields(field("original_us", &SampleSet::median_us))),
           inlined(&Measurement::candidate, fields(field("tuned_us", &SampleSet::median_us))),
           field("speedup", &Measurement::speedup), field("speedup_low", &Measurement::speedup_low),
           field("speedup_high", &Measurement::speedup_high),
           field("copy_bandwidth_share", &Measurement::bandwidth_share),
           sparse("weight", &Measurement::weight), sparse("holdout", &Measurement::holdout));
inline constexpr auto kEstimateForm =
    fields(field("workload", &Estimate::workload), field("verdict", &Estimate::verdict),
           inlined(&Estimate::original, fields(field("original_us", &EstimatedTime::time_us))),
           inlined(&Estimate::candidate, fields(field("tuned_us", &EstimatedTime::time_us))),
           field("ratio", &Estimate::ratio), field("tie", &Estimate::tie),
           inlined(&Estimate::candidate,
                   fields(field("bound", &EstimatedTime::bound), field("blocks", &EstimatedTime::blocks),
                          field("blocks_run", &EstimatedTime::blocks_run))));

inline constexpr auto kOutputErrorForm =
    fields(field("output", &OutputError::parameter), field("case", &OutputError::case_id),
           field("inputs", &OutputError::family), any_number<&OutputError::rms>("rms"),
           any_number<&OutputError::rms_limit>("rms_limit"), any_number<&OutputError::max>("max"),
           any_number<&OutputError::max_limit>("max_limit"), any_number<&OutputError::own_rms>("own_rms"),
           any_number<&OutputError::own_max>("own_max"), field("worst_index", &OutputError::worst_index),
           any_number<&OutputError::expected>("expected"), any_number<&OutputError::got>("got"));
/// How a verdict was reached. A verdict that was reached without a device does not contain the precision; the
/// caller takes it from the kernel.
inline constexpr auto kJudgementForm =
    fields(sparse("precision", &Verdict::precision), field("oracle", &Verdict::oracle),
           field("errors", &Verdict::errors, kOutputErrorForm), field("finalist", &Verdict::finalist),
           sparse("dispatch", &Verdict::dispatch), field("scratch_bytes", &Verdict::scratch_bytes),
           field("seed", &Verdict::seed), field("secret", &Verdict::secret));

}  // namespace cupilot::cli
