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

namespace cupilot::cli::report {

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
    inlined(&project::ProjectKernel::spec, fields(field("kernel", &spec::KernelSpec::name),
                                                  field("instantiation", &spec::KernelSpec::instantiation),
                                                  field("place", &spec::KernelSpec::place))),
    field("target", &project::ProjectKernel::target),
    inlined(&project::ProjectKernel::spec,
            fields(field("kernel_id", &spec::KernelSpec::kernel_id),
                   field("workload_id", &spec::KernelSpec::workload_id),
                   inlined(&spec::KernelSpec::command,
                           fields(field("architectures", &spec::CompileCommand::architectures))),
                   computed("precision",
                            [](const spec::KernelSpec &spec) { return spec::to_string(spec.precision); }),
                   field("deterministic", &spec::KernelSpec::deterministic),
                   computed("assumptions", [](const spec::KernelSpec &spec) {
                     std::vector<std::string> texts;
                     for (const auto &assumption : spec.assumptions) texts.push_back(assumption.expression);
                     return texts;
                   }))));

inline constexpr auto kRecordEstimateForm =
    fields(field("workload", &model::RecordEstimate::workload),
           field("original_us", &model::RecordEstimate::original_us),
           field("tuned_us", &model::RecordEstimate::tuned_us), field("ratio", &model::RecordEstimate::ratio),
           field("verdict", &model::RecordEstimate::verdict));
/// The times and the speed-up of a workload in a record.
inline constexpr auto kRecordedTimes = fields(field("original_us", &model::RecordMeasurement::original_us),
                                              field("tuned_us", &model::RecordMeasurement::tuned_us),
                                              field("speedup", &model::RecordMeasurement::speedup),
                                              field("speedup_low", &model::RecordMeasurement::speedup_low),
                                              field("speedup_high", &model::RecordMeasurement::speedup_high));
inline constexpr auto kRecordForm =
    fields(field("estimate", &model::Record::estimate),
           computed("precision",
                    [](const model::Record &record) { return spec::to_string(record.kernel.precision); }),
           field("oracle", &model::Record::oracle),
           sparse_list("estimates", &model::Record::estimates, kRecordEstimateForm),
           field("measurements", &model::Record::measurements,
                 fields(field("workload", &model::RecordMeasurement::workload), kRecordedTimes,
                        field("copy_bandwidth_share", &model::RecordMeasurement::copy_bandwidth_share))));
inline constexpr auto kRecordViewForm =
    fields(field("architecture", &records::RecordView::architecture),
           computed("state", [](const records::RecordView &view) { return view.word(); }),
           field("detail", &records::RecordView::detail), field("compiled", &records::RecordView::compiled),
           computed("folder", [](const records::RecordView &view) { return view.folder.string(); }),
           inlined(&records::RecordView::record, kRecordForm));

inline constexpr auto kMeasurementForm = fields(
    field("workload", &model::Measurement::workload), field("verdict", &model::Measurement::verdict),
    inlined(&model::Measurement::original, fields(field("original_us", &model::SampleSet::median_us))),
    inlined(&model::Measurement::candidate, fields(field("tuned_us", &model::SampleSet::median_us))),
    field("speedup", &model::Measurement::speedup), field("speedup_low", &model::Measurement::speedup_low),
    field("speedup_high", &model::Measurement::speedup_high),
    field("copy_bandwidth_share", &model::Measurement::bandwidth_share),
    sparse("weight", &model::Measurement::weight), sparse("holdout", &model::Measurement::holdout));
inline constexpr auto kEstimateForm = fields(
    field("workload", &model::Estimate::workload), field("verdict", &model::Estimate::verdict),
    inlined(&model::Estimate::original, fields(field("original_us", &model::EstimatedTime::time_us))),
    inlined(&model::Estimate::candidate, fields(field("tuned_us", &model::EstimatedTime::time_us))),
    field("ratio", &model::Estimate::ratio), field("tie", &model::Estimate::tie),
    inlined(&model::Estimate::candidate, fields(field("bound", &model::EstimatedTime::bound),
                                                field("blocks", &model::EstimatedTime::blocks),
                                                field("blocks_run", &model::EstimatedTime::blocks_run))));

inline constexpr auto kOutputErrorForm = fields(
    field("output", &model::OutputError::parameter), field("case", &model::OutputError::case_id),
    field("inputs", &model::OutputError::family), any_number<&model::OutputError::rms>("rms"),
    any_number<&model::OutputError::rms_limit>("rms_limit"), any_number<&model::OutputError::max>("max"),
    any_number<&model::OutputError::max_limit>("max_limit"),
    any_number<&model::OutputError::own_rms>("own_rms"), any_number<&model::OutputError::own_max>("own_max"),
    field("worst_index", &model::OutputError::worst_index),
    any_number<&model::OutputError::expected>("expected"), any_number<&model::OutputError::got>("got"));
/// How a verdict was reached. A verdict that was reached without a device does not contain the precision; the
/// caller takes it from the kernel.
inline constexpr auto kJudgementForm = fields(
    sparse("precision", &model::Verdict::precision), field("oracle", &model::Verdict::oracle),
    field("errors", &model::Verdict::errors, kOutputErrorForm), field("finalist", &model::Verdict::finalist),
    sparse("dispatch", &model::Verdict::dispatch), field("scratch_bytes", &model::Verdict::scratch_bytes),
    field("seed", &model::Verdict::seed), field("secret", &model::Verdict::secret));

}  // namespace cupilot::cli::report
