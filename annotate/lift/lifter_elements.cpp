// SPDX-License-Identifier: Apache-2.0
//
// What an expression is for one thread of a team: a number, an expression, or a share of a reduction.

#include <algorithm>
#include <array>

#include "annotate/lift/folds.h"
#include "annotate/lift/lifter.h"
#include "annotate/rewrite/analysis.h"
#include "annotate/spec/lifted_text.h"

namespace cupilot::lift {

using rewrite::Kind;
using rewrite::Type;
using spec::Expr;
using spec::ExprKind;
using spec::Statement;
using spec::StatementKind;

std::optional<std::int64_t> computed(const std::string &op, std::int64_t a, std::int64_t b) {
  if (op == "+") return a + b;
  if (op == "-") return a - b;
  if (op == "*") return a * b;
  if (op == "/") return b == 0 ? std::nullopt : std::optional(a / b);
  if (op == "%") return b == 0 ? std::nullopt : std::optional(a % b);
  if (op == "<<") return b < 0 || b > 62 ? std::nullopt : std::optional(a << b);
  if (op == ">>") return b < 0 || b > 62 ? std::nullopt : std::optional(a >> b);
  if (op == "&") return a & b;
  if (op == "|") return a | b;
  if (op == "^") return a ^ b;
  if (op == "<") return a < b;
  if (op == "<=") return a <= b;
  if (op == ">") return a > b;
  if (op == ">=") return a >= b;
  if (op == "==") return a == b;
  if (op == "!=") return a != b;
  if (op == "&&") return a && b;
  if (op == "||") return a || b;
  return std::nullopt;
}

bool is_shuffle(const std::string &name) {
  return name == "__shfl_down_sync" || name == "__shfl_xor_sync" || name == "__shfl_up_sync" ||
         name == "__shfl_sync";
}

namespace {

std::optional<Expr> expr_in(const Element &element) {
  if (const auto *value = std::get_if<Expr>(&element)) return *value;
  if (const auto *integer = std::get_if<std::int64_t>(&element)) return spec::constant(*integer);
  return std::nullopt;
}

/// rewrite::same(), where an exchange that a macro has written twice is the same, too.
bool same_share(const rewrite::Node &left, const rewrite::Node &right) {
  const rewrite::Node &a = rewrite::bare(left), &b = rewrite::bare(right);
  const bool shuffles =
      a.kind == Kind::call && b.kind == Kind::call && a.text == b.text && is_shuffle(a.text);
  return shuffles ? std::ranges::equal(a.children, b.children, rewrite::same) : rewrite::same(a, b);
}

/// Whether `condition ? yes : no` is the larger or the smaller of the two: "max", "min", or nothing.
std::string choice_of(const rewrite::Node &condition, const rewrite::Node &yes, const rewrite::Node &no) {
  const bool greater = condition.text == ">" || condition.text == ">=";
  const bool less = condition.text == "<" || condition.text == "<=";
  if (condition.kind != Kind::binary || condition.overloaded || (!greater && !less)) return "";
  const rewrite::Node &left = condition.children[0], &right = condition.children[1];
  if (same_share(left, yes) && same_share(right, no)) return greater ? "max" : "min";
  if (same_share(left, no) && same_share(right, yes)) return greater ? "min" : "max";
  return "";
}

bool is_cub_reduction(const rewrite::Node &node) {
  const bool named = (node.text == "Sum" && node.children.size() == 2) ||
                     (node.text == "Reduce" && node.children.size() == 3);
  return node.kind == Kind::call && named &&
         (node.children[0].type.text.find("BlockReduce<") != std::string::npos ||
          node.children[0].type.text.find("WarpReduce<") != std::string::npos);
}

}  // namespace

std::optional<std::int64_t> Lifter::integer_of(const Expr &expr, int thread) const {
  const auto part = [&](std::size_t i) { return integer_of(expr.parts[i], thread); };
  switch (expr.kind) {
    case ExprKind::constant: {
      if (expr.text == "true") return 1;
      if (expr.text == "false") return 0;
      const bool digits = !expr.text.empty() && expr.text.size() < 18 &&
                          expr.text.find_first_not_of("-0123456789uUlL") == std::string::npos;
      return digits ? std::optional<std::int64_t>(std::stoll(expr.text)) : std::nullopt;
    }
    case ExprKind::parameter:
      for (const auto &[name, value] : out_.sizes)
        if (name == expr.text) return integer_of(value, thread);
      return expr.text == "block.x" && !warps_ ? std::optional<std::int64_t>(threads_) : std::nullopt;
    case ExprKind::axis:
      if (expr.text == std::string(kThread) + "x")
        return warps_ ? std::nullopt : std::optional<std::int64_t>(thread);
      if (expr.text == kLane) return thread % 32;
      // Each row of threads does the same with its own part of the memory, or reads what nobody wrote.
      return expr.text.starts_with(kThread) ? std::optional<std::int64_t>(0) : std::nullopt;
    case ExprKind::unary: {
      const auto a = part(0);
      if (!a) return std::nullopt;
      return expr.text == "-" ? -*a : expr.text == "!" ? std::int64_t{*a == 0} : ~*a;
    }
    case ExprKind::binary: {
      const auto a = part(0), b = part(1);
      return a && b ? computed(expr.text, *a, *b) : std::nullopt;
    }
    case ExprKind::cast:
      return part(0);
    case ExprKind::select: {
      const auto condition = part(0);
      return condition ? part(*condition ? 1 : 2) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

/// Writes the variable of that name and the loop over the threads that folds what each contributes; `rest` is
/// what comes after each fold, or before it, over the thread's index as well.
void Lifter::fold_over_threads(const Partial &partial, const std::string &initial, spec::LoopKind order,
                               Statements rest, bool exclusive, int line) {
  const std::string axis = fresh("t");
  into_->push_back({.kind = StatementKind::variable,
                    .name = partial.name,
                    .type = partial.type,
                    .value = {ExprKind::constant, initial, partial.type, {}},
                    .line = line});
  Statement loop{.kind = StatementKind::loop, .name = axis, .type = "int"};
  loop.begin = spec::constant(0);
  loop.end = warps_ ? spec::constant(threads_) : spec::named(ExprKind::parameter, "block.x", "unsigned int");
  loop.step = spec::constant(1);
  loop.loop = order;
  loop.line = line;
  loop.body = std::move(rest);
  loop.body.insert(exclusive ? loop.body.end() : loop.body.begin(), {.kind = StatementKind::fold,
                                                                     .name = partial.name,
                                                                     .type = partial.type,
                                                                     .op = partial.op,
                                                                     .value = partial.value});
  const std::string member = warps_ ? std::string(kLane) : std::string(kThread) + "x";
  spec::replace_all(loop.body, [&](const Expr &part) -> std::optional<Expr> {
    const bool own = part.kind == ExprKind::axis && part.text == member;
    return own ? std::optional(spec::named(ExprKind::axis, axis, "int")) : std::nullopt;
  });
  into_->push_back(std::move(loop));
  used_names_.erase(axis);
}

/// A share of all threads is the reduction's result, which is written here if no loop has written it.
Element Lifter::settled(const Element &element) {
  const auto *share = std::get_if<Share>(&element);
  if (share == nullptr || std::ranges::find(share->members, false) != share->members.end()) return element;
  Partial &partial = partials_[static_cast<std::size_t>(share->partial)];
  if (spec::is_set(partial.value) && !partial.written) {
    const auto initial = spec::identity_of(partial.op, partial.type);
    if (!initial) return Unknown{};
    partial.name = fresh("total");
    fold_over_threads(partial, *initial, spec::LoopKind::reduction, {}, false, 0);
    partial.written = true;
  }
  const Expr total = spec::named(ExprKind::value, partial.name, partial.type);
  if (!spec::is_set(share->base)) return total;
  const Expr &left = share->base_last ? total : share->base, &right = share->base_last ? share->base : total;
  return spec::binary(partial.op, left, right, partial.type);
}

std::optional<Expr> Lifter::uniform(const Spread &spread, const Mask &mask) {
  std::optional<Expr> same;
  for (std::size_t thread = 0; thread < spread.size(); ++thread) {
    if (!mask[thread]) continue;
    auto value = expr_in(settled(spread[thread]));
    if (!value || depends_on_member(*value) || (same && !(*same == *value))) return std::nullopt;
    same = std::move(value);
  }
  return same;
}

std::optional<Share> Lifter::share_of(const Element &element, const std::string &op, const std::string &type,
                                      int thread) {
  if (const auto *share = std::get_if<Share>(&element))
    return partials_[static_cast<std::size_t>(share->partial)].op.empty() ||
                   partials_[static_cast<std::size_t>(share->partial)].op == op
               ? std::optional(*share)
               : std::nullopt;
  const auto *value = std::get_if<Expr>(&element);
  if (value == nullptr || !depends_on_member(*value) || thread < 0) return std::nullopt;
  return own_share(*value, op, type, thread);
}

/// The thread's share of what all threads contribute, the same expression of their index; of a fold that is
/// not known yet, if the operator is empty.
Share Lifter::own_share(const Expr &value, const std::string &op, const std::string &type, int thread) {
  const auto is = [&](const std::string &known) {
    return std::ranges::find_if(partials_, [&](const Partial &one) {
      return (one.op == known || op.empty()) && one.value == value && !one.written;
    });
  };
  auto found = is(op);
  if (found == partials_.end() && (found = is("")) != partials_.end()) found->op = op;
  if (found == partials_.end()) {
    partials_.push_back({"", type, op, value});
    found = partials_.end() - 1;
  }
  Share share{static_cast<int>(found - partials_.begin()),
              std::vector<bool>(static_cast<std::size_t>(threads_))};
  share.members[static_cast<std::size_t>(thread)] = true;
  return share;
}

/// A fold of shares with what is the same in all threads; nullopt: it is none, or there is one already.
std::optional<Share> Lifter::gone_on_from(const Share &share, const std::string &op, const Element &other,
                                          bool base_last) {
  const auto *value = std::get_if<Expr>(&other);
  Partial &partial = partials_[static_cast<std::size_t>(share.partial)];
  const bool same_op = partial.op == op || partial.op.empty();
  if (value == nullptr || depends_on_member(*value) || value->type != partial.type ||
      (op != "+" && op != "*") || !same_op || spec::is_set(share.base))
    return std::nullopt;
  partial.op = op;
  Share made = share;
  made.base = *value;
  made.base_last = base_last;
  return made;
}

/// Whether a fold with it leaves every value as it is: of a maximum, what is smaller than all there are, or
/// what the other's fold began as.
bool Lifter::is_neutral(const std::string &op, const Element &one, const Element &other) const {
  const bool extreme = op == "max" || op == "min";
  if (const auto *integer = std::get_if<std::int64_t>(&one))
    return !extreme && spec::is_identity(op, spec::constant(*integer));
  const auto *value = std::get_if<Expr>(&one);
  if (value == nullptr) return false;
  if (extreme && spec::to_text(*value) == spec::identity_of(op, value->type)) return true;
  // What keys begin with is the same for all that are folded together.
  const bool first_key = value->kind == ExprKind::call &&
                         (value->text == "arg_first" || value->text == "arg_key") &&
                         std::ranges::all_of(value->parts, is_of_sizes);
  if (first_key) return op == "max" && (std::holds_alternative<Share>(other) || one == other);
  if (value->kind != ExprKind::constant) return false;
  if (!extreme) return spec::is_identity(op, *value);
  const auto *share = std::get_if<Share>(&other);
  return share != nullptr && std::ranges::any_of(initial_, [&](const auto &first) {
           const auto named = values_.find(first.first);
           return first.second == *value && named != values_.end() &&
                  named->second.text == partials_[static_cast<std::size_t>(share->partial)].name;
         });
}

Element Lifter::folded(const std::string &op, const Element &left, const Element &right) {
  static constexpr std::array kFolds{"+", "*", "max", "min", "&", "|", "^"};
  if (std::ranges::find(kFolds, op) == kFolds.end()) return Unknown{};
  const auto integer = [](const Element &one) { return std::holds_alternative<std::int64_t>(one); };
  if (is_neutral(op, right, left) && (!integer(left) || is_neutral(op, left, right))) return left;
  if (is_neutral(op, left, right) && !integer(right)) return right;
  const auto *a = std::get_if<Share>(&left), *b = std::get_if<Share>(&right);
  if ((a == nullptr) != (b == nullptr)) {
    const auto made = a ? gone_on_from(*a, op, right, true) : gone_on_from(*b, op, left, false);
    return made ? Element(*made) : Element(Unknown{});
  }
  if (a == nullptr || b == nullptr || a->partial != b->partial) return Unknown{};
  if (spec::is_set(a->base) && spec::is_set(b->base)) return Unknown{};
  std::string &known = partials_[static_cast<std::size_t>(a->partial)].op;
  if (known.empty()) known = op;
  if (known != op) return Unknown{};
  Share both = *a;
  if (!spec::is_set(both.base)) both.base = b->base, both.base_last = b->base_last;
  for (std::size_t i = 0; i < both.members.size(); ++i) {
    if (both.members[i] && b->members[i] && op != "max" && op != "min") return Unknown{};  // counted twice
    both.members[i] = both.members[i] || b->members[i];
  }
  return both;
}

/// The same of what two threads, or one, have: an expression of the thread's index is its share.
Element Lifter::folded_shares(const std::string &op, const Element &left, const Element &right,
                              const std::string &type, int thread) {
  const auto a = share_of(left, op, type, thread), b = share_of(right, op, type, thread);
  return folded(op, a ? Element(*a) : left, b ? Element(*b) : right);
}

/// Keeps own_values_.
void Lifter::note_own(const Statement &statement) {
  const bool begins = statement.kind == StatementKind::value || statement.kind == StatementKind::variable;
  if (!begins && statement.kind != StatementKind::fold && statement.kind != StatementKind::assign) return;
  const auto value = of_index(statement.value);
  if (begins && value && !depends_on_member(*value))
    own_values_.erase(statement.name);
  else if (begins)
    own_values_[statement.name] = value;
  else if (divergent_ > 0 || own_values_.contains(statement.name) || !value || depends_on_member(*value))
    own_values_[statement.name] = std::nullopt;
}

bool Lifter::differs(const Expr &expr) const {
  if (!team_) return false;
  const auto value = of_index(expr);
  return !value || depends_on_member(*value);
}

/// The expression with values of one thread written out, so that it holds for each; nullopt: there are none.
std::optional<Expr> Lifter::of_index(const Expr &expr) const {
  bool known = true;
  Expr out = spec::replace(expr, [&](const Expr &part) -> std::optional<Expr> {
    const auto own = part.kind == ExprKind::value ? own_values_.find(part.text) : own_values_.end();
    if (own == own_values_.end()) return std::nullopt;
    known = known && own->second.has_value();
    return own->second;
  });
  return known ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<std::int64_t> Lifter::shared_index(const Node &node, int thread, int &array) {
  if (node.kind == Kind::name && shared_.contains(node.variable)) {
    array = node.variable;
    return 0;
  }
  if (node.kind != Kind::subscript) return std::nullopt;
  const auto outer = shared_index(node.children[0], thread, array);
  const Element index = element(node.children[1], thread);
  const auto *number = std::get_if<std::int64_t>(&index);
  if (!outer || number == nullptr) return std::nullopt;
  const auto &extents = shared_.at(array).extents;
  std::size_t depth = 0;
  for (const Node *at = &node.children[0]; at->kind == Kind::subscript; at = &at->children[0]) ++depth;
  const std::int64_t extent = depth == 0 || depth >= extents.size() ? 1 : extents[depth];
  return *outer * extent + *number;
}

/// Whether threads with another threadIdx.y or z have another element: where a block has such threads, they
/// are other teams.
bool Lifter::is_own_of_team(const Node &element) const {
  if (block_[1] == 1 && block_[2] == 1) return true;
  return rewrite::find(element, [&](const Node &one) {
           if (one.kind == Kind::builtin) return one.text == "threadIdx.y" || one.text == "threadIdx.z";
           const auto known = one.kind == Kind::name ? values_.find(one.variable) : values_.end();
           bool found = false;
           if (known != values_.end())
             spec::visit(known->second, [&](const Expr &part) {
               found = found || (part.kind == ExprKind::axis && part.text.starts_with(kThread) &&
                                 !part.text.ends_with("x"));
             });
           return found;
         }) != nullptr;
}

Element Lifter::element_of_shared(const Node &node, int thread) {
  int array = -1;
  if (!is_own_of_team(node)) return Unknown{};
  const auto index = shared_index(node, thread, array);
  if (!index) return Unknown{};
  const auto found = shared_.at(array).elements.find(*index);
  return found == shared_.at(array).elements.end() ? Element(Unknown{}) : found->second;
}

/// What a variable or an element of shared memory holds, as shares also where they are all there; of
/// everything else what it is.
Element Lifter::held(const Node &node, int thread) {
  if (const auto known = results_.find(&node); known != results_.end())
    return known->second[static_cast<std::size_t>(thread)];
  const bool number = node.value && node.type.kind != Type::Kind::floating;
  if (const auto spread = node.kind == Kind::name && !number ? spread_.find(node.variable) : spread_.end();
      spread != spread_.end())
    return spread->second[static_cast<std::size_t>(thread)];
  const int root =
      node.kind == Kind::subscript || node.kind == Kind::name ? rewrite::root_variable(node) : -1;
  if (root >= 0 && !number && shared_.contains(root)) return element_of_shared(node, thread);
  if (const auto first = node.kind == Kind::name ? first_value(node.variable) : std::nullopt;
      first && first->kind == ExprKind::constant)
    return *first;
  return element(node, thread);
}

/// What a variable began as, if nothing has changed it since, and no round of a loop around may have.
std::optional<Expr> Lifter::first_value(int variable) const {
  const auto known = values_.find(variable), first = initial_.find(variable);
  const auto depth = declared_at_.find(variable);
  const bool same = known != values_.end() && first != initial_.end() &&
                    !changed_.contains(known->second.text) && depth != declared_at_.end() &&
                    straight_from(depth->second);
  return same ? std::optional(first->second) : std::nullopt;
}

/// `cub::BlockReduce<float, 256>(storage).Sum(value)` (CUB, block-wide collectives): the first thread has the
/// fold of what all have, the others have nothing that counts. WarpReduce: of each warp.
Element Lifter::element_of_cub(const Node &node, int thread) {
  const std::string &object = node.children[0].type.text;
  const bool block = object.find("BlockReduce<") != std::string::npos;
  const std::string operation = node.text == "Sum" ? "Sum" : node.children[2].type.text;
  const auto is = [&](const char *one, const char *other) {
    return operation.find(one) != std::string::npos || operation.find(other) != std::string::npos;
  };
  const std::string op = is("Sum", "plus")      ? "+"
                         : is("Max", "maximum") ? "max"
                         : is("Min", "minimum") ? "min"
                                                : "";
  const int width = block ? threads_ : 32;
  if (op.empty() || thread % width != 0 || block_[1] != 1 || block_[2] != 1) return Unknown{};
  Element total = Unknown{};
  for (int other = thread; other < std::min(thread + width, threads_); ++other) {
    const Element value = element(node.children[1], other);
    const auto share = share_of(value, op, node.type.text, other);
    const Element own = share ? Element(*share) : value;
    total = other == thread ? own : folded(op, total, own);
  }
  return total;
}

Element Lifter::element_of_call(const Node &node, int thread) {
  if (is_cub_reduction(node)) return element_of_cub(node, thread);
  if (is_shuffle(node.text) && node.children.size() >= 3) {
    const Element by = element(node.children[2], thread);
    const auto *amount = std::get_if<std::int64_t>(&by);
    std::int64_t width = 32;
    if (node.children.size() == 4) {
      const Element given = element(node.children[3], thread);
      if (!std::holds_alternative<std::int64_t>(given)) return Unknown{};
      width = std::get<std::int64_t>(given);
    }
    if (amount == nullptr || width <= 0) return Unknown{};
    const std::int64_t base = thread / width * width, lane = thread % width;
    std::int64_t source = node.text == "__shfl_down_sync"  ? lane + *amount
                          : node.text == "__shfl_up_sync"  ? lane - *amount
                          : node.text == "__shfl_xor_sync" ? lane ^ *amount
                                                           : ((*amount % width) + width) % width;
    if (source < 0 || source >= width) source = lane;
    if (base + source >= threads_) return Unknown{};
    const Element value = element(node.children[1], static_cast<int>(base + source));
    // Another thread's expression is not this thread's.
    if (const auto *own = std::get_if<Expr>(&value); own && depends_on_member(*own)) {
      const int other = static_cast<int>(base + source);
      for (const char *op : {"+", "max", "min", "*"}) {
        const bool follows = rewrite::find(*statement_, [&](const Node &one) {
          return (op[0] == '+' && (one.text == "+=" || one.text == "+")) ||
                 (op[0] == '*' && (one.text == "*=" || one.text == "*")) ||
                 one.text.find(op) != std::string::npos;
        });
        if (!follows) continue;
        if (auto share = share_of(value, op, node.type.text, other)) return *share;
      }
      return own_share(*own, "", node.type.text, other);
    }
    return value;
  }
  if (node.children.size() == 2) {
    const auto fold =
        fold_of("\1", {ExprKind::call,
                       node.text,
                       node.type.text,
                       {spec::named(ExprKind::value, "\1", node.type.text), spec::constant(0)}});
    if (fold) {
      const Element left = element(node.children[0], thread), right = element(node.children[1], thread);
      return folded_shares(fold->op, left, right, node.type.text, thread);
    }
  }
  return Unknown{};
}

Element Lifter::element_of_binary(const Node &node, int thread) {
  const Element first = held(node.children[0], thread), second = held(node.children[1], thread);
  if (std::holds_alternative<Share>(first) || std::holds_alternative<Share>(second))
    if (Element both = folded_shares(node.text, first, second, node.type.text, thread);
        !std::holds_alternative<Unknown>(both))
      return both;
  const Element left = settled(first), right = settled(second);
  const auto *a = std::get_if<std::int64_t>(&left), *b = std::get_if<std::int64_t>(&right);
  if (a && b && node.type.kind != Type::Kind::floating) {
    const auto result = computed(node.text, *a, *b);
    return result ? Element(*result) : Element(Unknown{});
  }
  if (node.text == "&&" || node.text == "||") {  // one side may decide
    for (const auto *side : {a, b})
      if (side && (*side != 0) == (node.text == "||"))
        return Element(*side != 0 ? std::int64_t{1} : std::int64_t{0});
  }
  const bool shares = std::holds_alternative<Share>(left) || std::holds_alternative<Share>(right);
  if (shares) return folded_shares(node.text, left, right, node.type.text, thread);
  const auto p = expr_in(left), q = expr_in(right);
  if (!p || !q) return Unknown{};
  // Of threads that have no share, what leaves every total as it is.
  if (Element nothing = folded(node.text, left, right); !std::holds_alternative<Unknown>(nothing))
    return nothing;
  return spec::binary(node.text, *p, *q, node.type.text);
}

/// `a > b ? a : b` of totals. These are no NaN, as folds skip it or pass it on: the same as fmax(a, b).
Element Lifter::element_of_choice(const Node &node, int thread) {
  const Node &condition = rewrite::bare(node.children[0]);
  const std::string op = choice_of(condition, node.children[1], node.children[2]);
  if (op.empty()) return Unknown{};
  const Element left = element(node.children[1], thread), right = element(node.children[2], thread);
  if (!std::holds_alternative<Share>(left) && !std::holds_alternative<Share>(right)) return Unknown{};
  return folded_shares(op, left, right, node.type.text, thread);
}

/// `rsqrtf(sum / n + eps)` of the totals that a thread has.
Element Lifter::element_of_operation(const Node &node, int thread) {
  const bool call = node.kind == Kind::call;
  const bool chooses = node.kind == Kind::conditional;
  Expr made{call      ? ExprKind::call
            : chooses ? ExprKind::select
                      : ExprKind::unary,
            node.text,
            node.type.text,
            {}};
  for (const Node &child : node.children) {
    auto part = expr_in(settled(element(child, thread)));
    if (!part) return Unknown{};
    made.parts.push_back(std::move(*part));
  }
  return made;
}

Element Lifter::element(const Node &node, int thread) {
  if (const auto known = results_.find(&node); known != results_.end())
    return known->second[static_cast<std::size_t>(thread)];
  if (node.value && node.type.kind != Type::Kind::floating) return *node.value;
  if (node.kind == Kind::name)
    if (const auto spread = spread_.find(node.variable); spread != spread_.end())
      return settled(spread->second[static_cast<std::size_t>(thread)]);
  if (node.kind == Kind::subscript || node.kind == Kind::name) {
    const int root = rewrite::root_variable(node);
    if (root >= 0 && shared_.contains(root)) return settled(element_of_shared(node, thread));
  }
  if (node.kind == Kind::conditional) {
    const Element condition = element(node.children[0], thread);
    if (const auto *chosen = std::get_if<std::int64_t>(&condition))
      return element(node.children[*chosen ? 1 : 2], thread);
    if (Element total = element_of_choice(node, thread); !std::holds_alternative<Unknown>(total))
      return total;
    if (Element chosen = element_of_operation(node, thread); !std::holds_alternative<Unknown>(chosen))
      return chosen;
  }
  if (node.kind == Kind::cast) {
    const Element inner = element(node.children[0], thread);
    const auto *value = std::get_if<Expr>(&inner);
    return value ? Element(Expr{ExprKind::cast, node.type.text, node.type.text, {*value}}) : inner;
  }
  const auto own = [&] {
    return rewrite::find(node, [&](const Node &one) {
             return results_.contains(&one) || (one.kind == Kind::name && (spread_.contains(one.variable) ||
                                                                           shared_.contains(one.variable)));
           }) != nullptr;
  };
  if (node.kind == Kind::binary && !node.overloaded && own()) return element_of_binary(node, thread);
  if (node.kind == Kind::call) {
    const Element one = element_of_call(node, thread);
    if (!std::holds_alternative<Unknown>(one)) return one;
  }
  const bool negative = node.kind == Kind::unary && node.text == "-" && !node.overloaded;
  const bool call = node.kind == Kind::call && node.function < 0;
  if ((negative || call) && own() && (negative || !effect_of(node)))
    return element_of_operation(node, thread);
  // The same for all threads, so it is written once.
  auto known = expressions_.find(&node);
  if (known == expressions_.end()) {
    const auto value = expr(node);
    known = expressions_.emplace(&node, value ? of_index(*value) : std::nullopt).first;
  }
  const std::optional<Expr> &value = known->second;
  if (!value) return Unknown{};
  if (const auto number = integer_of(*value, thread)) return *number;
  return *value;
}

}  // namespace cupilot::lift
