// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

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

bool is_comma(const Node &node) {
  return node.kind == Kind::binary && node.text == "," && !node.overloaded;
}

/// A `continue` of this loop itself.
bool continues(const Node &body) {
  if (body.kind == Kind::continue_) return true;
  if (body.kind == Kind::for_ || body.kind == Kind::while_ || body.kind == Kind::do_) return false;
  return std::ranges::any_of(body.children, continues);
}

class Separator {
public:
  explicit Separator(Kernel &kernel) : kernel_(kernel) {}

  void run() {
    kernel_.body = block(kernel_.body);
    leave_out_objects(kernel_.body);
  }

private:
  /// As it stands in place of a body.
  Node block(const Node &node) {
    if (node.kind == Kind::none) return node;
    std::vector<Node> out;
    add(node, out);
    if (node.kind != Kind::compound && out.size() == 1) return out[0];
    return compound_at(node, std::move(out));
  }

  void add(const Node &node, std::vector<Node> &out) {
    switch (node.kind) {
      case Kind::compound:
        for (const Node &child : node.children) {
          if (child.kind == Kind::compound)
            out.push_back(block(child));
          else
            add(child, out);
        }
        return;
      case Kind::if_: {
        Node branch = node;
        std::vector<Node> before;
        branch.children[0] = without_calls(node.children[0], before);
        branch.children[1] = block(node.children[1]);
        branch.children[2] = block(node.children[2]);
        std::ranges::move(before, std::back_inserter(out));
        out.push_back(std::move(branch));
        return;
      }
      case Kind::for_:
      case Kind::while_:
      case Kind::do_:
        out.push_back(loop(node));
        return;
      default:
        simple(node, out);
    }
  }

  Node loop(const Node &node) {
    Node out = node;
    Node &body = out.children[node.kind == Kind::do_ ? 0 : node.children.size() - 1];
    if (node.kind == Kind::for_ && is_comma(node.children[2]) && !continues(node.children[3])) {
      std::vector<Node> steps;
      parts_of_comma(node.children[2], steps);
      const auto counts = std::ranges::find_if(steps, [&](const Node &step) {
        const Node *target = rewrite::written_lvalue(step);
        return target && target->kind == Kind::name && target->type.kind != Type::Kind::pointer &&
               rewrite::mentions(node.children[1], target->variable);
      });
      // The counter's step comes last then, so the others may not look at it.
      const bool apart =
          counts != steps.end() && std::ranges::all_of(steps, [&](const Node &step) {
            return &step == &*counts || !rewrite::mentions(step, rewrite::written_lvalue(*counts)->variable);
          });
      if (apart) {
        out.children[2] = *counts;
        steps.erase(counts);
        std::vector<Node> statements = body.kind == Kind::compound ? body.children : std::vector<Node>{body};
        for (Node &step : steps) statements.push_back(std::move(step));
        body = compound_at(body, std::move(statements));
      }
    }
    body = block(body);
    return out;
  }

  static void parts_of_comma(const Node &node, std::vector<Node> &out) {
    if (!is_comma(node)) return out.push_back(node);
    for (const Node &child : node.children) parts_of_comma(child, out);
  }

  /// Assignments, declarations, calls, returns.
  void simple(const Node &node, std::vector<Node> &out) {
    if (is_comma(node)) {
      for (const Node &child : node.children) simple(child, out);
      return;
    }
    if (node.kind == Kind::declaration) {
      for (const Node &one : node.children) {
        Node alone = one;
        if (!one.children.empty()) alone.children[0] = value(one.children[0], out);
        Node declaration = node;
        declaration.children = {std::move(alone)};
        out.push_back(std::move(declaration));
      }
      return;
    }
    const bool copies = node.kind == Kind::assign && node.text == "=" && !node.type.fields.empty();
    if (node.kind == Kind::assign && (!node.overloaded || copies)) {
      Node alone = node;
      alone.children[1] = value(node.children[1], out);
      out.push_back(std::move(alone));
      return;
    }
    if (const auto call = call_of_object(node))
      if (const auto inside = inlined(*call, out)) return;
    if (node.kind == Kind::call) {
      if (const auto inside = inlined(node, out)) return;
      if (sine_and_cosine(node, out)) return;
    }
    out.push_back(node);
  }

