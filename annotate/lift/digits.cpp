// SPDX-License-Identifier: Apache-2.0
#include "annotate/lift/digits.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
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

namespace {

/// `axis / divisor`, and of that the remainder by `modulus`, if there is one.
struct Digits {
  Polynomial divisor;
  std::optional<Polynomial> modulus;
};

std::optional<Digits> digits_of(const Expr &expr, const std::string &axis);

/// Whether `expr` is the counter without all digits below `by`: `t - t % m`, `t - t / m % n * m - t % m`.
bool is_without_digits(const Expr &expr, const std::string &axis, const Polynomial &by) {
  std::vector<std::pair<Polynomial, Polynomial>> gone;  // from which stride to which
  const Expr *at = &expr;
  for (; at->kind == ExprKind::cast || (at->kind == ExprKind::binary && at->text == "-");
       at = &at->parts[0]) {
    if (at->kind == ExprKind::cast) continue;
    const Expr &term = at->parts[1];
    const bool product = term.kind == ExprKind::binary && term.text == "*";
    const int side = product && !digits_of(term.parts[0], axis) ? 1 : 0;
    const auto digit = digits_of(product ? term.parts[side] : term, axis);
    const Polynomial times = product ? Polynomial::of(term.parts[1 - side]) : Polynomial(1);
    if (!digit || !digit->modulus || !(times == digit->divisor)) return false;
    gone.emplace_back(digit->divisor, digit->divisor * *digit->modulus);
  }
  if (at->kind != ExprKind::axis || at->text != axis) return false;
  Polynomial below(1);
  for (std::size_t left = gone.size(); left > 0; --left) {
    const auto next = std::ranges::find_if(gone, [&](const auto &one) { return one.first == below; });
    if (next == gone.end()) return false;
    below = next->second;
    gone.erase(next);
  }
  return below == by;
}

std::optional<Digits> digits_of(const Expr &expr, const std::string &axis) {
  if (expr.kind == ExprKind::axis && expr.text == axis) return Digits{Polynomial(1), std::nullopt};
  if (expr.kind == ExprKind::cast) return digits_of(expr.parts[0], axis);
  if (expr.kind != ExprKind::binary || (expr.text != "/" && expr.text != "%")) return std::nullopt;
  const auto inner = digits_of(expr.parts[0], axis);
  const Polynomial by = Polynomial::of(expr.parts[1]);
  if (by.mentions(axis) || by.is_zero()) return std::nullopt;
  if (!inner)
    return expr.text == "/" && is_without_digits(expr.parts[0], axis, by)
               ? std::optional(Digits{by, std::nullopt})
               : std::nullopt;
  if (expr.text == "%") {
    // (x % (a * b)) % b is x % b
    if (inner->modulus && !inner->modulus->divided_by(by)) return std::nullopt;
    return Digits{inner->divisor, by};
  }
  if (!inner->modulus) return Digits{inner->divisor * by, std::nullopt};
  const auto rest = inner->modulus->divided_by(by);
  if (!rest) return std::nullopt;
  return Digits{inner->divisor * by, *rest};
}

class Splitter {
public:
  Splitter(Statement &loop, std::set<std::string> &names, const Holds &holds, std::vector<spec::Need> &needs)
      : loop_(loop), names_(names), holds_(holds), needs_(needs) {}
  /// `assume`: with needs, where nothing shows that a size divides the end.
  bool run(bool assume);

private:
  bool collect(bool assume);
  std::optional<std::size_t> place(const Polynomial &stride) const;
  Expr digit(const Digits &digits) const;
  void rewrite();

