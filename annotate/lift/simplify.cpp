// SPDX-License-Identifier: Apache-2.0
#include "annotate/lift/simplify.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "annotate/lift/arguments.h"
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
  if (stores != 1 || only == nullptr) return std::nullopt;
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

bool stores_to(const Statement &one, const std::string &buffer) {
  bool found = false;
  spec::visit_statements({one}, [&](const Statement &inner) {
    found = found || ((inner.kind == StatementKind::store || inner.kind == StatementKind::update) &&
                      inner.name == buffer);
  });
  return found;
}

bool loads_from(const Statement &one, const std::string &buffer) {
  bool found = false;
  spec::visit(
      one, [&](const Expr &part) { found = found || (part.kind == ExprKind::load && part.text == buffer); });
  return found;
}

/// Of a list of statements, loads of elements that one before them stored.
void forward(Statements &statements) {
  for (std::size_t i = 0; i < statements.size(); ++i) {
    forward(statements[i].body);
    forward(statements[i].otherwise);
    if (statements[i].kind != StatementKind::store) continue;
    const bool plain =
        statements[i].value.kind == ExprKind::constant || statements[i].value.kind == ExprKind::value;
    if (!plain) continue;
    const Expr element = spec::load(statements[i].name, statements[i].index, statements[i].type),
               value = statements[i].value;
    for (std::size_t next = i + 1; next < statements.size(); ++next) {
      Statement &one = statements[next];
      const spec::Replace known = [&](const Expr &part) {
        return part == element ? std::optional(value) : std::nullopt;
      };
      Statements single{std::move(one)};
      const bool flat = single[0].body.empty();
      if (flat || !stores_to(single[0], element.text)) spec::replace_all(single, known);
      one = std::move(single[0]);
      if (stores_to(one, element.text)) break;
      const bool changes = value.kind == ExprKind::value &&
                           (one.kind == StatementKind::assign || one.kind == StatementKind::fold) &&
                           one.name == value.text;
      if (changes) break;
    }
  }
}

/// A value that is stored and read again gets a name first.
void name_stored(Statements &statements, std::set<std::string> &names) {
  for (std::size_t i = 0; i < statements.size(); ++i) {
    name_stored(statements[i].body, names);
    name_stored(statements[i].otherwise, names);
    Statement &one = statements[i];
    const bool plain = one.value.kind == ExprKind::constant || one.value.kind == ExprKind::value;
    if (one.kind != StatementKind::store || plain) continue;
    bool again = false;
    const Expr element = spec::load(one.name, one.index, one.type);
    for (std::size_t next = i + 1; next < statements.size(); ++next)
      spec::visit(statements[next], [&](const Expr &part) { again = again || part == element; });
    if (!again) continue;
    std::string name = one.name + "_value";
    while (!names.insert(name).second) name += "_";
    Statement value{
        .kind = StatementKind::value, .name = name, .type = one.type, .value = one.value, .line = one.line};
    one.value = spec::named(ExprKind::value, name, one.type);
    statements.insert(statements.begin() + static_cast<std::ptrdiff_t>(i), std::move(value));
    ++i;
  }
}

/// Stores that a later one in the same list covers, with no load between them.
void drop_covered(Statements &statements) {
  for (Statement &one : statements) {
    drop_covered(one.body);
    drop_covered(one.otherwise);
  }
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (statements[i].kind != StatementKind::store) continue;
    for (std::size_t next = i + 1; next < statements.size(); ++next) {
      const bool covers = statements[next].kind == StatementKind::store &&
                          statements[next].name == statements[i].name &&
                          statements[next].index == statements[i].index;
      if (loads_from(statements[next], statements[i].name)) break;
      if (!covers) continue;
      statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(i--));
      break;
    }
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

