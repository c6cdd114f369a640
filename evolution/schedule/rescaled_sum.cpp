// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/rescaled_sum.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "annotate/spec/lifted_text.h"

namespace cupilot::schedule {

using spec::Expr;
using spec::ExprKind;
using spec::Statement;
using spec::StatementKind;

namespace {

/// The fold that is all a loop does.
const Statement *only_fold(const Span &span, const char *op) {
  const Statement &loop = *span.loop;
  if (span.outermost != span.loop || loop.body.size() != 1) return nullptr;
  const Statement &fold = loop.body.front();
  return fold.kind == StatementKind::fold && fold.op == op && !fold.keeps_nan ? &fold : nullptr;
}

Expr exponential(const Expr &call, Expr argument) {
  return Expr{ExprKind::call, call.text, call.type, {std::move(argument)}};
}

}  // namespace

std::optional<RescaledSum> rescaled_sum(const Span &largest, const Span &sum) {
  const Statement *const top = only_fold(largest, "max"), *const total = only_fold(sum, "+");
  if (top == nullptr || total == nullptr || !same_range(*largest.loop, *sum.loop)) return std::nullopt;
  const std::string &type = total->type;
  const Expr &call = total->value;
  const bool single = type == "float" && (call.text == "expf" || call.text == "__expf" || call.text == "exp");
  if (top->type != type || call.kind != ExprKind::call || call.parts.size() != 1 ||
      (!single && !(type == "double" && call.text == "exp")))
    return std::nullopt;
  const Expr &below = call.parts.front();
  if (below.kind != ExprKind::binary || below.text != "-" || below.parts[1].kind != ExprKind::value ||
      below.parts[1].text != top->name)
    return std::nullopt;
  const Expr element = spec::replace(below.parts[0], [&](const Expr &part) -> std::optional<Expr> {
    if (part.kind != ExprKind::axis || part.text != sum.loop->name) return std::nullopt;
    return spec::named(ExprKind::axis, largest.loop->name, part.type);
  });
  if (spec::to_text(element) != spec::to_text(top->value)) return std::nullopt;

  const auto value = [&](const std::string &name) { return spec::named(ExprKind::value, name, type); };
  const std::string share = "$" + total->name + "_part";
  const Expr here = value("$here"), base = value("$base");
  const auto assigned = [&](const std::string &name, Expr to) {
    Statement one{.kind = StatementKind::assign, .name = name, .type = type};
    one.value = std::move(to);
    return one;
  };
  RescaledSum joined;
  joined.loop = *largest.loop;
  Statement element_here{.kind = StatementKind::value, .name = "$here", .type = type};
  element_here.value = element;
  Statement largest_here = *top;
  largest_here.name = "$" + top->name + "_part";
  largest_here.value = here;
  Statement grown{.kind = StatementKind::branch};
  grown.value = spec::binary(">", here, spec::binary("+", base, spec::constant(16), type), "bool");
  grown.body = {assigned(share, spec::binary("*", value(share),
                                             exponential(call, spec::binary("-", base, here, type)), type)),
                assigned("$base", here)};
  Statement added = *total;
  added.name = share;
  added.value = exponential(call, spec::binary("-", here, base, type));
  joined.loop.body = {element_here, largest_here, grown, added};
  // Not an infinity: of a thread that has met no other number nothing is to be left.
  joined.before = fmt::format("{} $base = {};\n", type,
                              type == "float" ? "-3.402823466e+38f" : "-1.7976931348623157e+308");
  joined.factor = spec::to_text(exponential(call, spec::binary("-", base, value(top->name), type)));
  return joined;
}

}  // namespace cupilot::schedule
