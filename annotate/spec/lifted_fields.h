// SPDX-License-Identifier: Apache-2.0
//
// Field descriptions (annotate/support/fields.h) of the lifted form. Most members of an expression or a
// statement are unset, and then not written.

#pragma once

#include "annotate/spec/lifted.h"
#include "annotate/support/enum_names.h"
#include "annotate/support/fields.h"

namespace cupilot::spec {

using cupilot::operator==;  // of every described struct

EnumNames<ExprKind> names_of(const ExprKind *);
EnumNames<LoopKind> names_of(const LoopKind *);
EnumNames<StatementKind> names_of(const StatementKind *);

constexpr auto fields_of(const Expr *) {
  using S = Expr;
  return fields(field("kind", &S::kind), sparse("text", &S::text), sparse("type", &S::type),
                sparse("parts", &S::parts));
}
constexpr auto fields_of(const Statement *) {
  using S = Statement;
  return fields(field("kind", &S::kind), sparse("name", &S::name), sparse("type", &S::type),
                sparse("op", &S::op), sparse("value", &S::value), sparse("index", &S::index),
                sparse("begin", &S::begin), sparse("end", &S::end), sparse("step", &S::step),
                sparse("loop", &S::loop), sparse("body", &S::body), sparse("otherwise", &S::otherwise),
                sparse("keeps_nan", &S::keeps_nan), sparse("line", &S::line));
}
constexpr auto fields_of(const Need *) {
  return fields(field("condition", &Need::condition), field("why", &Need::why));
}
constexpr auto fields_of(const Apart *) {
  return fields(field("read", &Apart::read), field("written", &Apart::written));
}
constexpr auto fields_of(const Wide *) {
  return fields(field("buffer", &Wide::buffer), field("elements", &Wide::elements));
}
constexpr auto fields_of(const NotLifted *) {
  return fields(field("reason", &NotLifted::reason), sparse("line", &NotLifted::line));
}
constexpr auto fields_of(const Lifted *) {
  using S = Lifted;
  return fields(sparse("body", &S::body), sparse("needs", &S::needs), sparse("apart", &S::apart),
                sparse("wide", &S::wide), sparse("missing", &S::missing), sparse("only_read", &S::only_read),
                sparse("only_written", &S::only_written));
}

}  // namespace cupilot::spec
