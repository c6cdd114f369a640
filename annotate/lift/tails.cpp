// SPDX-License-Identifier: Apache-2.0
#include "annotate/lift/tails.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "annotate/lift/folds.h"
#include "annotate/spec/lifted_fields.h"
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

/// The stores and folds of statements that do nothing else, with all names written out; nullopt: they do.
std::optional<Statements> work_of(const Statements &body) {
  std::map<std::string, Expr> values;
  const auto written_out = [&](const Expr &expr) {
    return spec::replace(expr, [&](const Expr &part) -> std::optional<Expr> {
      const auto known = part.kind == ExprKind::value ? values.find(part.text) : values.end();
      return known == values.end() ? std::nullopt : std::optional(known->second);
    });
  };
  Statements work;
  for (const Statement &one : body) {
    if (one.kind == StatementKind::value) {
      values[one.name] = written_out(one.value);
    } else if (one.kind == StatementKind::store || one.kind == StatementKind::fold) {
      work.push_back(one);
      work.back().value = written_out(one.value);
      if (one.kind == StatementKind::store) work.back().index = written_out(one.index);
    } else {
      return std::nullopt;
    }
  }
  return work;
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
        return one.kind == wanted.kind && one.op == wanted.op && one.name == wanted.name &&
               Polynomial::of(one.index) == index && same(one.value, value);
      });
      if (found == at_once.end()) return false;
      done[static_cast<std::size_t>(found - at_once.begin())] = true;
    }
  }
  return std::ranges::find(done, false) == done.end();
}

/// What is loaded at once is loaded before anything is stored: that no store changes what another reads.
bool is_apart(const Statements &work) {
  return std::ranges::all_of(work, [&](const Statement &one) {
    bool apart = true;
    spec::visit(one.value, [&](const Expr &part) {
      if (part.kind != ExprKind::load) return;
      for (const Statement &other : work)
        apart = apart && (other.kind != StatementKind::store || other.name != part.text ||
                          Polynomial::of(other.index) == Polynomial::of(part.parts[0]));
    });
    return apart;
  });
}

/// `if (i < n) y[i] = f(i);` as the loop over the one element that may be left.
std::optional<Statement> loop_of_one(const Statement &branch, const std::set<std::string> &names) {
  const auto work = work_of(branch.body);
  if (branch.kind != StatementKind::branch || !branch.otherwise.empty() || !work ||
      branch.value.kind != ExprKind::binary || branch.value.text != "<")
    return std::nullopt;
  Statement loop{.kind = StatementKind::loop, .name = "at", .type = "int"};
  while (names.contains(loop.name)) loop.name += "_";
  loop.begin = branch.value.parts[0], loop.end = branch.value.parts[1], loop.step = spec::constant(1);
  loop.line = branch.line;
  const Polynomial first = Polynomial::of(loop.begin),
                   here = Polynomial::symbol(spec::named(ExprKind::axis, loop.name, loop.type));
  bool known = true;
  const auto at_place = [&](const Expr &index) { return (Polynomial::of(index) - first + here).expr(); };
  const auto mentions_axes = [](const Expr &value) {
    bool found = false;
    spec::visit(value, [&](const Expr &part) { found = found || part.kind == ExprKind::axis; });
    return found;
  };
  for (const Statement &one : *work) {
    Statement copy = one;
    copy.value = spec::replace(one.value, [&](const Expr &part) -> std::optional<Expr> {
      if (part.kind != ExprKind::load) {
        known = known && part.kind != ExprKind::axis;
        return std::nullopt;
      }
      return spec::load(part.text, at_place(part.parts[0]), part.type);
    });
    if (one.kind == StatementKind::store) copy.index = at_place(one.index);
    loop.body.push_back(std::move(copy));
  }
  // What is left of an index is the same for all threads.
  for (const Statement &one : loop.body) {
    const auto is_here = [&](const Expr &index) {
      return !mentions_axes((Polynomial::of(index) - here).expr());
    };
    if (one.kind == StatementKind::store) known = known && is_here(one.index);
    spec::visit(one.value, [&](const Expr &part) {
      if (part.kind == ExprKind::load) known = known && is_here(part.parts[0]);
    });
  }
  return known ? std::optional(std::move(loop)) : std::nullopt;
}

/// `n` of `n / 2` and `n >> 1`.
const Expr *whole_of_half(const Expr &half) {
  const bool halves =
      half.kind == ExprKind::binary && ((half.text == "/" && spec::is_constant(half.parts[1], 2)) ||
                                        (half.text == ">>" && spec::is_constant(half.parts[1], 1)));
  return halves ? &half.parts[0] : nullptr;
}

