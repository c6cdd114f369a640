// SPDX-License-Identifier: Apache-2.0
//
// The JSON field descriptions (annotate/support/fields.h) of the lines that the worker prints.

#pragma once

#include "evolution/judge/bundle/worker_line.h"
#include "evolution/model/verdict_fields.h"

namespace cupilot::judge::bundle {

using cupilot::operator==;  // of every described struct

inline constexpr const char *kWorkerTag = "cupilot_worker";
inline constexpr int kWorkerVersion = 1;

constexpr auto fields_of(const WorkerHello *) {
  return fields(later("device", &WorkerHello::device));
}
constexpr auto fields_of(const WorkerBuilt *) {
  return fields(later("candidate", &WorkerBuilt::candidate), later("seconds", &WorkerBuilt::seconds));
}
constexpr auto fields_of(const WorkerVerdict *) {
  return fields(later("candidate", &WorkerVerdict::candidate));
}
constexpr auto fields_of(const WorkerError *) {
  return fields(later("message", &WorkerError::message), later("input", &WorkerError::input));
}

}  // namespace cupilot::judge::bundle