  Statement &loop_;
  std::set<std::string> &names_;
  const Holds &holds_;
  std::vector<spec::Need> &needs_;
  std::vector<Polynomial> strides_;  ///< 1, then larger and larger; each divides the next
  std::vector<Polynomial> extents_;  ///< of the axes, innermost first
  std::vector<std::string> axes_;    ///< innermost first
};

/// The strides at which the counter is cut, in order.
bool Splitter::collect(bool assume) {
  std::vector<Polynomial> cuts;
  bool known = true;
  const auto note = [&](const Polynomial &cut) {
    if (cut.value() == 1) return;
    if (std::ranges::find(cuts, cut) == cuts.end()) cuts.push_back(cut);
  };
  const auto look = [&](auto &&self, const Expr &expr) -> void {
    if (expr.kind == ExprKind::binary && (expr.text == "/" || expr.text == "%") &&
        spec::mentions(expr, loop_.name)) {
      const auto digits = digits_of(expr, loop_.name);
      if (digits) {
        note(digits->divisor);
        if (digits->modulus) note(digits->divisor * *digits->modulus);
        return;
      }
      // What a digit is divided by may be left for the digit's own axis.
      const Expr *inner = &expr.parts[0];
      while (inner->kind == ExprKind::cast) inner = &inner->parts[0];
      known = known && inner->kind != ExprKind::axis;
    }
    for (const Expr &part : expr.parts) self(self, part);
  };
  spec::visit_statements(loop_.body, [&](const Statement &one) {
    for (const Expr *expr : {&one.value, &one.index})
      if (spec::is_set(*expr)) look(look, *expr);
  });
  if (cuts.empty()) return false;  // how long a sum is may count in blocks, too
  spec::visit_statements(loop_.body, [&](const Statement &one) {
    for (const Expr *expr : {&one.begin, &one.end, &one.step})
      if (spec::is_set(*expr)) look(look, *expr);
  });
  if (!known) return false;
  std::ranges::stable_sort(cuts, [](const Polynomial &a, const Polynomial &b) {
    return !(a == b) && b.divided_by(a).has_value();
  });
  Polynomial last(1);
  strides_ = {last};
  for (const Polynomial &cut : cuts) {
    const auto extent = cut.divided_by(last);
    if (!extent) return false;
    extents_.push_back(*extent);
    strides_.push_back(cut);
    last = cut;
  }
  const auto outermost = Polynomial::of(loop_.end).divided_by(last);
  if (outermost) {
    extents_.push_back(*outermost);
    return true;
  }
  const Expr period = last.expr(), none = spec::constant(0);
  const spec::Need some{spec::binary(">", period, none, "bool"), "there is something to divide by"},
      whole{spec::binary("==", spec::binary("%", loop_.end, period, "int"), none, "bool"),
            fmt::format("{} counts in whole rounds", loop_.name)};
  if (!assume || !holds_(some.condition) || !holds_(whole.condition)) return false;
  spec::visit(period, [&](const Expr &part) {
    if (part.kind == ExprKind::binary && part.text == "/")
      needs_.push_back({spec::binary(">", part.parts[1], none, "bool"), some.why});
  });
  needs_.push_back(some);
  needs_.push_back(whole);
  extents_.push_back(Polynomial::symbol(spec::binary("/", loop_.end, period, "int")));
  return true;
}

std::optional<std::size_t> Splitter::place(const Polynomial &stride) const {
  const auto found = std::ranges::find(strides_, stride);
  return found == strides_.end() ? std::nullopt
                                 : std::optional(static_cast<std::size_t>(found - strides_.begin()));
}

/// The axes between the two strides, put together.
Expr Splitter::digit(const Digits &digits) const {
  // Both are strides: only such digits are looked for.
  const std::size_t from = place(digits.divisor).value_or(0);
  const std::size_t to =
      digits.modulus ? place(digits.divisor * *digits.modulus).value_or(extents_.size()) : extents_.size();
  Polynomial sum, stride(1);
  for (std::size_t i = from; i < to; ++i) {
    sum = sum + Polynomial::symbol(spec::named(ExprKind::axis, axes_[i], "int")) * stride;
    stride = stride * extents_[i];
  }
  return sum.expr();
}

void Splitter::rewrite() {
  spec::replace_all(loop_.body, [&](const Expr &part) -> std::optional<Expr> {
    if (part.kind == ExprKind::cast) return std::nullopt;
    const auto digits = digits_of(part, loop_.name);
    return digits ? std::optional(digit(*digits)) : std::nullopt;
  });
}

bool Splitter::run(bool assume) {
  if (loop_.loop != LoopKind::independent || !spec::is_constant(loop_.begin, 0) ||
      !spec::is_constant(loop_.step, 1))
    return false;
  if (!collect(assume)) return false;
  for (std::size_t i = 0; i < extents_.size(); ++i) {
    std::string name = fmt::format("{}{}", loop_.name, extents_.size() - 1 - i);
    while (!names_.insert(name).second) name += "_";
    axes_.push_back(name);
  }
  rewrite();
  Statements body = std::move(loop_.body);
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    Statement axis = loop_;
    axis.name = axes_[i];
    axis.end = extents_[i].expr();
    axis.body = std::move(body);
    body.clear();
    body.push_back(std::move(axis));
  }
  loop_ = Statement(std::move(body.front()));
  return true;
}