/// `n % 2 == 1`, `n & 1` and their like.
bool says_odd(const Expr &condition, const Expr &number) {
  if (condition.kind != ExprKind::binary || condition.parts.size() != 2) return false;
  if ((condition.text == "==" && spec::is_constant(condition.parts[1], 1)) ||
      (condition.text == "!=" && spec::is_constant(condition.parts[1], 0)))
    return says_odd(condition.parts[0], number);
  return condition.parts[0] == number &&
         ((condition.text == "%" && spec::is_constant(condition.parts[1], 2)) ||
          (condition.text == "&" && spec::is_constant(condition.parts[1], 1)));
}

/// `if (t < n / 2) ... else if (t == n / 2 && n % 2 == 1) ... [n - 1]` as `if (2 * t + 1 < n) ... else if
/// (2 * t < n) ... [2 * t]`.
void count_elements(Statement &branch, const Sizes &sizes) {
  if (branch.kind != StatementKind::branch || branch.otherwise.size() != 1) return;
  Statement &last = branch.otherwise[0];
  if (last.kind != StatementKind::branch || !last.otherwise.empty()) return;
  const Expr first = written_out(branch.value, sizes);
  const Expr *const number =
      first.kind == ExprKind::binary && first.text == "<" ? whole_of_half(first.parts[1]) : nullptr;
  const auto parts = spec::conjuncts(written_out(last.value, sizes));
  if (number == nullptr || parts.size() != 2) return;
  const auto is_thread = [&](const Expr &one) {
    return one.kind == ExprKind::binary && one.text == "==" && one.parts[0] == first.parts[0] &&
           one.parts[1] == first.parts[1];
  };
  const std::size_t odd = is_thread(parts[0]) ? 1 : 0;
  if (!is_thread(parts[1 - odd]) || !says_odd(parts[odd], *number)) return;
  const Polynomial count = Polynomial::of(*number), place = Polynomial::of(first.parts[0]) * Polynomial(2);
  const auto here = [&](const Expr &index) {
    const Polynomial from_last = Polynomial::of(index) - count + Polynomial(1);
    return from_last.is_zero() ? place.expr() : index;
  };
  spec::replace_all(last.body, [&](const Expr &part) -> std::optional<Expr> {
    if (part.kind != ExprKind::load) return std::nullopt;
    return spec::load(part.text, here(part.parts[0]), part.type);
  });
  for (Statement &one : last.body)
    if (one.kind == StatementKind::store) one.index = here(one.index);
  branch.value = spec::binary("<", (place + Polynomial(1)).expr(), *number, "bool");
  last.value = spec::binary("<", place.expr(), *number, "bool");
}

void join(Statement &branch, std::set<std::string> &names) {
  if (branch.kind != StatementKind::branch || branch.otherwise.size() != 1) return;
  const auto single = loop_of_one(branch.otherwise[0], names);
  const Statement &tail = single ? *single : branch.otherwise[0];
  if (tail.kind != StatementKind::loop || !spec::is_constant(tail.step, 1)) return;
  const auto count = count_of(branch.value, tail);
  const auto at_once = work_of(branch.body), one_by_one = work_of(tail.body);
  if (!count || (single && *count != 2) || !at_once || !one_by_one || one_by_one->empty() ||
      !is_apart(*one_by_one) || !is_same_work(*at_once, *one_by_one, tail, *count))
    return;
  Statement loop = tail;
  const Expr most = (Polynomial::of(tail.begin) + Polynomial(*count)).expr();
  loop.end = Expr{ExprKind::call, "min", tail.end.type, {most, tail.end}};
  loop.loop = LoopKind::independent;
  if (single) names.insert(loop.name);
  branch = std::move(loop);
}

/// What is folded, term by term: of `x[0] + x[1]` two.
void add_terms(const Statement &fold, const Expr &value, Statements &terms) {
  const bool more = (value.kind == ExprKind::binary && value.text == fold.op) ||
                    (value.kind == ExprKind::call && value.parts.size() == 2 && !fold.keeps_nan &&
                     op_of_call(value.text) == fold.op);
  if (more) {
    for (const Expr &part : value.parts) add_terms(fold, part, terms);
    return;
  }
  terms.push_back(fold);
  terms.back().value = value;
}

bool is_multiple(const Expr &value, std::int64_t of, const std::vector<spec::Need> &needs) {
  const auto is_needed = [&](const spec::Need &need) {
    const Expr &condition = need.condition;
    return condition.text == "==" && spec::is_constant(condition.parts[1], 0) &&
           condition.parts[0].text == "%" && condition.parts[0].parts.size() == 2 &&
           Polynomial::of(condition.parts[0].parts[1]).value().value_or(1) % of == 0 &&
           Polynomial::of(condition.parts[0].parts[0]) == Polynomial::of(value);
  };
  return std::ranges::any_of(needs, is_needed) ||
         std::ranges::all_of(Polynomial::of(value).terms(),
                             [&](const auto &term) { return term.second % of == 0; });
}

