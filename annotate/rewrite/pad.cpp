// SPDX-License-Identifier: Apache-2.0
#include "annotate/rewrite/pad.h"

#include <fmt/format.h>
#include <algorithm>

#include "annotate/support/names.h"

namespace cupilot::rewrite {
namespace {

/// Visits all uses of one array. A use without all subscripts is kept as the reason not to pad.
class Uses {
public:
  Uses(int variable, std::size_t depth) : variable_(variable), depth_(depth) {}

  void look(const Node &node) {
    if (node.kind == Kind::subscript) {
      const Node *base = &node;
      std::size_t depth = 0;
      const Node *first = nullptr;
      for (; base->kind == Kind::subscript; base = &base->children[0], ++depth) first = &base->children[1];
      if (is_name(*base, variable_) && depth == depth_) {
        // tile[0][i] with a varying i indicates that the array is used as a flat one.
        const bool flat = first->value && !node.children[1].value;
        if (flat) note(node, "is indexed like a flat array");
        for (const Node *at = &node; at->kind == Kind::subscript; at = &at->children[0])
          look(at->children[1]);
        return;
      }
    }
    if (node.kind == Kind::name && node.variable == variable_)
      note(node, "is used other than by full subscripts");
    if (node.kind == Kind::unary && node.text == "&" && root_variable(node.children[0]) == variable_)
      note(node, "has its address taken");
    for (const Node &child : node.children) look(child);
  }

  std::optional<Obstacle> against;

private:
  void note(const Node &node, const std::string &reason) {
    if (!against) against = Obstacle{reason, node.line};
  }
  int variable_;
  std::size_t depth_;
};

std::optional<Obstacle> pad_one(const Kernel &kernel, const Node &declared_at, const std::string &knob,
                                Edits &edits) {
  const Variable &it = kernel.variables[declared_at.variable];
  const auto against = [&](const std::string &reason, int line) {
    return Obstacle{fmt::format("'{}' {}", it.name, reason), line};
  };
  Uses uses(declared_at.variable, it.type.extents.size());
  uses.look(kernel.body);
  if (uses.against) return against(uses.against->reason, uses.against->line);
  if (it.type.extents.back() % 2) return against("has rows of odd length already", declared_at.line);
  if (it.type.element_volatile) return against("is volatile", declared_at.line);
  const bool bracket = declared_at.exact && declared_at.end > 0 && kernel.source[declared_at.end - 1] == ']';
  if (!bracket) return against("is declared in a way that cannot be edited", declared_at.line);
  const std::size_t open = kernel.source.rfind('[', declared_at.end);
  const std::string extent = kernel.source.substr(open + 1, declared_at.end - open - 2);
  const bool plain = std::ranges::all_of(extent, is_name_character);
  edits.replace(open, declared_at.end,
                plain ? fmt::format("[{} + {}]", extent, knob) : fmt::format("[({}) + {}]", extent, knob));
  return std::nullopt;
}

}  // namespace

std::optional<Obstacle> pad_shared(const Kernel &kernel, const std::string &knob, Edits &edits) {
  std::optional<Obstacle> first;
  bool padded = false;
  walk(kernel.body, [&](const Node &node) {
    if (node.kind != Kind::declare || node.variable < 0) return;
    const Variable &it = kernel.variables[node.variable];
    if (it.storage != Storage::shared || it.type.extents.size() < 2) return;
    const auto against = pad_one(kernel, node, knob, edits);
    padded = padded || !against;
    if (against && !first) first = against;
  });
  if (padded) return std::nullopt;
  return first ? first : Obstacle{"the kernel has no shared array of two or more dimensions", kernel.line};
}

}  // namespace cupilot::rewrite
