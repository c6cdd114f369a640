// SPDX-License-Identifier: Apache-2.0
//
// The JSON field descriptions (annotate/support/fields.h) of verdicts and strategy outcomes, and the names of
// their enumerators.

#pragma once

#include "annotate/spec/enum_names.h"
#include "annotate/support/fields.h"
#include "evolution/model/strategy_outcome.h"
#include "evolution/model/verdict.h"

namespace cupilot::model {

using cupilot::operator==;  // of every described struct

EnumNames<VerdictKind> names_of(const VerdictKind *);
EnumNames<FinalistCheck::Outcome> names_of(const FinalistCheck::Outcome *);

constexpr auto fields_of(const SampleSet::Dropped *) {
  return fields(field("time_us", &SampleSet::Dropped::time_us), field("reason", &SampleSet::Dropped::reason));
}
constexpr auto fields_of(const SampleSet *) {
  using S = SampleSet;
  return fields(field("samples_us", &S::samples_us), field("sm_clock_mhz", &S::sm_clock_mhz),
                field("dropped", &S::dropped), field("min_us", &S::min_us), field("q1_us", &S::q1_us),
                field("median_us", &S::median_us), field("q3_us", &S::q3_us), field("mean_us", &S::mean_us),
                field("stdev_us", &S::stdev_us));
}
constexpr auto fields_of(const Measurement *) {
  using S = Measurement;
  return fields(field("workload", &S::workload), field("verdict", &S::verdict), field("speedup", &S::speedup),
                field("speedup_low", &S::speedup_low), field("speedup_high", &S::speedup_high),
                field("bytes_moved", &S::bytes_moved), field("bandwidth_share", &S::bandwidth_share),
                field("stopped_because", &S::stopped_because), field("original", &S::original),
                field("candidate", &S::candidate), sparse("weight", &S::weight),
                sparse("holdout", &S::holdout), sparse("noise", &S::noise), sparse("launches", &S::launches),
                sparse("note", &S::note));
}
constexpr auto fields_of(const EstimatedTime *) {
  using S = EstimatedTime;
  return fields(field("time_us", &S::time_us), field("bound", &S::bound), field("parts_us", &S::parts_us),
                field("launches", &S::launches), field("blocks", &S::blocks),
                field("blocks_run", &S::blocks_run));
}
constexpr auto fields_of(const Estimate *) {
  using S = Estimate;
  return fields(field("workload", &S::workload), field("verdict", &S::verdict), field("ratio", &S::ratio),
                field("tie", &S::tie), field("original", &S::original), field("candidate", &S::candidate),
                sparse("weight", &S::weight), sparse("holdout", &S::holdout),
                sparse("compared", &S::compared), sparse("open", &S::open));
}
constexpr auto fields_of(const OutputError *) {
  using S = OutputError;
  return fields(field("case", &S::case_id), field("family", &S::family), field("parameter", &S::parameter),
                number_or_null("rms", &S::rms), number_or_null("rms_limit", &S::rms_limit),
                number_or_null("max", &S::max), number_or_null("max_limit", &S::max_limit),
                field("worst_index", &S::worst_index), number_or_null("expected", &S::expected),
                number_or_null("got", &S::got), later("own_rms", &S::own_rms), later("own_max", &S::own_max));
}
constexpr auto fields_of(const BuildReport *) {
  using S = BuildReport;
  return fields(field("seconds", &S::seconds), field("registers", &S::registers),
                field("spill_bytes", &S::spill_bytes), field("static_shared_bytes", &S::static_shared_bytes),
                field("log", &S::log));
}
constexpr auto fields_of(const DeviceReport *) {
  using S = DeviceReport;
  return fields(field("name", &S::name), field("architecture", &S::architecture), field("driver", &S::driver),
                field("runtime", &S::runtime), field("multiprocessors", &S::multiprocessors),
                field("memory_bytes", &S::memory_bytes), field("l2_bytes", &S::l2_bytes),
                field("copy_bandwidth_gbs", &S::copy_bandwidth_gbs), field("sm_clock_mhz", &S::sm_clock_mhz),
                sparse("bus_id", &S::bus_id), sparse("emulated", &S::emulated), sparse("table", &S::table));
}
constexpr auto fields_of(const Profile *) {
  using S = Profile;
  return fields(field("workload", &S::workload), field("roofline_class", &S::roofline_class),
                field("memory_share", &S::memory_share), field("compute_share", &S::compute_share),
                field("note", &S::note), field("counters", &S::counters));
}
constexpr auto fields_of(const FinalistCheck *) {
  using S = FinalistCheck;
  return fields(field("name", &S::name), field("outcome", &S::outcome), field("detail", &S::detail),
                field("seconds", &S::seconds));
}
constexpr auto fields_of(const CoverageSummary *) {
  using S = CoverageSummary;
  return fields(field("lines", &S::lines), field("lines_covered", &S::lines_covered),
                field("conditions", &S::conditions), field("conditions_covered", &S::conditions_covered),
                sparse("made_cases", &S::made_cases), sparse("uncovered", &S::uncovered),
                sparse("unknown", &S::unknown));
}
constexpr auto fields_of(const Verdict *) {
  using S = Verdict;
  return fields(field("candidate", &S::candidate), field("verdict", &S::kind), field("stage", &S::stage),
                field("reason", &S::reason), field("build", &S::build), field("errors", &S::errors),
                field("measurements", &S::measurements), sparse("estimates", &S::estimates),
                field("original_profiles", &S::original_profiles), field("profiles", &S::profiles),
                field("device", &S::device), field("verify_seconds", &S::verify_seconds),
                field("time_seconds", &S::time_seconds), field("cases_passed", &S::cases_passed),
                sparse("limits", &S::limits), later("oracle", &S::oracle), later("precision", &S::precision),
                sparse("strict", &S::strict), sparse("finalist", &S::finalist),
                sparse("dispatch", &S::dispatch), later("scratch_bytes", &S::scratch_bytes),
                later("seed", &S::seed), later("secret", &S::secret),
                later("finalist_seconds", &S::finalist_seconds), sparse("coverage", &S::coverage));
}

constexpr auto fields_of(const StrategyOutcome *) {
  using S = StrategyOutcome;
  return fields(field("strategy", &S::strategy), field("architecture", &S::architecture),
                field("kernel", &S::kernel), field("kernel_id", &S::kernel_id),
                field("features", &S::features), field("class", &S::roofline_class),
                field("verdict", &S::verdict), field("refused", &S::refused), field("speedup", &S::speedup),
                field("estimated", &S::estimated), field("reason", &S::reason), field("at", &S::at));
}

}  // namespace cupilot::model