/// Whether both counters only occur as `outer * extent + inner`; then that is replaced by `merged`.
bool merged_body(Statements &body, const std::string &outer, const std::string &inner,
                 const Polynomial &extent, const Expr &merged) {
  Statements copy = body;
  const Polynomial whole = Polynomial::symbol(spec::named(ExprKind::axis, outer, "int")) * extent +
                           Polynomial::symbol(spec::named(ExprKind::axis, inner, "int"));
  spec::replace_all(copy, [&](const Expr &part) -> std::optional<Expr> {
    const bool sum = part.kind == ExprKind::binary && (part.text == "+" || part.text == "-");
    if (!sum || !spec::mentions(part, inner)) return std::nullopt;
    const Polynomial found = Polynomial::of(part);
    const auto times = found.coefficient(inner);
    if (!times || times->is_zero()) return std::nullopt;
    const Polynomial rest = found - whole * *times;
    if (rest.mentions(inner) || rest.mentions(outer)) return std::nullopt;
    return (rest + Polynomial::symbol(merged) * *times).expr();
  });
  bool left = false;
  for (const Statement &one : copy)
    spec::visit(one, [&](const Expr &part) {
      left = left || (part.kind == ExprKind::axis && (part.text == outer || part.text == inner));
    });
  if (!left) body = std::move(copy);
  return !left;
}

bool merge(Statement &loop, std::set<std::string> &names) {
  if (loop.body.size() != 1 || loop.body[0].kind != StatementKind::loop) return false;
  Statement &inner = loop.body[0];
  if (!spec::is_constant(inner.begin, 0) || !spec::is_constant(inner.step, 1)) return false;
  if (loop.loop != inner.loop || spec::mentions(inner.end, loop.name)) return false;
  // A loop in steps of what the inner one does: they count together already.
  const Polynomial extent = Polynomial::of(inner.end);
  const bool stepped = !spec::is_constant(loop.step, 1);
  if (stepped &&
      (!(Polynomial::of(loop.step) == extent) || !extent.value() || !spec::is_constant(loop.begin, 0)))
    return false;
  std::string name = loop.name + "_" + inner.name;
  while (names.contains(name)) name += "_";
  if (!merged_body(inner.body, loop.name, inner.name, stepped ? Polynomial(1) : extent,
                   spec::named(ExprKind::axis, name, inner.type)))
    return false;
  names.insert(name);
  loop.name = name;
  const Expr tiles =
      spec::binary("/", (Polynomial::of(loop.end) + extent - Polynomial(1)).expr(), inner.end, "int");
  loop.end = ((stepped ? Polynomial::symbol(tiles) : Polynomial::of(loop.end)) * extent).expr();
  loop.begin = (Polynomial::of(loop.begin) * extent).expr();
  loop.step = spec::constant(1);
  Statements body = std::move(inner.body);
  loop.body = std::move(body);
  return true;
}

