// SPDX-License-Identifier: Apache-2.0
//
// The JSON field descriptions (annotate/support/fields.h) of a record. The order is the one a reviewer reads,
// and related members are grouped into objects.

#pragma once

#include "annotate/spec/spec_fields.h"
#include "evolution/model/record.h"
#include "evolution/model/verdict_fields.h"

namespace cupilot::model {

using cupilot::operator==;  // of every described struct

/// The members of KernelSpec that a record keeps.
inline constexpr auto kRecordKernel =
    fields(field("name", &spec::KernelSpec::name), field("qualified_name", &spec::KernelSpec::qualified_name),
           field("instantiation", &spec::KernelSpec::instantiation),
           field("namespaces", &spec::KernelSpec::namespaces), field("symbol", &spec::KernelSpec::symbol),
           inlined(&spec::KernelSpec::place,
                   fields(field("file", &SourcePlace::file), field("line", &SourcePlace::line))),
           later("precision", &spec::KernelSpec::precision),
           sparse("deterministic", &spec::KernelSpec::deterministic),
           field("parameters", &spec::KernelSpec::parameters,
                 fields(field("name", &spec::Parameter::name), field("type", &spec::Parameter::type))));

inline constexpr auto kRecordLaunch =
    fields(field("grid", &spec::LaunchShape::grid), field("block", &spec::LaunchShape::block),
           field("shared_bytes", &spec::LaunchShape::shared_bytes));

constexpr auto fields_of(const Guard *) {
  using S = Guard;
  return fields(sparse("assumptions", &S::assumptions), sparse("promises", &S::promises),
                sparse("boxes", &S::boxes), field("domain", &S::domain), sparse("verified", &S::verified),
                field("launch", &S::launch, kRecordLaunch), field("configurations", &S::configurations));
}
constexpr auto fields_of(const RecordMeasurement *) {
  using S = RecordMeasurement;
  return fields(
      field("workload", &S::workload), field("verdict", &S::verdict), field("original_us", &S::original_us),
      field("tuned_us", &S::tuned_us), field("speedup", &S::speedup), field("speedup_low", &S::speedup_low),
      field("speedup_high", &S::speedup_high), field("original_min_us", &S::original_min_us),
      field("original_q3_us", &S::original_q3_us), field("tuned_min_us", &S::tuned_min_us),
      field("tuned_q3_us", &S::tuned_q3_us), field("copy_bandwidth_share", &S::copy_bandwidth_share),
      field("samples", &S::samples), sparse("weight", &S::weight), sparse("holdout", &S::holdout));
}
constexpr auto fields_of(const RecordEstimate *) {
  using S = RecordEstimate;
  return fields(field("workload", &S::workload), field("verdict", &S::verdict),
                field("original_us", &S::original_us), field("tuned_us", &S::tuned_us),
                field("ratio", &S::ratio), field("bound", &S::bound), field("blocks", &S::blocks),
                field("blocks_run", &S::blocks_run));
}
constexpr auto fields_of(const Record *) {
  using S = Record;
  // How the variant was judged. Older records do not have this member.
  const auto judge = fields(
      field("oracle", &S::oracle),
      computed("precision", [](const S &one) { return spec::to_string(one.kernel.precision); }),
      field("seed", &S::judged_seed), field("secret", &S::secret), field("scratch_bytes", &S::scratch_bytes),
      sparse("waived", &S::waived), field("finalist", &S::finalist));
  const auto counters = fields(field("original", &S::counters_original), field("tuned", &S::counters_tuned));
  const auto search =
      fields(field("policy", &S::policy), field("provider", &S::provider), field("model", &S::model),
             field("strategies", &S::strategies), field("knobs", &S::knobs), field("seed", &S::seed),
             field("command", &S::command), sparse("cost_usd", &S::cost_usd), sparse("tokens", &S::tokens));
  return fields(
      field("arch", &S::arch), field("estimate", &S::estimate), field("kernel", &S::kernel, kRecordKernel),
      field("kernel_id", &S::kernel_id), field("workload_id", &S::workload_id), field("verdict", &S::verdict),
      field("measurements", &S::measurements), sparse("estimates", &S::estimates),
      sparse("limits", &S::limits), field("guard", &S::guard), field("variant_sha256", &S::variant_sha256),
      field("fingerprints", &S::fingerprints), group("judge", Presence::later, judge),
      field("errors", &S::errors), group("counters", Presence::always, counters), field("device", &S::device),
      field("toolchain", &S::toolchain), field("flags", &S::flags), group("search", Presence::always, search),
      field("created", &S::created));
}

}  // namespace cupilot::model
