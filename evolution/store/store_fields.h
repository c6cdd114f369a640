// SPDX-License-Identifier: Apache-2.0
//
// The field descriptions (annotate/support/fields.h) of the structs that are rows of the run database. A
// member's column has the member's name; rows.h reads and writes them.

#pragma once

#include <array>

#include "annotate/support/enum_names.h"
#include "annotate/support/fields.h"
#include "evolution/model/individual_fields.h"
#include "evolution/store/database.h"

namespace cupilot::store {

using cupilot::operator==;  // of every described struct

inline constexpr std::array<std::pair<RoleCall::State, const char *>, 3> kRoleCallStates{
    {{RoleCall::State::asked, "asked"},
     {RoleCall::State::answered, "answered"},
     {RoleCall::State::failed, "failed"}}};
inline EnumNames<RoleCall::State> names_of(const RoleCall::State *) {
  return kRoleCallStates;
}

constexpr auto fields_of(const RunInfo *) {
  using S = RunInfo;
  return fields(field("kernel", &S::kernel), field("kernel_id", &S::kernel_id),
                field("workload_id", &S::workload_id), field("architecture", &S::architecture),
                field("executor", &S::executor), field("spec_sha256", &S::spec_sha256),
                field("flags", &S::flags), field("policy", &S::policy), field("options", &S::options),
                field("seed", &S::seed));
}
constexpr auto fields_of(const StoredRun *) {
  using S = StoredRun;
  return fields(field("id", &S::id), inlined(&S::info, described<RunInfo>()), field("starts", &S::starts),
                field("started", &S::started), field("finished", &S::finished),
                field("outcome", &S::outcome));
}
constexpr auto fields_of(const StoredEvent *) {
  using S = StoredEvent;
  return fields(field("at", &S::at), field("kind", &S::kind), field("text", &S::text));
}

/// The members of a call that are known before it is asked.
inline constexpr auto kRoleQuestion =
    fields(field("role", &RoleCall::role), field("prompt_version", &RoleCall::prompt_version),
           field("content", &RoleCall::content), field("prefix", &RoleCall::prefix),
           field("prompt", &RoleCall::prompt), field("question_sha256", &RoleCall::question_sha256),
           field("provider", &RoleCall::provider));
inline constexpr auto kRoleSpending =
    fields(field("tokens_in", &RoleCall::tokens_in), field("tokens_cached", &RoleCall::tokens_cached),
           field("tokens_out", &RoleCall::tokens_out), field("price_usd", &RoleCall::price_usd));
/// The members of a call that its answer sets.
inline constexpr auto kRoleAnswer =
    fields(field("state", &RoleCall::state), field("answer", &RoleCall::answer),
           field("failure", &RoleCall::failure), field("model", &RoleCall::model),
           field("request_id", &RoleCall::request_id), kRoleSpending, field("seconds", &RoleCall::seconds));
constexpr auto fields_of(const RoleCall *) {
  return fields(field("id", &RoleCall::id), kRoleQuestion, kRoleAnswer, field("at", &RoleCall::at));
}

}  // namespace cupilot::store
