// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <utility>

#include "annotate/lift/plain.h"
#include "annotate/lift/plain_nodes.h"
#include "annotate/rewrite/analysis.h"
#include "annotate/rewrite/text.h"

namespace cupilot::lift {
namespace {

using rewrite::Kind;
using rewrite::Node;
using rewrite::Type;

/// `condition ? yes : no`
Node choice(const Node &branch, Node yes, Node no) {
  Node made{.kind = Kind::conditional, .begin = branch.begin, .end = branch.end, .line = branch.line};
  made.type = no.type.kind == Type::Kind::floating ? no.type : yes.type;
  made.children = {branch.children[0], std::move(yes), std::move(no)};
  return made;
}

/// What statements return that do nothing else, `if` by `if`.
std::optional<Node> returned(const std::vector<const Node *> &parts, std::size_t from) {
  if (from >= parts.size()) return std::nullopt;
  const Node &one = *parts[from];
  if (one.kind == Kind::return_ && one.children.size() == 1)
    return has_steps(one) ? std::nullopt : std::optional(one.children[0]);
  if (one.kind != Kind::if_ || has_steps(one.children[0])) return std::nullopt;
  auto yes = returned(rewrite::parts_of(one.children[1]), 0);
  auto no = one.children[2].kind == Kind::none ? returned(parts, from + 1)
                                               : returned(rewrite::parts_of(one.children[2]), 0);
  if (!yes || !no) return std::nullopt;
  return choice(one, *std::move(yes), *std::move(no));
}

}  // namespace

void join_returns(rewrite::Kernel &kernel) {
  for (rewrite::Function &function : kernel.functions) {
    if (function.body.kind != Kind::compound) continue;
    std::vector<Node> &body = function.body.children;
    const auto parts = rewrite::parts_of(function.body);
    if (parts.size() != body.size()) continue;
    for (std::size_t i = 0; i < body.size(); ++i) {
      if (body[i].kind != Kind::if_) continue;
      auto value = returned(parts, i);
      if (!value) continue;
      Node result{
          .kind = Kind::return_, .begin = body[i].begin, .end = body.back().end, .line = body[i].line};
      result.children.push_back(*std::move(value));
      body.resize(i);
      body.push_back(std::move(result));
      break;
    }
  }
}

}  // namespace cupilot::lift