  /// `op(a, b)` of an object that is nothing but its function, or of a lambda that takes what is around it as
  /// it is: the call of that function. nullopt: it is none of these.
  std::optional<Node> call_of_object(const Node &node) {
    const bool calls = node.kind == Kind::other_expression && node.text == "()" && node.function >= 0 &&
                       !node.children.empty() && node.children[0].kind == Kind::name;
    if (!calls) return std::nullopt;
    const rewrite::Function &function = kernel_.functions[static_cast<std::size_t>(node.function)];
    const int object = node.children[0].variable;
    // `this`, or what is not known here
    const auto unknown = [](const Node &one) {
      return one.kind == Kind::other_expression && one.children.empty();
    };
    const auto copies = [&](const Node &one) {
      return one.kind == Kind::declare && one.variable == object &&
             rewrite::find(one, [](const Node &part) {
               return part.kind == Kind::lambda && part.text == rewrite::kTakesCopies;
             }) != nullptr;
    };
    if (rewrite::find(function.body, unknown) != nullptr || rewrite::find(kernel_.body, copies) != nullptr ||
        function.parameters.size() + 1 != node.children.size())
      return std::nullopt;
    Node call = node;
    call.kind = Kind::call, call.overloaded = false;
    call.text = function.name;
    call.children.erase(call.children.begin());
    for (std::size_t i = 0; i < call.children.size(); ++i) {
      const Type &type = kernel_.variables[static_cast<std::size_t>(function.parameters[i])].type;
      if (!type.is_reference || type.is_const) continue;
      Node address = node_at(call.children[i], Kind::unary, "&");
      address.type.kind = Type::Kind::pointer;
      address.children = {std::move(call.children[i])};
      call.children[i] = std::move(address);
    }
    objects_.insert(object);
    return call;
  }

  /// Objects whose functions stand where they were called need not be declared.
  void leave_out_objects(Node &node) {
    std::erase_if(node.children, [&](const Node &one) {
      return one.kind == Kind::declaration && one.children.size() == 1 &&
             objects_.contains(one.children[0].variable) &&
             !rewrite::mentions(kernel_.body, one.children[0].variable);
    });
    for (Node &child : node.children) leave_out_objects(child);
  }

  /// `sincosf(x, &s, &c);` as `s = sinf(x); c = cosf(x);`
  bool sine_and_cosine(const Node &call, std::vector<Node> &out) {
    static const std::map<std::string, std::array<const char *, 2>> kNames{
        {"sincosf", {"sinf", "cosf"}},
        {"sincos", {"sin", "cos"}},
        {"__sincosf", {"__sinf", "__cosf"}},
        {"sincospif", {"sinpif", "cospif"}},
        {"sincospi", {"sinpi", "cospi"}}};
    const auto known = kNames.find(call.text);
    if (known == kNames.end() || call.children.size() != 3 || has_steps(call.children[0])) return false;
    for (std::size_t side = 0; side < 2; ++side) {
      const Node &place = call.children[side + 1];
      if (place.kind != Kind::unary || place.text != "&") return false;
    }
    Node angle = name_at(call, kernel_, {"angle", call.children[1].children[0].type, Storage::local, true});
    out.push_back(declaration_of(angle, without_calls(call.children[0], out)));
    for (std::size_t side = 0; side < 2; ++side) {
      Node value = call;
      value.text = known->second[side];
      value.type = angle.type;
      value.children = {angle};
      Node assign = call;
      assign.kind = Kind::assign;
      assign.text = "=";
      assign.type = angle.type;
      assign.children = {call.children[side + 1].children[0], std::move(value)};
      out.push_back(std::move(assign));
    }
    return true;
  }

  /// What a value is once its assignments and calls stand before it.
  Node value(const Node &node, std::vector<Node> &out) {
    const Node calm = without_calls(node, out);
    const bool inner = calm.kind == Kind::assign && !calm.overloaded && !has_steps(calm.children[0]);
    if (!inner) return calm;
    simple(calm, out);
    return calm.children[0];
  }

