// SPDX-License-Identifier: Apache-2.0
//
// The JSON field descriptions (annotate/support/fields.h) of the structs in bundle.h.

#pragma once

#include "annotate/spec/spec_fields.h"
#include "evolution/model/bundle.h"

namespace cupilot::model {

using cupilot::operator==;  // of every described struct

constexpr auto fields_of(const CaseBuffer *) {
  using S = CaseBuffer;
  return fields(field("parameter", &S::parameter), field("role", &S::role), field("elements", &S::elements),
                field("fill", &S::fill), sparse("refilled", &S::refilled), sparse("same_as", &S::same_as),
                sparse("begins", &S::begins), sparse("finite", &S::finite), sparse("range", &S::range));
}
constexpr auto fields_of(const Case *) {
  using S = Case;
  return fields(field("id", &S::id), field("workload", &S::workload), field("timed", &S::timed),
                field("scalars", &S::scalars), field("buffers", &S::buffers), field("grid", &S::grid),
                field("block", &S::block), field("shared_bytes", &S::shared_bytes),
                field("families", &S::families), sparse("verified", &S::verified),
                sparse("weight", &S::weight), sparse("holdout", &S::holdout), sparse("once", &S::once),
                sparse("shrunk", &S::shrunk));
}
constexpr auto fields_of(const BundleCandidate *) {
  return fields(field("id", &BundleCandidate::id));
}
constexpr auto fields_of(const JudgeRequest *) {
  using S = JudgeRequest;
  return fields(field("time", &S::time), field("profile", &S::profile), later("finalist", &S::finalist),
                later("check_original", &S::check_original), later("most_scratch", &S::most_scratch),
                field("seed", &S::seed), later("secret", &S::secret),
                field("build_seconds", &S::build_seconds), field("run_seconds", &S::run_seconds),
                field("timing_seconds", &S::timing_seconds), field("relative_error", &S::relative_error));
}
constexpr auto fields_of(const Bundle *) {
  using S = Bundle;
  return fields(field("id", &S::id), field("kernel", &S::kernel), field("kernel_id", &S::kernel_id),
                field("architecture", &S::architecture), field("flags", &S::flags),
                field("parameters", &S::parameters), field("precision", &S::precision),
                later("deterministic", &S::deterministic), later("twin_missing", &S::twin_missing),
                later("waived", &S::waived), field("cases", &S::cases), sparse("reserve", &S::reserve),
                sparse("spec", &S::spec), field("candidates", &S::candidates), field("request", &S::request));
}

}  // namespace cupilot::model
