// SPDX-License-Identifier: Apache-2.0
#include "annotate/rewrite/analysis.h"

#include <fmt/format.h>
#include <algorithm>
#include <set>

namespace cupilot::rewrite {

void walk(const Node &tree, const std::function<void(const Node &)> &visit) {
  visit(tree);
  for (const Node &child : tree.children) walk(child, visit);
}

const Node *find(const Node &tree, const std::function<bool(const Node &)> &fits) {
  if (fits(tree)) return &tree;
  for (const Node &child : tree.children)
    if (const Node *found = find(child, fits)) return found;
  return nullptr;
}

const Node &bare(const Node &node) {
  const bool integer = node.type.kind == Type::Kind::integer;
  return node.kind == Kind::cast && integer && node.type.bits >= 32 && node.children.size() == 1 &&
                 node.children[0].type.kind == Type::Kind::integer
             ? bare(node.children[0])
             : node;
}

bool same(const Node &left, const Node &right) {
  const Node &a = bare(left), &b = bare(right);
  if (a.value && b.value) return *a.value == *b.value;
  if (a.kind != b.kind || a.text != b.text || a.variable != b.variable ||
      a.children.size() != b.children.size())
    return false;
  const bool comparable = a.kind == Kind::name || a.kind == Kind::builtin || a.kind == Kind::subscript ||
                          a.kind == Kind::binary || a.kind == Kind::unary || a.kind == Kind::member;
  return comparable && std::equal(a.children.begin(), a.children.end(), b.children.begin(), same);
}

bool is_name(const Node &node, int variable) {
  const Node &inner = bare(node);
  return inner.kind == Kind::name && inner.variable == variable;
}

bool mentions(const Node &tree, int variable) {
  return find(tree, [&](const Node &node) { return node.kind == Kind::name && node.variable == variable; });
}

const Node *written_lvalue(const Node &node) {
  if (node.kind == Kind::assign) return &node.children[0];
  const bool steps = node.text == "++" || node.text == "--" || node.text == "&";
  return node.kind == Kind::unary && steps && !node.children.empty() ? &node.children[0] : nullptr;
}

const Node *assigned(const Node &tree, int variable) {
  return find(tree, [&](const Node &node) {
    const Node *target = written_lvalue(node);
    while (target &&
           (target->kind == Kind::member || target->kind == Kind::subscript || target->kind == Kind::cast))
      target = target->kind == Kind::subscript && target->children[0].type.kind == Type::Kind::pointer
                   ? nullptr
                   : &target->children[0];
    return target && target->kind == Kind::name && target->variable == variable;
  });
}

bool assigned_inside(const Node &scope, int variable) {
  const auto declares = [&](const Node &part) {
    return part.kind == Kind::declaration && std::ranges::any_of(part.children, [&](const Node &one) {
             return one.kind == Kind::declare && one.variable == variable;
           });
  };
  const auto straight = [](const Node &part) {
    return part.kind == Kind::assign || part.kind == Kind::unary || part.kind == Kind::declaration;
  };
  return find(scope, [&](const Node &block) {
           return block.kind == Kind::compound && std::ranges::any_of(block.children, declares) &&
                  std::ranges::any_of(block.children, [&](const Node &part) {
                    return !straight(part) && assigned(part, variable);
                  });
         }) != nullptr;
}

int root_variable(const Node &node) {
  if (node.kind == Kind::name) return node.variable;
  const bool through = node.kind == Kind::subscript || node.kind == Kind::member || node.kind == Kind::cast ||
                       node.kind == Kind::unary || node.kind == Kind::binary || node.kind == Kind::assign;
  if (!through || node.children.empty()) return -1;
  if (node.kind == Kind::binary && node.children[1].type.kind == Type::Kind::pointer)
    return root_variable(node.children[1]);
  return root_variable(node.children[0]);
}

bool is_integer_constant(const Node &node, std::int64_t value) {
  return node.value && *node.value == value;
}

namespace {

bool is_builtin(const Node &node, const char *object, char dimension) {
  const Node &inner = bare(node);
  return inner.kind == Kind::builtin && inner.text == std::string(object) + "." + dimension;
}

bool is_block_start(const Node &node, char dimension, std::optional<std::int64_t> &block) {
  const Node &product = bare(node);
  if (product.kind != Kind::binary || product.text != "*" || product.overloaded) return false;
  for (int side = 0; side < 2; ++side) {
    const Node &extent = bare(product.children[1 - side]);
    if (!is_builtin(product.children[side], "blockIdx", dimension)) continue;
    if (is_builtin(extent, "blockDim", dimension)) return true;
    if (extent.value && *extent.value > 0 && (!block || *block == *extent.value)) {
      block = *extent.value;
      return true;
    }
  }
  return false;
}

}  // namespace

bool is_global_index(const Node &node, char dimension, std::optional<std::int64_t> &block) {
  const Node &sum = bare(node);
  if (sum.kind != Kind::binary || sum.text != "+" || sum.overloaded) return false;
  for (int side = 0; side < 2; ++side)
    if (is_builtin(sum.children[side], "threadIdx", dimension) &&
        is_block_start(sum.children[1 - side], dimension, block))
      return true;
  return false;
}

bool is_total_threads(const Node &node, char dimension) {
  const Node &product = bare(node);
  if (product.kind != Kind::binary || product.text != "*" || product.overloaded) return false;
  for (int side = 0; side < 2; ++side)
    if (is_builtin(product.children[side], "gridDim", dimension) &&
        is_builtin(product.children[1 - side], "blockDim", dimension))
      return true;
  return false;
}

bool host_expression(const Kernel &kernel, const Node &node) {
  if (!node.exact && !node.value) return false;
  if (node.kind == Kind::integer || node.kind == Kind::literal) return true;
  if (node.kind == Kind::name)
    return node.value || kernel.variables[node.variable].storage == Storage::parameter;
  const bool arithmetic = node.kind == Kind::binary || node.kind == Kind::cast ||
                          node.kind == Kind::conditional ||
                          (node.kind == Kind::unary && (node.text == "-" || node.text == "+"));
  if (!arithmetic || node.overloaded || node.type.kind == Type::Kind::pointer) return false;
  return std::all_of(node.children.begin(), node.children.end(),
                     [&](const Node &child) { return host_expression(kernel, child); });
}

namespace {

bool starts_with_any(const std::string &text, std::initializer_list<const char *> starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&](const char *start) { return text.starts_with(start); });
}

