// SPDX-License-Identifier: Apache-2.0
#include "annotate/lift/tails.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "annotate/spec/lifted_text.h"
#include "annotate/spec/polynomial.h"

namespace cupilot::lift {

using spec::Expr;
using spec::ExprKind;
using spec::LoopKind;
using spec::Polynomial;
using spec::Statement;
using spec::StatementKind;
using Statements = std::vector<Statement>;

namespace {

constexpr std::int64_t kMostAtOnce = 32;

/// The stores of statements that do nothing else, with all names written out; nullopt: they do.
std::optional<Statements> stores_of(const Statements &body) {
  std::map<std::string, Expr> values;
  const auto written_out = [&](const Expr &expr) {
    return spec::replace(expr, [&](const Expr &part) -> std::optional<Expr> {
      const auto known = part.kind == ExprKind::value ? values.find(part.text) : values.end();
      return known == values.end() ? std::nullopt : std::optional(known->second);
    });
  };
  Statements stores;
  for (const Statement &one : body) {
    if (one.kind == StatementKind::value) {
      values[one.name] = written_out(one.value);
    } else if (one.kind == StatementKind::store) {
      stores.push_back(one);
      stores.back().value = written_out(one.value);
      stores.back().index = written_out(one.index);
    } else {
      return std::nullopt;
    }
  }
  return stores;
}

bool is_whole(const Expr &expr) {
  return expr.kind == ExprKind::axis || expr.kind == ExprKind::constant || expr.kind == ExprKind::parameter ||
         (expr.kind == ExprKind::binary && (expr.text == "+" || expr.text == "-" || expr.text == "*"));
}

/// Whether both are the same, however their indices are written.
bool same(const Expr &a, const Expr &b) {
  if (a.kind == ExprKind::load && b.kind == ExprKind::load)
    return a.text == b.text && Polynomial::of(a.parts[0]) == Polynomial::of(b.parts[0]);
  const bool whole = is_whole(a) && is_whole(b) && a.type.find("float") == std::string::npos &&
                     a.type.find("double") == std::string::npos;
  if (whole && Polynomial::of(a) == Polynomial::of(b) && a.type == b.type) return true;
  return a.kind == b.kind && a.text == b.text && a.parts.size() == b.parts.size() &&
         std::ranges::equal(a.parts, b.parts, same);
}

/// How many elements are done at once, where `first + count - 1 < end` allows it.
std::optional<std::int64_t> count_of(const Expr &condition, const Statement &tail) {
  if (condition.kind != ExprKind::binary || (condition.text != "<" && condition.text != "<="))
    return std::nullopt;
  const Polynomial end = Polynomial::of(condition.parts[1]);
  if (!(end == Polynomial::of(tail.end))) return std::nullopt;
  const auto ahead = (Polynomial::of(condition.parts[0]) - Polynomial::of(tail.begin)).value();
  if (!ahead) return std::nullopt;
  const std::int64_t count = *ahead + (condition.text == "<" ? 1 : 0);
  return count > 1 && count <= kMostAtOnce ? std::optional(count) : std::nullopt;
}

bool is_same_work(const Statements &at_once, const Statements &one_by_one, const Statement &tail,
                  std::int64_t count) {
  if (at_once.size() != one_by_one.size() * static_cast<std::size_t>(count)) return false;
  std::vector<bool> done(at_once.size());
  for (std::int64_t k = 0; k < count; ++k) {
    const Expr place = (Polynomial::of(tail.begin) + Polynomial(k)).expr();
    const auto here = [&](const Expr &expr) {
      return spec::replace(expr, [&](const Expr &part) -> std::optional<Expr> {
        return part.kind == ExprKind::axis && part.text == tail.name ? std::optional(place) : std::nullopt;
      });
    };
    for (const Statement &wanted : one_by_one) {
      const Polynomial index = Polynomial::of(here(wanted.index));
      const Expr value = here(wanted.value);
      const auto found = std::ranges::find_if(at_once, [&](const Statement &one) {
        return one.name == wanted.name && Polynomial::of(one.index) == index && same(one.value, value);
      });
      if (found == at_once.end()) return false;
      done[static_cast<std::size_t>(found - at_once.begin())] = true;
    }
  }
  return std::ranges::find(done, false) == done.end();
}

/// What is loaded at once is loaded before anything is stored: that no store changes what another reads.
bool is_apart(const Statements &stores) {
  return std::ranges::all_of(stores, [&](const Statement &store) {
    bool apart = true;
    spec::visit(store.value, [&](const Expr &part) {
      if (part.kind != ExprKind::load) return;
      for (const Statement &other : stores)
        apart = apart &&
                (other.name != part.text || Polynomial::of(other.index) == Polynomial::of(part.parts[0]));
    });
    return apart;
  });
}

void join(Statement &branch) {
  if (branch.kind != StatementKind::branch || branch.otherwise.size() != 1) return;
  const Statement &tail = branch.otherwise[0];
  if (tail.kind != StatementKind::loop || !spec::is_constant(tail.step, 1)) return;
  const auto count = count_of(branch.value, tail);
  const auto at_once = stores_of(branch.body), one_by_one = stores_of(tail.body);
  if (!count || !at_once || !one_by_one || one_by_one->empty() || !is_apart(*one_by_one) ||
      !is_same_work(*at_once, *one_by_one, tail, *count))
    return;
  Statement loop = tail;
  const Expr most = (Polynomial::of(tail.begin) + Polynomial(*count)).expr();
  loop.end = Expr{ExprKind::call, "min", tail.end.type, {most, tail.end}};
  loop.loop = LoopKind::independent;
  branch = std::move(loop);
}

}  // namespace

void join_tails(Statements &body) {
  for (Statement &one : body) {
    join_tails(one.body);
    join_tails(one.otherwise);
    join(one);
  }
}

}  // namespace cupilot::lift
