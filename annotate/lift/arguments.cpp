// SPDX-License-Identifier: Apache-2.0
#include "annotate/lift/arguments.h"

#include <algorithm>
#include <optional>

#include "annotate/lift/folds.h"
#include "annotate/spec/lifted_fields.h"
#include "annotate/spec/lifted_text.h"
#include "annotate/spec/polynomial.h"

namespace cupilot::lift {

using spec::Expr;
using spec::ExprKind;
using spec::Polynomial;
using spec::Statement;
using spec::StatementKind;
using Statements = std::vector<Statement>;

namespace {

struct Argument {
  std::size_t branch = 0;                          ///< its place in the loop's body
  const Statement *best = nullptr, *at = nullptr;  ///< the assignments
  bool largest = true;
};

/// Whether the expression is the loop's counter.
bool is_counter(const Expr &expr, const Statement &loop) {
  if (expr.kind == ExprKind::cast) return is_counter(expr.parts[0], loop);
  return expr.kind == ExprKind::axis && expr.text == loop.name;
}

/// `if (v > best) { best = v; at = j; }`, and nothing else in the loop but values.
std::optional<Argument> argument_of(const Statement &loop) {
  Argument found;
  int branches = 0;
  for (std::size_t i = 0; i < loop.body.size(); ++i) {
    const Statement &one = loop.body[i];
    if (one.kind == StatementKind::value) continue;
    if (one.kind != StatementKind::branch || !one.otherwise.empty() || one.body.size() != 2)
      return std::nullopt;
    ++branches;
    found.branch = i;
  }
  if (branches != 1 || !spec::is_constant(loop.step, 1)) return std::nullopt;
  const Statement &branch = loop.body[found.branch];
  for (const Statement &one : branch.body) {
    if (one.kind != StatementKind::assign) return std::nullopt;
    (is_counter(one.value, loop) ? found.at : found.best) = &one;
  }
  if (found.at == nullptr || found.best == nullptr || found.best->type != "float") return std::nullopt;
  const Expr &condition = branch.value;
  if (condition.kind != ExprKind::binary || (condition.text != ">" && condition.text != "<"))
    return std::nullopt;
  const auto is_best = [&](const Expr &expr) {
    return expr.kind == ExprKind::value && expr.text == found.best->name;
  };
  const bool right = is_best(condition.parts[1]), left = is_best(condition.parts[0]);
  if (right == left || !(condition.parts[right ? 0 : 1] == found.best->value)) return std::nullopt;
  found.largest = (condition.text == ">") == right;
  int reads = 0;
  for (const Statement &one : loop.body)
    spec::visit(one, [&](const Expr &part) {
      reads += part.kind == ExprKind::value && (part.text == found.best->name || part.text == found.at->name);
    });
  return reads == 1 ? std::optional(found) : std::nullopt;
}

/// What a variable of the list begins with, if only the loop at `at` needs it: then an empty loop does not.
std::optional<Expr> value_only_for(const Statements &body, std::size_t at, const std::string &name) {
  std::optional<Expr> begin;
  int reads = 0, changes = 0;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (i == at) continue;
    if (i < at && body[i].kind == StatementKind::variable && body[i].name == name) begin = body[i].value;
    spec::visit(body[i],
                [&](const Expr &part) { reads += part.kind == ExprKind::value && part.text == name; });
    spec::visit_statements({body[i]}, [&](const Statement &one) {
      changes += one.name == name && (one.kind == StatementKind::fold || one.kind == StatementKind::assign);
    });
  }
  return reads == 0 && changes == 0 ? begin : std::nullopt;
}

Expr negated_if(bool negative, const Expr &value) {
  return negative ? Expr{ExprKind::unary, "-", "float", {value}} : value;
}

bool is_in_the_end(const Expr &expr) {
  return expr.kind == ExprKind::call && expr.text == kWhole;
}

bool mentions_whole(const Expr &expr) {
  bool found = false;
  spec::visit(expr, [&](const Expr &part) { found = found || is_in_the_end(part); });
  return found;
}

/// A loop that folds what makes a value known, and another sum by what it is in the end.
struct Parted {
  std::vector<std::string> first;  ///< the folds that make it known
  std::string sum;
  Expr whole;
};

/// The folds of a loop of which one adds up exponentials below what the other one is in the end, or squares
/// around the mean.
std::optional<Parted> parted(const Statement &loop) {
  std::optional<Parted> found;
  spec::visit_statements({loop}, [&](const Statement &one) {
    if (one.kind != StatementKind::fold || one.op != "+" || !mentions_whole(one.value)) return;
    std::optional<Expr> value;
    spec::visit(one.value, [&](const Expr &part) {
      if (part.kind == ExprKind::binary && part.text == "-" && is_in_the_end(part.parts[1]))
        value = part.parts[0];
    });
    std::optional<Expr> largest, sum, count;
    spec::visit_statements({loop}, [&](const Statement &other) {
      if (!value || other.kind != StatementKind::fold) return;
      const Expr name = spec::named(ExprKind::value, other.name, other.type);
      if (other.value == *value && other.op == "max") largest = name;
      if (other.value == *value && other.op == "+") sum = name;
      if (other.op == "+" && spec::is_identity("*", other.value)) count = name;
    });
    if (largest)
      found = {.first = {largest->text}, .sum = one.name, .whole = *largest};
    else if (sum && count)
      found = {.first = {sum->text, count->text},
               .sum = one.name,
               .whole = spec::binary("/", *sum, *count, sum->type)};
  });
  return found;
}

/// Takes the folds of a name out, and what is left without use or content.
void leave_out(Statements &body, const std::string &name) {
  std::erase_if(body,
                [&](const Statement &one) { return one.kind == StatementKind::fold && one.name == name; });
  for (Statement &one : body) leave_out(one.body, name), leave_out(one.otherwise, name);
  std::erase_if(body, [](const Statement &one) {
    const bool holds = one.kind == StatementKind::loop || one.kind == StatementKind::branch;
    return holds && one.body.empty() && one.otherwise.empty();
  });
  for (std::size_t i = body.size(); i-- > 0;) {
    if (body[i].kind != StatementKind::value) continue;
    const bool used =
        std::any_of(body.begin() + static_cast<std::ptrdiff_t>(i) + 1, body.end(), [&](const Statement &one) {
          bool reads = false;
          spec::visit(one, [&](const Expr &part) {
            reads = reads || (part.kind == ExprKind::value && part.text == body[i].name);
          });
          return reads;
        });
    if (!used) body.erase(body.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void part_loops(Statements &body) {
  for (std::size_t i = 0; i < body.size(); ++i) {
    const auto found = body[i].kind == StatementKind::loop ? parted(body[i]) : std::nullopt;
    const auto declared = [&](const std::string &name) {
      return std::any_of(
          body.begin(), body.begin() + static_cast<std::ptrdiff_t>(i),
          [&](const Statement &one) { return one.kind == StatementKind::variable && one.name == name; });
    };
    const bool here = found && std::ranges::all_of(found->first, declared);
    if (!here) {
      part_loops(body[i].body);
      part_loops(body[i].otherwise);
      continue;
    }
    // Nothing but these folds may stand in the loop, and nothing there may know how far they have got.
    bool alone = true;
    spec::visit_statements(body[i].body, [&](const Statement &one) {
      alone = alone && one.kind != StatementKind::store && one.kind != StatementKind::update &&
              one.kind != StatementKind::assign;
      spec::visit(one, [&](const Expr &part) {
        alone =
            alone &&
            !(part.kind == ExprKind::value &&
              (part.text == found->sum || std::ranges::find(found->first, part.text) != found->first.end()));
      });
    });
    if (!alone) continue;
    int folds = 0;
    spec::visit_statements(body, [&](const Statement &one) {
      const bool changes = one.kind == StatementKind::fold || one.kind == StatementKind::assign;
      folds += changes &&
               (one.name == found->sum || std::ranges::find(found->first, one.name) != found->first.end());
    });
    if (folds != static_cast<int>(found->first.size()) + 1) continue;
    Statements second{body[i]};
    Statements first{std::move(body[i])};
    leave_out(first, found->sum);
    for (const std::string &name : found->first) leave_out(second, name);
    spec::replace_all(second, [&](const Expr &part) -> std::optional<Expr> {
      return is_in_the_end(part) ? std::optional(found->whole) : std::nullopt;
    });
    body[i] = std::move(first.front());
    body.insert(body.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(second.front()));
    ++i;
  }
}

}  // namespace

int part_sums(Statements &body) {
  part_loops(body);
  int line = 0;
  spec::visit_statements(body, [&](const Statement &one) {
    for (const Expr *expr : {&one.value, &one.index})
      if (spec::is_set(*expr) && mentions_whole(*expr)) line = one.line;
  });
  return line;
}

void join_arguments(Statements &body, std::set<std::string> &names) {
  for (std::size_t i = 0; i < body.size(); ++i) {
    join_arguments(body[i].body, names);
    join_arguments(body[i].otherwise, names);
    Statement &loop = body[i];
    if (loop.kind != StatementKind::loop || loop.loop != spec::LoopKind::ordered) continue;
    const auto found = argument_of(loop);
    if (!found) continue;
    const Statement best = *found->best, at = *found->at;
    std::string name = best.name + "_key";
    while (!names.insert(name).second) name += "_";
    const Expr key = spec::named(ExprKind::value, name, kKeyType),
               before = spec::named(ExprKind::value, best.name, "float"),
               counter = spec::named(ExprKind::axis, loop.name, loop.type);
    const Expr place = (Polynomial::symbol(counter) - Polynomial::of(loop.begin) + Polynomial(1)).expr();
    loop.body[found->branch] = {
        .kind = StatementKind::fold,
        .name = name,
        .type = kKeyType,
        .op = "max",
        .value = {ExprKind::call, "arg_key", kKeyType, {negated_if(!found->largest, best.value), place}},
        .line = best.line};
    loop.loop = order_of(loop).kind;
    const int line = loop.line;
    const Expr begin = value_only_for(body, i, best.name).value_or(before);
    Statement first{.kind = StatementKind::variable, .name = name, .type = kKeyType, .line = line};
    first.value = {ExprKind::call, "arg_first", kKeyType, {negated_if(!found->largest, begin)}};
    if (begin.kind == ExprKind::load)
      first.value = {ExprKind::select,
                     "",
                     kKeyType,
                     {spec::binary("<", loop.begin, loop.end, "bool"), first.value,
                      Expr{ExprKind::constant, "0xffffffffull", kKeyType, {}}}};
    Statement value{.kind = StatementKind::assign, .name = best.name, .type = best.type, .line = line};
    value.value = negated_if(!found->largest, {ExprKind::call, "arg_value", "float", {key}});
    const Expr got{ExprKind::call, "arg_place", "unsigned int", {key}};
    Statement where{.kind = StatementKind::assign, .name = at.name, .type = at.type, .line = line};
    where.value = {
        ExprKind::select,
        "",
        at.type,
        {spec::binary("==", got, spec::constant(0), "bool"), spec::named(ExprKind::value, at.name, at.type),
         (Polynomial::of(loop.begin) + Polynomial::symbol(got) - Polynomial(1)).expr()}};
    const auto here = body.begin() + static_cast<std::ptrdiff_t>(i);
    body.insert(here, std::move(first));
    const auto after = body.begin() + static_cast<std::ptrdiff_t>(i) + 2;
    body.insert(body.insert(after, std::move(value)), std::move(where));
    i += 3;
  }
}

}  // namespace cupilot::lift
