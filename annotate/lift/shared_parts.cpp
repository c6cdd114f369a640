// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "annotate/lift/plain.h"
#include "annotate/lift/plain_nodes.h"
#include "annotate/rewrite/analysis.h"
#include "annotate/rewrite/text.h"

namespace cupilot::lift {
namespace {

using rewrite::Kernel;
using rewrite::Kind;
using rewrite::Node;
using rewrite::Storage;
using rewrite::Type;

/// Where in the shared memory that is sized at launch a pointer begins.
struct Begin {
  int array = -1;
  std::string offset;
};

class SharedParts {
public:
  explicit SharedParts(Kernel &kernel) : kernel_(kernel) {}

  void run() {
    rewrite::walk(kernel_.body, [&](const Node &one) {
      if (one.kind != Kind::declare || one.children.size() != 1 || one.variable < 0) return;
      const rewrite::Variable &variable = kernel_.variables[static_cast<std::size_t>(one.variable)];
      if (variable.type.kind != Type::Kind::pointer || variable.storage != Storage::local) return;
      if (rewrite::assigned(kernel_.body, one.variable)) return;
      if (const Begin begin = begin_of(one.children[0]); begin.array >= 0) parts_[one.variable] = begin;
    });
    if (parts_.empty() || !apart()) return;
    for (const auto &[pointer, begin] : parts_) {
      rewrite::Variable &part = kernel_.variables[static_cast<std::size_t>(pointer)];
      const std::string element = part.type.element;
      const int bits = part.type.element_bits;
      part.type = kernel_.variables[static_cast<std::size_t>(begin.array)].type;
      part.type.element = element;
      part.type.element_bits = bits;
      part.storage = Storage::dynamic_shared;
    }
    forget_begins(kernel_.body);
  }

private:
  bool is_shared(int variable) const {
    return variable >= 0 &&
           kernel_.variables[static_cast<std::size_t>(variable)].storage == Storage::dynamic_shared;
  }

  /// Of `memory`, `memory + n`, `&memory[n]` and casts of these, where `memory` may be such a pointer itself.
  Begin begin_of(const Node &value) const {
    const Node &node = rewrite::bare(value);
    if (node.kind == Kind::cast) return begin_of(node.children[0]);
    if (node.kind == Kind::name) {
      const auto known = parts_.find(node.variable);
      if (known != parts_.end()) return known->second;
      return is_shared(node.variable) ? Begin{node.variable, ""} : Begin{};
    }
    const bool sum = node.kind == Kind::binary && node.text == "+" && !node.overloaded;
    const Node *element =
        node.kind == Kind::unary && node.text == "&" ? &rewrite::bare(node.children[0]) : nullptr;
    if (!sum && (element == nullptr || element->kind != Kind::subscript)) return {};
    const Node &whole = sum ? node : *element;
    Begin begin = begin_of(whole.children[0]);
    begin.offset += " + " + rewrite::text_of(kernel_, whole.children[1]);
    return begin;
  }

  /// Whether every part begins elsewhere, and is only used element by element.
  bool apart() const {
    std::set<std::pair<int, std::string>> begins;
    for (const auto &[pointer, begin] : parts_)
      if (!begins.insert({begin.array, begin.offset}).second) return false;
    // Names that are the base of a subscript, or the begin of a part.
    std::set<const Node *> known;
    const auto add = [&](const Node &node) {
      rewrite::walk(node, [&](const Node &one) {
        if (one.kind == Kind::name) known.insert(&one);
      });
    };
    rewrite::walk(kernel_.body, [&](const Node &one) {
      if (one.kind == Kind::declare && parts_.contains(one.variable)) add(one.children[0]);
      if (one.kind == Kind::subscript && one.children[0].kind == Kind::name &&
          parts_.contains(one.children[0].variable))
        known.insert(&one.children[0]);
    });
    return rewrite::find(kernel_.body, [&](const Node &one) {
             const bool part =
                 one.kind == Kind::name && (parts_.contains(one.variable) || is_begun(one.variable));
             return part && !known.contains(&one);
           }) == nullptr;
  }
  /// Whether parts are made of this array.
  bool is_begun(int array) const {
    return std::ranges::any_of(parts_, [&](const auto &part) { return part.second.array == array; });
  }

  void forget_begins(Node &node) {
    if (node.kind == Kind::declare && parts_.contains(node.variable)) node.children.clear();
    for (Node &child : node.children) forget_begins(child);
  }

  Kernel &kernel_;
  std::map<int, Begin> parts_;
};

}  // namespace

void name_shared_parts(Kernel &kernel) {
  SharedParts(kernel).run();
}

}  // namespace cupilot::lift