/// A loop by one that has its counter only as a multiple of `of`, as one by steps of that; false: it is not.
bool scale(Statement &loop, Statements &work, std::int64_t of, const std::vector<spec::Need> &needs) {
  bool scales = true;
  const Polynomial counter = Polynomial::symbol(spec::named(ExprKind::axis, loop.name, loop.type));
  const auto scaled = [&](const Expr &index) -> Expr {
    const Polynomial all = Polynomial::of(index);
    const auto by = all.coefficient(loop.name);
    const auto count = by ? by->value() : std::nullopt;
    scales = scales && by && (by->is_zero() || (count && *count % of == 0));
    if (!scales || by->is_zero()) return index;
    return (all.without(loop.name) + counter * Polynomial(*count / of)).expr();
  };
  const auto in_value = [&](const Expr &value) {
    return spec::replace(value, [&](const Expr &part) -> std::optional<Expr> {
      if (part.kind == ExprKind::axis && part.text == loop.name) scales = false;
      if (part.kind != ExprKind::load) return std::nullopt;
      return spec::load(part.text, scaled(part.parts[0]), part.type);
    });
  };
  for (Statement &one : work) {
    one.value = in_value(one.value);
    if (one.kind == StatementKind::store) one.index = scaled(one.index);
  }
  if (!scales) return false;
  const bool whole = loop.end.kind == ExprKind::binary && loop.end.text == "/" &&
                     Polynomial::of(loop.end.parts[1]).value() == of &&
                     is_multiple(loop.end.parts[0], of, needs);
  loop.end = whole ? loop.end.parts[0] : (Polynomial::of(loop.end) * Polynomial(of)).expr();
  loop.begin = (Polynomial::of(loop.begin) * Polynomial(of)).expr();
  loop.step = spec::constant(of);
  return true;
}

/// What one of `count` elements takes, if all of a step are done alike.
std::optional<Statements> one_of(const Statements &work, const Statement &loop, std::int64_t count) {
  const auto each = static_cast<std::size_t>(count);
  if (work.empty() || work.size() % each != 0) return std::nullopt;
  Statement from_here = loop;
  from_here.begin = spec::named(ExprKind::axis, loop.name, loop.type);
  const std::size_t size = work.size() / each;
  for (const bool by_elements : {false, true}) {
    Statements first;
    for (std::size_t i = 0; i < size; ++i) first.push_back(work[by_elements ? i : i * each]);
    if (is_same_work(work, first, from_here, count)) return first;
  }
  return std::nullopt;
}

void flatten(Statement &loop, const std::vector<spec::Need> &needs) {
  const auto step = Polynomial::of(loop.step).value();
  const auto plain = work_of(loop.body);
  if (!step || *step < 1 || *step > kMostAtOnce || !plain || plain->empty() || !is_apart(*plain)) return;
  Statements work;
  for (const Statement &one : *plain)
    one.kind == StatementKind::fold ? add_terms(one, one.value, work) : work.push_back(one);
  Statement flat = loop;
  std::int64_t count = *step;
  if (count == 1) {
    // As many as there are between two steps, if it has its counter as a multiple of them.
    for (count = kMostAtOnce; count > 1; count /= 2) {
      Statements scaled = work;
      flat = loop;
      if (work.size() % static_cast<std::size_t>(count) == 0 && scale(flat, scaled, count, needs) &&
          one_of(scaled, flat, count)) {
        work = std::move(scaled);
        break;
      }
    }
    if (count == 1) return;
  }
  auto first = one_of(work, flat, count);
  if (!first) return;
  const Polynomial begin = Polynomial::of(flat.begin), extent = Polynomial::of(flat.end) - begin;
  if (!is_multiple(extent.expr(), count, needs)) {
    const Expr steps =
        spec::binary("/", (extent + Polynomial(count - 1)).expr(), spec::constant(count), flat.end.type);
    flat.end = (begin + Polynomial::of(steps) * Polynomial(count)).expr();
  }
  flat.step = spec::constant(1);
  flat.body = std::move(*first);
  loop = std::move(flat);
}