  Node without_calls(const Node &node, std::vector<Node> &out) {
    if (const auto call = call_of_object(node))
      if (auto result = inlined(*call, out); result && result->kind != Kind::none) return *result;
    if (node.kind == Kind::call && node.function >= 0)
      if (auto result = inlined(node, out); result && result->kind != Kind::none) return *result;
    if (const std::string op = warp_reduction(node); !op.empty()) return butterfly(node, op, out);
    Node copy = node;
    // What is evaluated under a condition stays.
    const bool chooses = node.kind == Kind::conditional || node.text == "&&" || node.text == "||";
    if (!chooses && node.kind != Kind::lambda)
      for (Node &child : copy.children) child = without_calls(child, out);
    return copy;
  }

  /// `total = total + __shfl_xor_sync(mask, total, 16);` and so on.
  Node butterfly(const Node &call, const std::string &op, std::vector<Node> &out) {
    const Node given = without_calls(reduced_value(call), out);
    Node total = name_at(given, kernel_, {"total", given.type, Storage::local, true});
    out.push_back(declaration_of(total, given));
    for (int distance = 16; distance > 0; distance /= 2) {
      const Node by = integer_at(call, distance);
      Node shuffle{.kind = Kind::call, .text = "__shfl_xor_sync", .line = call.line};
      shuffle.type = given.type;
      shuffle.children = {by, total, by};
      const bool call_of_two = op != "+";
      Node folded{.kind = call_of_two ? Kind::call : Kind::binary, .text = op, .line = call.line};
      folded.type = given.type;
      folded.children = {total, std::move(shuffle)};
      Node assign{.kind = Kind::assign, .text = "=", .begin = call.begin, .end = call.end, .line = call.line};
      assign.type = given.type;
      assign.children = {total, std::move(folded)};
      out.push_back(std::move(assign));
    }
    return total;
  }

  bool needs_inlining(const Node &call) const {
    const rewrite::Function &function = kernel_.functions[static_cast<std::size_t>(call.function)];
    if (call.type.kind == Type::Kind::record || call.text == "operator()") return true;
    for (std::size_t i = 0; i < call.children.size() && i < function.parameters.size(); ++i) {
      const Type &type = kernel_.variables[function.parameters[i]].type;
      const int root = rewrite::root_variable(call.children[i]);
      const bool shared = root >= 0 && (kernel_.variables[root].storage == Storage::shared ||
                                        kernel_.variables[root].storage == Storage::dynamic_shared);
      if (type.is_reference || !type.fields.empty()) return true;
      const bool pointed = call.children[i].kind == Kind::unary && call.children[i].text == "&" &&
                           call.children[i].children[0].kind != Kind::subscript;
      if (type.kind == Type::Kind::pointer && pointed) return true;
      if (type.kind == Type::Kind::pointer && shared && call.children[i].kind == Kind::name) return true;
    }
    const auto parts = rewrite::parts_of(function.body);
    return parts.empty() || parts.back()->kind != Kind::return_;  // void
  }

