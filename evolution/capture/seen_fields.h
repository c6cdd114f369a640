// SPDX-License-Identifier: Apache-2.0
//
// Field descriptions (annotate/support/fields.h) of what is seen of a program.

#pragma once

#include "annotate/spec/spec_fields.h"
#include "evolution/capture/seen.h"

namespace cupilot::capture {

using cupilot::operator==;  // of every described struct

constexpr auto fields_of(const WatchedKernel *) {
  using S = WatchedKernel;
  return fields(field("name", &S::name), field("symbol", &S::symbol), field("parameters", &S::parameters));
}
constexpr auto fields_of(const Watch *) {
  using S = Watch;
  return fields(field("skip", &S::skip), field("take", &S::take), field("most_bytes", &S::most_bytes),
                sparse("others", &S::others), field("kernels", &S::kernels));
}
constexpr auto fields_of(const Contents *) {
  using S = Contents;
  return fields(field("count", &S::count), sparse("zeros", &S::zeros), sparse("nans", &S::nans),
                sparse("infinities", &S::infinities), field("least", &S::least),
                field("greatest", &S::greatest), field("mean", &S::mean), field("deviation", &S::deviation),
                sparse("whole", &S::whole), sparse("ascending", &S::ascending),
                sparse("counts_up", &S::counts_up), sparse("permutation", &S::permutation));
}
constexpr auto fields_of(const SeenBuffer *) {
  using S = SeenBuffer;
  return fields(field("parameter", &S::parameter), sparse("null", &S::null), sparse("bytes", &S::bytes),
                sparse("contents", &S::contents), sparse("read_end", &S::read_end),
                sparse("written_end", &S::written_end), sparse("reads_input", &S::reads_input));
}
constexpr auto fields_of(const SeenScalar *) {
  using S = SeenScalar;
  return fields(field("parameter", &S::parameter), field("value", &S::value), sparse("whole", &S::whole));
}
constexpr auto fields_of(const SeenLaunch *) {
  using S = SeenLaunch;
  return fields(field("kernel", &S::kernel), field("shape", &S::shape), field("process", &S::process),
                field("grid", &S::grid), field("block", &S::block), field("shared_bytes", &S::shared_bytes),
                field("scalars", &S::scalars), field("buffers", &S::buffers), field("work", &S::work));
}

}  // namespace cupilot::capture