/// Whether `rest` goes on from a multiple of a number of steps, where `loop` ends, to its own end as `loop`
/// does.
bool goes_on(const Statement &loop, const Statement &rest) {
  if (loop.kind != StatementKind::loop || rest.kind != StatementKind::loop || loop.loop != rest.loop ||
      loop.loop == LoopKind::ordered || !spec::is_constant(loop.begin, 0) ||
      !spec::is_constant(loop.step, 1) || !spec::is_constant(rest.step, 1))
    return false;
  const Polynomial end = Polynomial::of(loop.end);
  bool last = false;  // that there is less than a step left, and nothing where the end is below 0
  for (std::int64_t count = 2; count <= kMostAtOnce; count *= 2) {
    const Expr steps = spec::binary("/", rest.end, spec::constant(count), rest.end.type);
    last = last || end == Polynomial::of(steps) * Polynomial(count);
  }
  const auto work = work_of(loop.body), others = work_of(rest.body);
  if (!last || !(end == Polynomial::of(rest.begin)) || !work || !others || work->empty()) return false;
  Statement there = loop;
  there.begin = spec::named(ExprKind::axis, rest.name, rest.type);
  return is_same_work(*others, *work, there, 1);
}

/// The declaration of what is folded, if nothing between it and the loop knows of it.
Statement *declaration_before(Statements &body, std::size_t loop, const std::string &name) {
  for (std::size_t at = loop; at-- > 0;) {
    if (body[at].kind == StatementKind::variable && body[at].name == name) return &body[at];
    bool known = false;
    spec::visit_statements({body[at]}, [&](const Statement &one) {
      known = known || one.name == name;
      for (const Expr *expr : {&one.value, &one.index, &one.begin, &one.end, &one.step})
        known = known || (spec::is_set(*expr) && spec::mentions(*expr, name));
    });
    if (known) return nullptr;
  }
  return nullptr;
}

/// Lets the loop at `at` do what the declarations of its totals do before it: its element at `begin - 1`.
void take_first(Statements &body, std::size_t at, std::vector<spec::Need> &needs) {
  Statement &loop = body[at];
  const auto work = work_of(loop.body);
  if (!work || work->empty() || !spec::is_constant(loop.step, 1) || !spec::is_of_parameters(loop.end) ||
      !spec::is_of_parameters(loop.begin))
    return;
  const Expr first = (Polynomial::of(loop.begin) - Polynomial(1)).expr();
  std::map<Statement *, std::string> declared;  // with what it begins with instead
  for (const Statement &one : *work) {
    Statement *const total = declaration_before(body, at, one.name);
    const auto neutral = spec::identity_of(one.op, one.type);
    // A first element that is NaN stays, where later ones that are do not count.
    if (one.kind != StatementKind::fold || one.keeps_nan || total == nullptr || !neutral ||
        total->type != one.type)
      return;
    const Expr begun = spec::replace(one.value, [&](const Expr &part) -> std::optional<Expr> {
      return part.kind == ExprKind::axis && part.text == loop.name ? std::optional(first) : std::nullopt;
    });
    // What cancels out is no element.
    bool reads = false;
    spec::visit(total->value, [&](const Expr &part) { reads = reads || part.kind == ExprKind::load; });
    if (!reads || !same(begun, total->value) || !declared.emplace(total, *neutral).second) return;
  }
  for (const auto &[total, neutral] : declared) total->value = {ExprKind::constant, neutral, total->type, {}};
  loop.begin = first;
  spec::Need need{spec::binary(">", loop.end, first, "bool"), "a row has a first element"};
  if (std::ranges::find(needs, need.condition, &spec::Need::condition) == needs.end())
    needs.push_back(std::move(need));
}

}  // namespace

void begin_with_nothing(Statements &body, std::vector<spec::Need> &needs) {
  for (std::size_t at = 0; at < body.size(); ++at) {
    begin_with_nothing(body[at].body, needs);
    begin_with_nothing(body[at].otherwise, needs);
    if (body[at].kind == StatementKind::loop && body[at].loop == LoopKind::reduction)
      take_first(body, at, needs);
  }
}

void flatten_steps(Statements &body, const std::vector<spec::Need> &needs) {
  for (Statement &one : body) {
    flatten_steps(one.body, needs);
    flatten_steps(one.otherwise, needs);
    if (one.kind == StatementKind::loop && one.loop != LoopKind::ordered) flatten(one, needs);
  }
  for (std::size_t at = 0; at + 1 < body.size(); ++at)
    if (goes_on(body[at], body[at + 1])) {
      body[at].end = body[at + 1].end;
      body.erase(body.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }
}

void join_tails(Statements &body, const Sizes &sizes, std::set<std::string> &names) {
  for (Statement &one : body) {
    join_tails(one.body, sizes, names);
    join_tails(one.otherwise, sizes, names);
    count_elements(one, sizes);
    join(one, names);
  }
}

}  // namespace cupilot::lift