bool is_cached_load(const std::string &name) {
  return starts_with_any(name, {"__ldg", "__ldcs", "__ldcg", "__ldca", "__ldlu", "__ldcv"});
}

/// Collects the effects of a tree. Calls of functions in the slice are followed, each function once.
class EffectsFinder {
public:
  explicit EffectsFinder(const Kernel &kernel) : kernel_(kernel) {}
  Effects found;

  void look(const Node &node) {
    if (node.type.is_volatile) note(found.volatile_access, node);
    switch (node.kind) {
      case Kind::builtin:
        note(found.coordinate, node);
        break;
      case Kind::lambda:
      case Kind::other_statement:
        note(found.opaque, node);
        break;
      case Kind::name:
        look_at_name(node);
        break;
      case Kind::call:
        look_at_call(node);
        break;
      case Kind::subscript:
      case Kind::unary:
      case Kind::member:
        look_at_access(node);
        break;
      default:
        break;
    }
    if (const Node *target = written_lvalue(node); target && node.text != "&") look_at_write(*target);
    if (node.kind != Kind::call && node.function >= 0) follow(node);
    for (const Node &child : node.children) look(child);
  }

private:
  void note(const Node *&slot, const Node &node) {
    if (!slot) slot = outer_ ? outer_ : &node;
  }
  void look_at_name(const Node &node) {
    const Variable &variable = kernel_.variables[node.variable];
    const std::string &name = variable.name;
    if (name == "threadIdx" || name == "blockIdx" || name == "blockDim" || name == "gridDim")
      note(found.opaque, node);
    if (variable.storage == Storage::shared || variable.storage == Storage::dynamic_shared)
      note(found.shared, node);
    if (variable.storage == Storage::global && variable.in_kernel) note(found.opaque, node);  // static local
    if (variable.storage == Storage::global && !node.value) note(found.read, node);
  }
  void look_at_access(const Node &node) {
    if (node.kind == Kind::unary && node.text != "*") return;
    if (node.kind == Kind::member && !node.overloaded) return;
    if (node.children[0].type.kind == Type::Kind::pointer) note(found.read, node);
    if (node.children[0].type.element_volatile) note(found.volatile_access, node);
  }
  void look_at_write(const Node &target) {
    const Node *inner = &target;
    while (inner->kind == Kind::member && !inner->overloaded) inner = &inner->children[0];
    if (inner->kind == Kind::subscript && inner->children[0].type.kind == Type::Kind::array)
      return look_at_write(inner->children[0]);
    const bool own = inner->kind == Kind::name &&
                     kernel_.variables[inner->variable].storage != Storage::global &&
                     !kernel_.variables[inner->variable].type.is_reference;
    if (!own) note(found.write, target);
  }
  void look_at_call(const Node &node) {
    const std::string &name = node.text;
    if (node.function >= 0) return follow(node);
    if (starts_with_any(name, {"__syncwarp", "__shfl", "__ballot", "__any", "__all", "__match", "__reduce_",
                               "__activemask"}))
      note(found.lanes, node);
    if (starts_with_any(name, {"__sync", "__shfl", "__ballot", "__any", "__all", "__match", "__reduce_",
                               "__activemask", "__threadfence", "__nanosleep", "__barrier", "__pipeline"}))
      return note(found.collective, node);
    if (starts_with_any(name, {"atomic", "__nv_atomic"})) return note(found.atomic, node);
    if (is_cached_load(name)) return note(found.read, node);
    if (name.empty() || node.children.empty() ||
        starts_with_any(name,
                        {"printf", "__assert", "assert", "malloc", "free", "memcpy", "memset", "clock"}))
      return note(found.opaque, node);
    for (const Node &argument : node.children) {
      const bool local_result =
          argument.kind == Kind::unary && argument.text == "&" && argument.children[0].kind == Kind::name;
      if (!local_result && (argument.type.kind == Type::Kind::pointer || argument.kind == Kind::lambda))
        note(found.opaque, node);
    }
  }
  void follow(const Node &node) {
    if (!followed_.insert(node.function).second) return;
    const Node *before = outer_;
    if (!outer_) outer_ = &node;
    look(kernel_.functions[node.function].body);
    outer_ = before;
  }