/// The same of a loop further inside, where only independent loops are between: they may change places.
bool merge_across(Statement &loop, std::set<std::string> &names) {
  const auto holds_one = [](const Statement &one) {
    return one.loop == spec::LoopKind::independent && one.body.size() == 1 &&
           one.body[0].kind == StatementKind::loop && one.body[0].loop == spec::LoopKind::independent;
  };
  for (std::size_t depth = 1;; ++depth) {
    Statement copy = loop, *outer = &copy;
    for (std::size_t i = 0; i < depth && holds_one(*outer); ++i) outer = &outer->body[0];
    if (!holds_one(*outer)) return false;
    Statement inner = std::move(outer->body[0]);
    bool moves = true;
    for (const Statement *between = &copy.body[0]; moves; between = &between->body[0]) {
      moves = !spec::mentions(inner.end, between->name) && !spec::mentions(inner.begin, between->name);
      if (between == outer) break;
    }
    outer->body = std::exchange(inner.body, {});
    inner.body = std::move(copy.body);
    copy.body.clear();
    copy.body.push_back(std::move(inner));
    if (!moves || !merge(copy, names)) continue;
    loop = std::move(copy);
    return true;
  }
}

}  // namespace

namespace {

spec::Replace size_as_written(const std::pair<std::string, Expr> &size) {
  return [&size](const Expr &part) -> std::optional<Expr> {
    const bool named = part.kind == ExprKind::parameter && part.text == size.first;
    return named ? std::optional(size.second) : std::nullopt;
  };
}

/// The expression with the last named size in it as what it is; false if it names none.
bool write_out_one(Expr &expr, const Sizes &sizes) {
  const auto size = std::ranges::find_if(sizes.rbegin(), sizes.rend(),
                                         [&](const auto &one) { return spec::mentions(expr, one.first); });
  if (size == sizes.rend()) return false;
  expr = spec::replace(expr, size_as_written(*size));
  return true;
}

/// Sizes have names of their own as long as the index maps divide by these.
void split(Statement &loop, std::set<std::string> &names, const Sizes &sizes, const Holds &holds,
           std::vector<spec::Need> &needs) {
  const Statement before = loop;
  const auto splits = [&](bool assume) { return Splitter(loop, names, holds, needs).run(assume); };
  do {
    if (splits(false)) return;
  } while (write_out_one(loop.end, sizes));
  for (auto size = sizes.rbegin(); size != sizes.rend(); ++size)
    spec::replace_all(loop.body, size_as_written(*size));
  if (splits(false)) return;
  loop = before;
  if (!splits(true)) loop = before;
}

}  // namespace

Expr written_out(Expr expr, const Sizes &sizes) {
  for (auto size = sizes.rbegin(); size != sizes.rend(); ++size)
    expr = spec::replace(expr, size_as_written(*size));
  return expr;
}

void split_axes(Statements &body, std::set<std::string> &names, const Sizes &sizes, const Holds &holds,
                std::vector<spec::Need> &needs) {
  // A loop that threads share keeps its length: a digit of it may be short.
  const bool shared =
      std::ranges::any_of(body, [](const Statement &one) { return one.kind == StatementKind::variable; });
  for (Statement &one : body) {
    if (one.kind == StatementKind::loop && !shared) split(one, names, sizes, holds, needs);
    split_axes(one.body, names, sizes, holds, needs);
    split_axes(one.otherwise, names, sizes, holds, needs);
  }
}

bool split_apart(Statement &loop, std::set<std::string> &names, const Sizes &sizes, const Holds &holds,
                 std::vector<spec::Need> &needs) {
  Statements split{loop};
  split[0].loop = LoopKind::independent;
  std::vector<spec::Need> more;
  std::set<std::string> used = names;
  split_axes(split, used, sizes, holds, more);
  int loops = 0;
  for (const Statement *at = &split[0]; at->kind == StatementKind::loop && at->loop == LoopKind::independent;
       at = &at->body[0]) {
    if (order_of(*at, Iterations::threads).kind != LoopKind::independent) return false;
    ++loops;
    if (at->body.size() != 1) break;
  }
  if (loops < 2) return false;
  loop = Statement(std::move(split[0]));
  names = std::move(used);
  std::ranges::move(more, std::back_inserter(needs));
  return true;
}

void merge_axes(Statements &body, std::set<std::string> &names) {
  for (Statement &one : body) {
    merge_axes(one.body, names);
    merge_axes(one.otherwise, names);
    while (one.kind == StatementKind::loop && (merge(one, names) || merge_across(one, names))) {
    }
  }
}

}  // namespace cupilot::lift
