// SPDX-License-Identifier: Apache-2.0
//
// The JSON field descriptions (annotate/support/fields.h) of coverage.h.

#pragma once

#include <array>
#include <utility>

#include "annotate/support/enum_names.h"
#include "annotate/support/fields.h"
#include "evolution/judge/launches/coverage.h"

namespace cupilot::judge::launches {

using cupilot::operator==;  // of every described struct

inline constexpr std::array<std::pair<CodeSide, const char *>, 2> kCodeSides{
    {{CodeSide::host, "host"}, {CodeSide::device, "device"}}};
inline EnumNames<CodeSide> names_of(const CodeSide *) {
  return kCodeSides;
}

inline constexpr std::array<std::pair<TestKind, const char *>, 3> kTestKinds{
    {{TestKind::truth, "truth"}, {TestKind::equality, "equality"}, {TestKind::order, "order"}}};
inline EnumNames<TestKind> names_of(const TestKind *) {
  return kTestKinds;
}

constexpr auto fields_of(const CodeSpot *) {
  using S = CodeSpot;
  return fields(sparse("side", &S::side), field("line", &S::line), sparse("column", &S::column),
                sparse("executed", &S::executed));
}
constexpr auto fields_of(const Condition *) {
  using S = Condition;
  return fields(sparse("side", &S::side), field("line", &S::line), sparse("column", &S::column),
                sparse("test", &S::test), sparse("seen_true", &S::seen_true),
                sparse("seen_false", &S::seen_false), sparse("idle_true", &S::idle_true),
                sparse("idle_false", &S::idle_false), sparse("untold", &S::untold), sparse("data", &S::data),
                sparse("integers", &S::integers), sparse("reals", &S::reals));
}
constexpr auto fields_of(const Coverage *) {
  using S = Coverage;
  return fields(field("spots", &S::spots), field("conditions", &S::conditions),
                sparse("unknown", &S::unknown));
}

}  // namespace cupilot::judge::launches
