// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "annotate/lift/plain.h"
#include "annotate/lift/plain_nodes.h"
#include "annotate/rewrite/analysis.h"

namespace cupilot::lift {
namespace {

using rewrite::Kernel;
using rewrite::Kind;
using rewrite::Node;
using rewrite::Storage;
using rewrite::Type;

/// The terms of a sum of whole numbers.
void add_terms(const Node &node, std::vector<const Node *> &terms) {
  const Node &sum = rewrite::bare(node);
  if (sum.kind == Kind::binary && sum.text == "+" && !sum.value) {
    add_terms(sum.children[0], terms);
    add_terms(sum.children[1], terms);
  } else {
    terms.push_back(&sum);
  }
}

/// What a term counts with a width: `row` of `row * 8`; nullptr: it does not.
const Node *counted_in(const Node &term, std::int64_t width) {
  if (term.kind != Kind::binary || term.text != "*" || term.value) return nullptr;
  for (int side = 0; side < 2; ++side)
    if (term.children[side].value == width) return &term.children[1 - side];
  return nullptr;
}

class FlatArrays {
public:
  explicit FlatArrays(Kernel &kernel) : kernel_(kernel) {}

  void run() {
    std::set<int> other;  // arrays that are used in any other way
    rewrite::walk(kernel_.body, [&](const Node &one) {
      if (one.kind == Kind::subscript && is_flat(one.children[0])) {
        note(one);
        bases_.insert(&one.children[0]);
      }
      if (one.kind == Kind::name && is_flat(one) && !bases_.contains(&one)) other.insert(one.variable);
    });
    for (const int array : other) widths_.erase(array);
    std::erase_if(widths_, [](const auto &one) { return one.second.empty(); });
    if (widths_.empty()) return;
    for (const auto &[array, widths] : widths_) {
      auto &extents = kernel_.variables[static_cast<std::size_t>(array)].type.extents;
      extents = {extents[0] / *widths.rbegin(), *widths.rbegin()};
    }
    take_apart(kernel_.body);
  }

private:
  bool is_flat(const Node &node) const {
    if (node.kind != Kind::name || node.variable < 0) return false;
    const rewrite::Variable &variable = kernel_.variables[static_cast<std::size_t>(node.variable)];
    return (variable.storage == Storage::local || variable.storage == Storage::shared) &&
           variable.type.kind == Type::Kind::array && variable.type.extents.size() == 1;
  }

  /// Keeps the widths of rows that all elements so far are counted in.
  void note(const Node &element) {
    std::vector<const Node *> terms;
    add_terms(element.children[1], terms);
    const int array = element.children[0].variable;
    const std::int64_t extent = kernel_.variables[static_cast<std::size_t>(array)].type.extents[0];
    std::set<std::int64_t> own;
    for (const Node *term : terms)
      for (int side = 0; term->kind == Kind::binary && side < 2; ++side)
        if (const auto width = term->children[side].value;
            width && *width > 1 && extent % *width == 0 && counted_in(*term, *width) != nullptr)
          own.insert(*width);
    if (terms.size() < 2) own.clear();
    const auto [known, fresh] = widths_.try_emplace(array, own);
    if (!fresh) std::erase_if(known->second, [&](std::int64_t width) { return !own.contains(width); });
  }

  /// `flat[row * 8 + col]` as `flat[row][col]`.
  void take_apart(Node &node) {
    for (Node &child : node.children) take_apart(child);
    if (node.kind != Kind::subscript || node.children[0].kind != Kind::name) return;
    const auto widths = widths_.find(node.children[0].variable);
    if (widths == widths_.end()) return;
    const Node index = node.children[1];
    std::vector<const Node *> terms;
    add_terms(index, terms);
    std::optional<Node> row, col;
    for (const Node *term : terms) {
      const Node *counted = counted_in(*term, *widths->second.rbegin());
      std::optional<Node> &sum = counted ? row : col;
      const Node &own = counted ? *counted : *term;
      if (!sum) {
        sum = own;
        continue;
      }
      Node both = index;
      both.kind = Kind::binary;
      both.text = "+";
      both.value.reset();
      both.children = {*sum, own};
      sum = std::move(both);
    }
    Node inner = node;
    inner.children[1] = row.value_or(integer_at(index, 0));
    node.children = {std::move(inner), col.value_or(integer_at(index, 0))};
  }

  Kernel &kernel_;
  std::map<int, std::set<std::int64_t>> widths_;  ///< by array
  std::set<const Node *> bases_;
};

}  // namespace

void give_arrays_rows(Kernel &kernel) {
  FlatArrays(kernel).run();
}

}  // namespace cupilot::lift