  /// The statements of a function, whose result is what comes back; an absent node: it has none.
  std::optional<Node> inlined(const Node &call, std::vector<Node> &out) {
    if (call.function < 0 || depth_ > 4 || !needs_inlining(call)) return std::nullopt;
    const rewrite::Function function = kernel_.functions[static_cast<std::size_t>(call.function)];
    const auto returns = [](const Node &one) { return one.kind == Kind::return_; };
    if (function.body.kind != Kind::compound || function.parameters.size() != call.children.size())
      return std::nullopt;
    std::vector<Node> parts = function.body.children;
    Node result;
    if (!parts.empty() && parts.back().kind == Kind::return_) {
      if (!parts.back().children.empty()) result = parts.back().children[0];
      parts.pop_back();
    }
    if (std::ranges::any_of(parts, [&](const Node &part) { return rewrite::find(part, returns) != nullptr; }))
      return std::nullopt;
    std::map<int, Node> known, pointed;
    std::vector<Node> arguments;
    for (std::size_t i = 0; i < call.children.size(); ++i) {
      const int parameter = function.parameters[i];
      const rewrite::Variable variable = kernel_.variables[parameter];
      const Node &argument = call.children[i];
      const bool by_reference =
          argument.kind == Kind::unary && argument.text == "&" && variable.type.is_reference;
      const Node &lvalue = by_reference ? argument.children[0] : argument;
      const int root = rewrite::root_variable(lvalue);
      const bool shared = lvalue.kind == Kind::name && root >= 0 &&
                          kernel_.variables[root].storage != Storage::parameter &&
                          kernel_.variables[root].storage != Storage::local;
      if (by_reference || shared) {
        if (lvalue.kind != Kind::name && !is_steady_element(lvalue)) return std::nullopt;
        known[parameter] = lvalue;
        continue;
      }
      // `f(&x)`, where the function knows `*p` alone.
      if (variable.type.kind == Type::Kind::pointer && argument.kind == Kind::unary && argument.text == "&" &&
          is_steady_element(argument.children[0]) && only_pointed_at(function.body, parameter)) {
        pointed[parameter] = argument.children[0];
        continue;
      }
      Node name = fresh(parameter);
      arguments.push_back(declaration_of(name, argument));
      known[parameter] = std::move(name);
    }
    for (const Node &part : parts)
      rewrite::walk(part, [&](const Node &one) {
        if (one.kind == Kind::declare && !known.contains(one.variable))
          known[one.variable] = fresh(one.variable);
      });
    for (Node &part : parts) point_at(part, pointed);
    point_at(result, pointed);
    for (Node &part : parts) rename(part, known);
    rename(result, known);
    ++depth_;
    for (Node &declaration : arguments) simple(declaration, out);
    for (const Node &part : parts) add(part, out);
    result = without_calls(result, out);
    --depth_;
    return result;
  }

  /// A variable, a member of one, or an element of a buffer by names and numbers: the same wherever it
  /// stands.
  static bool is_steady_element(const Node &lvalue) {
    return rewrite::find(lvalue, [](const Node &one) {
             const bool plain = one.kind == Kind::name || one.kind == Kind::integer ||
                                one.kind == Kind::builtin || one.kind == Kind::subscript ||
                                one.kind == Kind::cast || (one.kind == Kind::member && !one.overloaded) ||
                                (one.kind == Kind::binary && !one.overloaded);
             return !plain;
           }) == nullptr;
  }

  static bool is_pointee(const Node &node) {
    return (node.kind == Kind::subscript && node.children[1].value == 0) ||
           (node.kind == Kind::unary && node.text == "*");
  }

  /// Whether a function uses a pointer as `*p` or `p[0]` only.
  static bool only_pointed_at(const Node &body, int pointer) {
    std::set<const Node *> bases;
    bool only = true;
    rewrite::walk(body, [&](const Node &one) {
      if (is_pointee(one)) bases.insert(&one.children[0]);
      if (rewrite::is_name(one, pointer)) only = only && bases.contains(&one);
    });
    return only;
  }

  static void point_at(Node &node, const std::map<int, Node> &pointed) {
    if (is_pointee(node) && node.children[0].kind == Kind::name)
      if (const auto known = pointed.find(node.children[0].variable); known != pointed.end()) {
        node = known->second;
        return;
      }
    for (Node &child : node.children) point_at(child, pointed);
  }

  /// Another variable of the same kind.
  Node fresh(int variable) {
    rewrite::Variable copy = kernel_.variables[static_cast<std::size_t>(variable)];
    if (copy.storage == Storage::parameter) copy.storage = Storage::local;
    return name_at(kernel_.body, kernel_, std::move(copy));
  }

  static void rename(Node &node, const std::map<int, Node> &known) {
    const auto found = known.find(node.variable);
    if (node.kind == Kind::name && found != known.end()) {
      node = found->second;
      return;
    }
    if (node.kind == Kind::declare && found != known.end()) node.variable = found->second.variable;
    for (Node &child : node.children) rename(child, known);
  }

  Kernel &kernel_;
  std::set<int> objects_;  ///< that were called
  int depth_ = 0;
};

}  // namespace

void separate_effects(Kernel &kernel) {
  Separator(kernel).run();
}

}  // namespace cupilot::lift
