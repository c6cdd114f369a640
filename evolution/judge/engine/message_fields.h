// SPDX-License-Identifier: Apache-2.0
//
// Describes the members of an order for JSON (annotate/support/fields.h) and names its enumerators.

#pragma once

#include "evolution/judge/cases/explored_fields.h"
#include "evolution/judge/engine/messages.h"
#include "evolution/judge/launches/coverage_fields.h"
#include "evolution/judge/launches/host_trace_fields.h"
#include "evolution/judge/launches/session_fields.h"

namespace cupilot::judge::engine {

using cupilot::operator==;  // of every described struct

inline constexpr std::array<std::pair<EntryRole, const char *>, kEntryRoles> kEntryRoleNames{
    {{EntryRole::original, "original"}, {EntryRole::candidate, "candidate"}, {EntryRole::twin, "twin"}}};
inline EnumNames<EntryRole> names_of(const EntryRole *) {
  return kEntryRoleNames;
}

inline constexpr std::array<std::pair<Order::What, const char *>, 12> kOrderNames{
    {{Order::What::setup, "setup"},
     {Order::What::load, "load"},
     {Order::What::bandwidth, "bandwidth"},
     {Order::What::run, "run"},
     {Order::What::time, "time"},
     {Order::What::profile, "profile"},
     {Order::What::estimate, "estimate"},
     {Order::What::excerpt, "excerpt"},
     {Order::What::timed_outputs, "timed_outputs"},
     {Order::What::host_trace, "host_trace"},
     {Order::What::coverage, "coverage"},
     {Order::What::outcomes, "outcomes"}}};
inline EnumNames<Order::What> names_of(const Order::What *) {
  return kOrderNames;
}

constexpr auto fields_of(const RunOrder *) {
  using S = RunOrder;
  return fields(field("case", &S::case_index), field("slot", &S::slot), field("setting", &S::setting));
}
struct ExploredCalls {
  std::vector<cases::ExploredCall> calls;
};
constexpr auto fields_of(const ExploredCalls *) {
  return fields(field("calls", &ExploredCalls::calls));
}
constexpr auto fields_of(const Order *) {
  using S = Order;
  return fields(field("what", &S::what), field("text", &S::text), field("role", &S::role),
                field("run", &S::run), field("timing", &S::timing), field("content", &S::content),
                field("kernels", &S::kernels), sparse("traced", &S::traced), sparse("numbers", &S::numbers),
                field("wanted", &S::wanted), field("impatient", &S::impatient));
}

}  // namespace cupilot::judge::engine