  const Kernel &kernel_;
  std::set<int> followed_;
  const Node *outer_ = nullptr;  ///< the call in the kernel's own text, while a called function is examined
};

}  // namespace

Effects effects_of(const Kernel &kernel, const Node &tree) {
  EffectsFinder finder(kernel);
  finder.look(tree);
  return finder.found;
}

const Node *coordinate_call(const Kernel &kernel, const Node &tree) {
  return find(tree, [&](const Node &node) {
    return node.function >= 0 && effects_of(kernel, kernel.functions[node.function].body).coordinate;
  });
}

std::optional<Obstacle> cooperation(const Effects &effects) {
  if (effects.collective)
    return Obstacle{fmt::format("threads cooperate here ({})", effects.collective->text),
                    effects.collective->line};
  if (effects.shared) return Obstacle{"the kernel uses shared memory", effects.shared->line};
  if (effects.opaque)
    return Obstacle{fmt::format("the source does not show the effects of this code ({})",
                                effects.opaque->text.empty() ? "inline assembly, a lambda or an unknown call"
                                                             : effects.opaque->text),
                    effects.opaque->line};
  if (effects.volatile_access)
    return Obstacle{"the kernel accesses volatile memory", effects.volatile_access->line};
  return std::nullopt;
}

bool may_overlap(const Variable &a, const Variable &b) {
  if (a.type.is_restrict || b.type.is_restrict) return false;
  const std::string &left = a.type.element.empty() ? a.type.text : a.type.element;
  const std::string &right = b.type.element.empty() ? b.type.text : b.type.element;
  const bool bytes = left.find("char") != std::string::npos || right.find("char") != std::string::npos;
  return bytes || left == right;
}

bool fits_vector(const Type &type) {
  const bool size =
      type.element_bits == 8 || type.element_bits == 16 || type.element_bits == 32 || type.element_bits == 64;
  const bool known = type.element_scalar || type.element == "__half" || type.element == "__nv_bfloat16";
  return size && known && type.element_trivial && !type.element_volatile;
}

}  // namespace cupilot::rewrite