bool is_index_value(const Statement &one) {
  if (one.kind != StatementKind::value) return false;
  const bool integer = one.type == "int" || one.type == "unsigned int" || one.type == "long" ||
                       one.type == "unsigned long" || one.type == "long long" ||
                       one.type == "unsigned long long" || one.type == "size_t";
  bool plain = true;
  spec::visit(one.value, [&](const Expr &part) {
    const bool called = part.kind == ExprKind::call && part.text != "min" && part.text != "max";
    plain = plain && part.kind != ExprKind::load && !called && part.kind != ExprKind::member &&
            part.kind != ExprKind::select && part.type != "float" && part.type != "double";
  });
  return integer && plain;
}

void inline_indices(Statements &statements) {
  std::map<std::string, Expr> values;
  const Uses uses(statements);
  const spec::Replace known = [&](const Expr &part) -> std::optional<Expr> {
    const auto found = part.kind == ExprKind::value ? values.find(part.text) : values.end();
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
  const auto collect = [&](auto &&self, Statements &list) -> void {
    for (Statement &one : list) {
      // What something that changes was keeps its name.
      bool changes = false;
      spec::visit(one.value, [&](const Expr &part) {
        changes = changes || (part.kind == ExprKind::value && uses.changed.contains(part.text));
      });
      if (!changes && is_index_value(one)) values[one.name] = spec::replace(one.value, known);
      self(self, one.body);
      self(self, one.otherwise);
    }
  };
  collect(collect, statements);
  spec::replace_all(statements, known);
}

bool is_mark(const Statement &one) {
  return one.name.starts_with(kMark);
}

bool is_idle(const Statement &one, const Uses &uses) {
  switch (one.kind) {
    case StatementKind::value:
    case StatementKind::variable:
    case StatementKind::fold:
    case StatementKind::assign:
      return !uses.read.contains(one.name) && !is_mark(one);
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

/// Whether a statement reads or changes the variable.
bool is_used_by(const Statement &statement, const std::string &name) {
  const Uses uses({statement});
  return uses.read.contains(name) || uses.changed.contains(name);
}

/// Declares a variable where a loop's body gives it a value, if nothing reads it there before: each iteration
/// has its own.
bool declare_within(Statement &loop, const std::string &name) {
  if (loop.kind != StatementKind::loop || spec::mentions(loop.begin, name) ||
      spec::mentions(loop.end, name) || spec::mentions(loop.step, name))
    return false;
  const auto first =
      std::ranges::find_if(loop.body, [&](const Statement &one) { return is_used_by(one, name); });
  if (first == loop.body.end()) return false;
  if (first->kind == StatementKind::assign && first->name == name && !spec::mentions(first->value, name)) {
    first->kind = StatementKind::variable;
  } else {
    const bool others =
        std::any_of(first + 1, loop.body.end(), [&](const Statement &one) { return is_used_by(one, name); });
    if (others || !declare_within(*first, name)) return false;
  }
  loop.loop = order_of(loop).kind;
  return true;
}

/// A variable that only one loop uses, and each iteration for itself, is declared there. True: there was one.
bool declare_within(Statements &statements) {
  bool changed = false;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const std::string name = statements[i].name;
    const bool variable = statements[i].kind == StatementKind::variable && !name.starts_with(kMark);
    const auto is_user = [&](const Statement &one) { return is_used_by(one, name); };
    const auto rest = statements.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    if (!variable || std::count_if(rest, statements.end(), is_user) != 1) continue;
    if (!declare_within(*std::find_if(rest, statements.end(), is_user), name)) continue;
    statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(i--));
    changed = true;
  }
  for (Statement &one : statements) {
    bool inner = declare_within(one.body);
    inner = declare_within(one.otherwise) || inner;
    if (inner && one.kind == StatementKind::loop) one.loop = order_of(one).kind;
    changed = changed || inner;
  }
  return changed;
}

}  // namespace

void simplify(Statements &body, std::set<std::string> &names) {
  declare_within(body);
  accumulate(body, names);
  join_arguments(body, names);
  name_stored(body, names);
  forward(body);
  drop_covered(body);
  bool steady = false;
  drop_idle(body, Uses(body), steady);
  inline_indices(body);
  for (bool changed = true; changed;) {
    changed = false;
    drop_idle(body, Uses(body), changed);
  }
}

}  // namespace cupilot::lift
