// SPDX-License-Identifier: Apache-2.0
//
// Scans that the threads of a block make together (Hillis and Steele 1986): where each holds the fold of what
// the threads up to it contribute, a loop over the threads goes on from one to the next.

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

/// The reduction of which each thread holds, in this variable or element of shared memory, the shares of all
/// threads up to it; -1: there is none.
int Lifter::scanned_by(const Node &node) {
  const auto spread = node.kind == Kind::name ? spread_.find(node.variable) : spread_.end();
  const bool own = spread != spread_.end();
  const int root = node.kind == Kind::subscript ? rewrite::root_variable(node) : -1;
  if (!own && (!shared_.contains(root) || !is_own_of_team(node))) return -1;
  int partial = -1;
  for (int thread = 0; thread < threads_; ++thread) {
    const Element *held = own ? &spread->second[static_cast<std::size_t>(thread)] : nullptr;
    if (!own) {
      int array = -1;
      const auto index = shared_index(node, thread, array);
      const auto &elements = shared_.at(root).elements;
      const auto found = index ? elements.find(*index) : elements.end();
      if (found != elements.end()) held = &found->second;
    }
    const Share *share = held ? std::get_if<Share>(held) : nullptr;
    if (share == nullptr || (partial >= 0 && share->partial != partial)) return -1;
    partial = share->partial;
    for (int other = 0; other < threads_; ++other)
      if (share->members[static_cast<std::size_t>(other)] != (other <= thread)) return -1;
  }
  return partial;
}

/// `y[col] = before + sums[thread]`, perhaps under a condition.
Lift<bool> Lifter::scan_store(const Node &node) {
  if (warps_ || threads_ < 2 || std::ranges::find(alive_, false) != alive_.end()) return false;
  const Node *store = &node;
  if (node.kind == Kind::if_) {
    const auto parts = rewrite::parts_of(node.children[1]);
    if (node.children[2].kind != Kind::none || parts.size() != 1) return false;
    store = parts[0];
  }
  const int root = store->kind == Kind::assign ? rewrite::root_variable(store->children[0]) : -1;
  if (root < 0 || store->children[0].kind != Kind::subscript || shared_.contains(root)) return false;
  expressions_.clear();
  int scanned = -1;
  const Node *held = rewrite::find(store->children[1], [&](const Node &one) {
    scanned = scanned_by(one);
    return scanned >= 0;
  });
  if (held == nullptr) return false;
  Partial partial = partials_[static_cast<std::size_t>(scanned)];
  const auto nothing = spec::identity_of(partial.op, partial.type);
  if (!nothing || !spec::is_set(partial.value)) return false;
  partial.name = fresh("so_far");
  results_[held] =
      Spread(static_cast<std::size_t>(threads_), spec::named(ExprKind::value, partial.name, partial.type));
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
  fold_over_threads(partial, *nothing, spec::LoopKind::ordered, std::move(*rest), node.line);
  return true;
}

}  // namespace cupilot::lift
