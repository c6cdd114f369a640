// SPDX-License-Identifier: Apache-2.0
#include "annotate/lift/simplify.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "annotate/lift/folds.h"
#include "annotate/spec/lifted_fields.h"
#include "annotate/spec/lifted_text.h"

namespace cupilot::lift {

using spec::Expr;
using spec::ExprKind;
using spec::Statement;
using spec::StatementKind;
using Statements = std::vector<Statement>;

namespace {

/// The one store of a loop, if it folds a value into an element that does not depend on the loop.
struct Accumulator {
  Statement *store = nullptr;
  Fold fold;
};

std::optional<Accumulator> accumulator_of(Statement &loop) {
  Statement *only = nullptr;
  int stores = 0, loads = 0;
  std::set<std::string> inner{loop.name};
  const auto look = [&](auto &&self, Statements &statements) -> void {
    for (Statement &one : statements) {
      if (one.kind == StatementKind::store) only = &one, ++stores;
      if (one.kind == StatementKind::update || one.kind == StatementKind::assign) ++stores;
      if (one.kind == StatementKind::value || one.kind == StatementKind::variable ||
          one.kind == StatementKind::loop)
        inner.insert(one.name);
      self(self, one.body);
      self(self, one.otherwise);
    }
  };
  look(look, loop.body);
  if (stores != 1) return std::nullopt;
  const bool depends =
      std::ranges::any_of(inner, [&](const std::string &name) { return spec::mentions(only->index, name); });
  if (depends) return std::nullopt;
  const Expr element = spec::load(only->name, only->index, only->type);
  for (const Statement &one : loop.body)
    spec::visit(one,
                [&](const Expr &part) { loads += part.kind == ExprKind::load && part.text == only->name; });
  const std::string stand_in = "\1";
  const Expr value = spec::replace(only->value, [&](const Expr &part) -> std::optional<Expr> {
    return part == element ? std::optional(spec::named(ExprKind::value, stand_in, only->type)) : std::nullopt;
  });
  auto fold = fold_of(stand_in, value);
  if (!fold || loads != 1) return std::nullopt;
  return Accumulator{only, std::move(*fold)};
}

void accumulate(Statements &statements, std::set<std::string> &names) {
  for (std::size_t i = 0; i < statements.size(); ++i) {
    accumulate(statements[i].body, names);
    accumulate(statements[i].otherwise, names);
    if (statements[i].kind != StatementKind::loop || statements[i].loop != spec::LoopKind::ordered) continue;
    const auto found = accumulator_of(statements[i]);
    if (!found) continue;
    std::string name = found->store->name + "_total";
    for (int n = 2; !names.insert(name).second; ++n) name = fmt::format("{}_total_{}", found->store->name, n);
    Statement before{.kind = StatementKind::variable,
                     .name = name,
                     .type = found->store->type,
                     .line = found->store->line};
    before.value = spec::load(found->store->name, found->store->index, found->store->type);
    Statement after = *found->store;
    after.value = spec::named(ExprKind::value, name, after.type);
    *found->store = {.kind = StatementKind::fold,
                     .name = name,
                     .type = after.type,
                     .op = found->fold.op,
                     .value = found->fold.value,
                     .line = after.line};
    statements[i].loop = order_of(statements[i]).kind;
    statements.insert(statements.begin() + static_cast<std::ptrdiff_t>(i), std::move(before));
    statements.insert(statements.begin() + static_cast<std::ptrdiff_t>(i) + 2, std::move(after));
    i += 2;
  }
}

/// Names that folds and assignments change, and those that expressions read.
struct Uses {
  std::set<std::string> changed, read;
  explicit Uses(const Statements &body) {
    spec::visit_statements(body, [&](const Statement &one) {
      if (one.kind == StatementKind::fold || one.kind == StatementKind::assign) changed.insert(one.name);
    });
    for (const Statement &one : body)
      spec::visit(one, [&](const Expr &part) {
        if (part.kind == ExprKind::value) read.insert(part.text);
      });
  }
};

bool is_idle(const Statement &one, const Uses &uses) {
  switch (one.kind) {
    case StatementKind::value:
    case StatementKind::variable:
    case StatementKind::fold:
    case StatementKind::assign:
      return !uses.read.contains(one.name);
    case StatementKind::loop:
    case StatementKind::branch:
      return one.body.empty() && one.otherwise.empty();
    default:
      return false;
  }
}

void drop_idle(Statements &statements, const Uses &uses, bool &changed) {
  for (Statement &one : statements) {
    drop_idle(one.body, uses, changed);
    drop_idle(one.otherwise, uses, changed);
    if (one.kind == StatementKind::variable && !uses.changed.contains(one.name) && spec::is_set(one.value))
      one.kind = StatementKind::value;
  }
  changed =
      std::erase_if(statements, [&](const Statement &one) { return is_idle(one, uses); }) > 0 || changed;
}

}  // namespace

void simplify(Statements &body, std::set<std::string> &names) {
  accumulate(body, names);
  for (bool changed = true; changed;) {
    changed = false;
    drop_idle(body, Uses(body), changed);
  }
}

}  // namespace cupilot::lift
