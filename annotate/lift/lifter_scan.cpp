// SPDX-License-Identifier: Apache-2.0
//
// Scans that the threads of a block make together (Hillis and Steele 1986): where each holds the fold of what
// the threads up to it contribute, a loop over the threads goes on from one to the next.

#include <fmt/format.h>

#include <algorithm>

#include "annotate/lift/lifter.h"
#include "annotate/rewrite/analysis.h"
#include "annotate/rewrite/text.h"
#include "annotate/spec/lifted_text.h"

namespace cupilot::lift {

using rewrite::Kind;
using spec::Expr;
using spec::ExprKind;
using spec::Statement;
using spec::StatementKind;

/// Whether threads change what is in shared memory by what others have put there, so that it is no tile.
bool Lifter::exchanges(const Node &body) const {
  const auto is_shared = [&](const Node &one) {
    return one.kind == Kind::subscript && shared_.contains(rewrite::root_variable(one));
  };
  const auto changes = [&](const Node &one) {
    return one.kind == Kind::assign && is_shared(one.children[0]) &&
           (one.text != "=" || rewrite::find(one.children[1], is_shared) != nullptr);
  };
  return rewrite::find(body, [&](const Node &one) {
           return (one.kind == Kind::for_ || one.kind == Kind::while_) && !fills_tiles(one) &&
                  rewrite::find(one, changes) != nullptr;
         }) != nullptr;
}

/// The reduction of which each thread holds, in this expression, the shares of all threads up to it, or of
/// all before it.
Lifter::Scan Lifter::scanned_by(const Node &node) {
  const bool kind = node.kind == Kind::name || node.kind == Kind::subscript ||
                    node.kind == Kind::conditional || (node.kind == Kind::binary && !node.overloaded);
  const auto holds = [&](const Node &one) {
    return one.kind == Kind::name && (spread_.contains(one.variable) || shared_.contains(one.variable));
  };
  if (!kind || rewrite::find(node, holds) == nullptr) return {};
  Scan scan;
  const Element second = held(node, 1);  // the first thread has nothing of an exclusive scan
  const Share *share = std::get_if<Share>(&second);
  if (share == nullptr) return {};
  scan.partial = share->partial;
  scan.base = share->base;
  scan.exclusive = !share->members[1];
  const Partial &partial = partials_[static_cast<std::size_t>(scan.partial)];
  for (int thread = 0; thread < threads_; ++thread) {
    const Element element = held(node, thread);
    if (thread == 0 && scan.exclusive) {
      const auto *value = std::get_if<Expr>(&element);
      const bool begins = spec::is_set(scan.base) ? value != nullptr && *value == scan.base
                                                  : is_neutral(partial.op, element, Unknown{});
      if (!begins) return {};
      continue;
    }
    share = std::get_if<Share>(&element);
    if (share == nullptr || share->partial != scan.partial || !(share->base == scan.base)) return {};
    for (int other = 0; other < threads_; ++other)
      if (share->members[static_cast<std::size_t>(other)] != (other < thread + !scan.exclusive)) return {};
  }
  return scan;
}

/// `y[col] = before + sums[thread]`, perhaps under a condition.
Lift<bool> Lifter::scan_store(const Node &node) {
  if (threads_ < 2 || std::ranges::find(alive_, false) != alive_.end()) return false;
  const Node *store = &node;
  if (node.kind == Kind::if_) {
    const auto parts = rewrite::parts_of(node.children[1]);
    if (node.children[2].kind != Kind::none || parts.size() != 1) return false;
    store = parts[0];
  }
  const int root = store->kind == Kind::assign ? rewrite::root_variable(store->children[0]) : -1;
  if (root < 0 || store->children[0].kind != Kind::subscript || shared_.contains(root)) return false;
  expressions_.clear();
  Scan scan;
  const Node *scanned = rewrite::find(store->children[1], [&](const Node &one) {
    scan = scanned_by(one);
    return scan.partial >= 0;
  });
  if (scanned == nullptr) return false;
  Partial partial = partials_[static_cast<std::size_t>(scan.partial)];
  const auto nothing = spec::identity_of(partial.op, partial.type);
  if (!nothing || !spec::is_set(partial.value)) return false;
  partial.name = fresh("so_far");
  const Expr so_far = spec::named(ExprKind::value, partial.name, partial.type);
  results_[scanned] =
      Spread(static_cast<std::size_t>(threads_),
             spec::is_set(scan.base) ? spec::binary(partial.op, scan.base, so_far, partial.type) : so_far);
  team_ = false;  // what is left of the statement is each thread's own
  auto rest = in_scope({&node});
  team_ = true;
  results_.clear();
  if (!rest) return std::unexpected(rest.error());
  bool over = false;  // a total of the same would read what is written here
  spec::visit_statements(*rest, [&](const Statement &one) {
    spec::visit(partial.value, [&](const Expr &part) {
      over =
          over || (one.kind == StatementKind::store && part.kind == ExprKind::load && part.text == one.name);
    });
  });
  if (over)
    return not_lifted("a scan of the threads of a block is written over what it is made of", node.line);
  fold_over_threads(partial, *nothing, spec::LoopKind::ordered, std::move(*rest), scan.exclusive, node.line);
  return true;
}

/// What threads hold is not what it was made of any more, if that was the variable.
void Lifter::forget(const std::string &name) {
  changed_.insert(name);
  const auto made_of_it = [&](const Element &element) {
    if (const auto *value = std::get_if<Expr>(&element)) return spec::mentions(*value, name);
    const auto *share = std::get_if<Share>(&element);
    if (share == nullptr) return false;
    const Partial &partial = partials_[static_cast<std::size_t>(share->partial)];
    return spec::mentions(share->base, name) || (!partial.written && spec::mentions(partial.value, name));
  };
  for (auto &[variable, spread] : spread_)
    for (Element &element : spread)
      if (made_of_it(element)) element = Unknown{};
  for (auto &[array, known] : shared_)
    for (auto &[index, element] : known.elements)
      if (made_of_it(element)) element = Unknown{};
}

/// Before a loop over data in which threads exchange values: what the loop changes is not known at the begin
/// of a round. A number in shared memory is a variable from here on. What the variables that the loop changes
/// are called where a round begins.
Lifter::Rounds Lifter::begin_rounds(const Node &body, const Node &loop) {
  std::set<int> carried;
  for (auto &[array, known] : shared_) {
    if (!rewrite::assigned(body, array)) continue;
    if (carried_.contains(array)) continue;  // by a loop around this one
    const rewrite::Variable &variable = kernel_.variables[static_cast<std::size_t>(array)];
    const auto first = known.elements.find(0);
    const Element begin = first == known.elements.end() ? Element(Unknown{}) : settled(first->second);
    known.elements.clear();
    if (variable.type.kind != rewrite::Type::Kind::floating || tiles_.contains(array)) continue;
    const auto *value = std::get_if<Expr>(&begin);
    const auto *number = std::get_if<std::int64_t>(&begin);
    if (number == nullptr && (value == nullptr || depends_on_member(*value))) continue;
    const std::string name = fresh(variable.name);
    emit({.kind = StatementKind::variable,
          .name = name,
          .type = variable.type.text,
          .value = value ? *value : spec::constant(*number)},
         loop);
    carried_[array] = name;
    carried.insert(array);
    known.elements[0] = spec::named(ExprKind::value, name, variable.type.text);
  }
  Rounds rounds{.carried = std::move(carried)};
  for (const int variable : forget_rounds(body)) rounds.names[variable] = "";
  for (const auto &[variable, value] : values_)
    if (value.kind == ExprKind::value && initial_.contains(variable) && rewrite::assigned(body, variable))
      rounds.names[variable] = value.text;
  return rounds;
}

/// Of variables that a loop changes, what threads hold there is known only if it is each thread's part of
/// what loops over data have folded: the next round goes on folding it. Those of which it is known.
std::set<int> Lifter::forget_rounds(const Node &body) {
  std::set<int> known;
  for (auto &[variable, spread] : spread_) {
    if (!rewrite::assigned(body, variable)) continue;
    bool all = true;
    for (std::size_t thread = 0; thread < spread.size(); ++thread) {
      const auto *share = std::get_if<Share>(&spread[thread]);
      const Partial *partial = share ? &partials_[static_cast<std::size_t>(share->partial)] : nullptr;
      const bool own = partial != nullptr && share->members[thread] &&
                       std::ranges::count(share->members, true) == 1 && !spec::is_set(share->base) &&
                       !spec::is_set(partial->value);
      if (!own) spread[thread] = Unknown{};
      all = all && own;
    }
    if (all) known.insert(variable);
  }
  return known;
}

/// After it. Each round has to begin as the first one did.
Lift<void> Lifter::end_rounds(const Node &body, const Rounds &before) {
  for (auto &[array, known] : shared_) {
    if (!rewrite::assigned(body, array)) continue;
    const auto carried = carried_.find(array);
    known.elements.clear();
    if (carried == carried_.end()) continue;
    known.elements[0] = spec::named(ExprKind::value, carried->second,
                                    kernel_.variables[static_cast<std::size_t>(array)].type.text);
    if (before.carried.contains(array)) carried_.erase(carried);
  }
  const std::set<int> known = forget_rounds(body);
  for (const auto &[variable, name] : before.names) {
    const auto value = values_.find(variable);
    const bool same = !name.empty() && value != values_.end() && value->second.kind == ExprKind::value &&
                      value->second.text == name;
    if (!same && !known.contains(variable))
      return not_lifted(
          fmt::format("what threads have of '{}' is another thing in each round", name_of(variable)),
          body.line);
  }
  return {};
}

/// `if (thread == last) carry = before + sum;`: the variable that stands for it goes on as the same.
Lift<void> Lifter::carry_on(const Node &node, const Spread &values, const Mask &mask) {
  const int array = rewrite::root_variable(node.children[0]);
  const std::string name = carried_.at(array);
  const rewrite::Type &type = kernel_.variables[static_cast<std::size_t>(array)].type;
  auto value = uniform(values, mask);
  if (!value) return not_lifted("what is written here is no sum or maximum over the block", node.line);
  change_to(name, type.text, *std::move(value), node);
  shared_.at(array).elements[0] = spec::named(ExprKind::value, name, type.text);
  return {};
}

}  // namespace cupilot::lift
