// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
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

bool has_return(const Node &node) {
  return rewrite::find(node, [](const Node &one) { return one.kind == Kind::return_; }) != nullptr;
}

/// The statements with `result = value` in place of each return, where every way through them ends in one:
/// what stands behind an `if` that returns is its other branch.
std::optional<std::vector<Node>> assigned_results(const std::vector<Node> &statements, const Node &result) {
  std::vector<Node> written;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const Node &one = statements[i];
    if (one.kind == Kind::return_) {
      if (one.children.size() != 1 || one.children[0].type.text != result.type.text) return std::nullopt;
      Node target = result;
      target.line = one.line;
      written.push_back(assignment_of("=", std::move(target), one.children[0]));
      return written;
    }
    if (!has_return(one)) {
      written.push_back(one);
      continue;
    }
    const auto parts = [](const Node &body) {
      return body.kind == Kind::compound ? body.children : std::vector<Node>{body};
    };
    if (one.kind == Kind::compound && i + 1 == statements.size()) {
      auto inner = assigned_results(one.children, result);
      if (!inner) return std::nullopt;
      written.push_back(compound_at(one, *std::move(inner)));
      return written;
    }
    if (one.kind != Kind::if_) return std::nullopt;
    const auto yes = assigned_results(parts(one.children[1]), result);
    std::vector<Node> rest(statements.begin() + static_cast<std::ptrdiff_t>(i) + 1, statements.end());
    const bool alone = one.children[2].kind == Kind::none;
    if (!alone && !rest.empty()) return std::nullopt;
    const auto no = assigned_results(alone ? rest : parts(one.children[2]), result);
    if (!yes || !no) return std::nullopt;
    Node branch = one;
    branch.children[1] = compound_at(one, *yes);
    branch.children[2] = compound_at(one, *no);
    written.push_back(std::move(branch));
    return written;
  }
  return std::nullopt;
}

/// `if (n == 0) return; rest` of a function without a result as `if (n == 0) {} else { rest }`; nullopt: it
/// returns elsewhere as well.
std::optional<std::vector<Node>> without_returns(const std::vector<Node> &statements) {
  std::vector<Node> written;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const Node &one = statements[i];
    if (one.kind == Kind::return_) return one.children.empty() ? std::optional(written) : std::nullopt;
    if (!has_return(one)) {
      written.push_back(one);
      continue;
    }
    const auto parts = rewrite::parts_of(one.kind == Kind::if_ ? one.children[1] : one);
    const bool leaves = one.kind == Kind::if_ && one.children[2].kind == Kind::none && !parts.empty() &&
                        parts.back()->kind == Kind::return_;
    if (!leaves) return std::nullopt;
    std::vector<Node> before;
    for (const Node *part : parts) before.push_back(*part);
    const auto yes = without_returns(before);
    const auto no =
        without_returns({statements.begin() + static_cast<std::ptrdiff_t>(i) + 1, statements.end()});
    if (!yes || !no) return std::nullopt;
    Node branch = one;
    branch.children[1] = compound_at(one, *yes);
    branch.children[2] = compound_at(one, *no);
    written.push_back(std::move(branch));
    return written;
  }
  return written;
}

/// A function of which the only return is the last statement.
void return_once(rewrite::Kernel &kernel, rewrite::Function &function) {
  std::vector<Node> &body = function.body.children;
  const bool early = std::any_of(body.begin(), body.end(), [&](const Node &one) {
    return one.kind != Kind::return_ && has_return(one);
  });
  const Node *first = rewrite::find(function.body, [](const Node &one) { return one.kind == Kind::return_; });
  if (!early) return;
  if (first->children.empty()) {
    if (auto written = without_returns(body)) body = *std::move(written);
    return;
  }
  const Node &value = first->children[0];
  const Node result = name_at(value, kernel, {"result", value.type, rewrite::Storage::local, true});
  auto written = assigned_results(body, result);
  if (!written) return;
  Node declaration = node_at(value, Kind::declaration), declare = result,
       last = node_at(value, Kind::return_);
  declare.kind = Kind::declare;
  declaration.children = {std::move(declare)};
  last.children = {result};
  written->insert(written->begin(), std::move(declaration));
  written->push_back(std::move(last));
  body = *std::move(written);
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
    return_once(kernel, function);
  }
}

}  // namespace cupilot::lift
