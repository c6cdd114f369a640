// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "annotate/lift/element.h"
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

bool is_element(const Node &node) {
  return node.kind == Kind::subscript || (node.kind == Kind::unary && node.text == "*");
}

bool is_cuda_vector(const Type &type) {
  static constexpr std::string_view kMembers = "xyzw";
  for (std::size_t at = 0; at < type.fields.size(); ++at)
    if (at >= kMembers.size() || type.fields[at].name != kMembers.substr(at, 1)) return false;
  return type.text.ends_with(std::to_string(type.fields.size()));
}

/// A function of CUDA's headers that makes a vector of two, by what makes one of its members: of the members
/// of its arguments, of an argument each, or of its one argument.
struct PairFunction {
  enum class Takes : unsigned char { pairs, both, one };
  std::string_view name, of_member;
  Takes takes = Takes::pairs;
};
constexpr std::array<PairFunction, 24> kPairFunctions{{
    {"__half22float2", "__half2float"},
    {"__bfloat1622float2", "__bfloat162float"},
    {"__float22half2_rn", "__float2half"},
    {"__float22bfloat162_rn", "__float2bfloat16"},
    {"__hadd2", "__hadd"},
    {"__hsub2", "__hsub"},
    {"__hmul2", "__hmul"},
    {"__h2div", "__hdiv"},
    {"__hfma2", "__hfma"},
    {"__hmax2", "__hmax"},
    {"__hmin2", "__hmin"},
    {"__hneg2", "__hneg"},
    {"__habs2", "__habs"},
    {"h2exp", "hexp"},
    {"h2sqrt", "hsqrt"},
    {"h2rsqrt", "hrsqrt"},
    {"__floats2half2_rn", "__float2half", PairFunction::Takes::both},
    {"__floats2bfloat162_rn", "__float2bfloat16", PairFunction::Takes::both},
    {"__halves2half2", "", PairFunction::Takes::both},
    {"__halves2bfloat162", "", PairFunction::Takes::both},
    {"__float2half2_rn", "__float2half", PairFunction::Takes::one},
    {"__float2bfloat162_rn", "__float2bfloat16", PairFunction::Takes::one},
    {"__half2half2", "", PairFunction::Takes::one},
    {"__bfloat162bfloat162", "", PairFunction::Takes::one},
}};

/// The member that a function takes out of a pair, and what it makes of it.
struct MemberFunction {
  std::string_view name, of_member;
  std::size_t at = 0;
};
constexpr std::array<MemberFunction, 6> kMemberFunctions{{{"__low2float", "__half2float", 0},
                                                          {"__high2float", "__half2float", 1},
                                                          {"__low2half", "", 0},
                                                          {"__high2half", "", 1},
                                                          {"__low2bfloat16", "", 0},
                                                          {"__high2bfloat16", "", 1}}};

/// `__shfl_xor_sync(mask, pair, distance)`
bool exchanges_pair(const Node &value) {
  return value.kind == Kind::call && is_shuffle(value.text) && value.children.size() > 1 &&
         value.type.fields.size() == 2 && value.children[1].type.fields.size() == 2;
}

template <class Functions>
auto function_of(const Functions &functions, const Node &node) -> decltype(functions.data()) {
  if (node.kind != Kind::call || node.function >= 0 || node.children.empty()) return nullptr;
  for (const auto &one : functions)
    if (node.text == one.name) return &one;
  return nullptr;
}

class RecordSplitter {
public:
  explicit RecordSplitter(Kernel &kernel) : kernel_(kernel) {}

  void run() {
    rewrite::walk(kernel_.body, [&](const Node &one) {
      if (one.kind == Kind::subscript) note_array(one);
      if (one.kind != Kind::declare) return;
      if (is_record(one.variable)) candidates_.insert(one.variable);
      const bool cast = one.type.kind == Type::Kind::pointer && !one.children.empty() &&
                        rewrite::find(one.children[0], [&](const Node &inner) {
                          return (inner.kind == Kind::cast && inner.type.kind == Type::Kind::pointer) ||
                                 (inner.kind == Kind::name && vectors_.contains(inner.variable));
                        }) != nullptr;
      if (cast) vectors_.insert(one.variable);
    });
    const auto left = [&] { return candidates_.size() + arrays_.size(); };
    for (std::size_t before = left() + 1; before != left();) {
      before = left();
      keep_whole(kernel_.body);
    }
    for (const auto &[array, record] : arrays_) {
      const rewrite::Variable whole = kernel_.variables[static_cast<std::size_t>(array)];
      for (const auto &[name, type] : record.fields) {
        Type part = whole.type;
        part.element = type.text;
        part.element_bits = type.bits;
        part.element_scalar = part.element_trivial = true;
        members_[array].push_back(static_cast<int>(kernel_.variables.size()));
        kernel_.variables.push_back({whole.name + "_" + name, std::move(part), whole.storage, true});
      }
    }
    for (const int variable : candidates_) {
      const rewrite::Variable whole = kernel_.variables[static_cast<std::size_t>(variable)];
      for (const auto &[name, type] : whole.type.fields) {
        members_[variable].push_back(static_cast<int>(kernel_.variables.size()));
        kernel_.variables.push_back({whole.name + "_" + name, type, Storage::local, true});
      }
    }
    split(kernel_.body);
  }

private:
  bool is_record(int variable) const {
    const rewrite::Variable &it = kernel_.variables[static_cast<std::size_t>(variable)];
    return it.storage == Storage::local && it.type.fields.size() > 1 && !it.type.is_reference &&
           !it.type.is_volatile;
  }
  bool is_candidate(const Node &node) const {
    return node.kind == Kind::name && candidates_.contains(node.variable);
  }

  /// An array in shared memory whose elements are structures, by one of them.
  void note_array(const Node &element) {
    const int root = rewrite::root_variable(element);
    if (root < 0 || element.type.fields.size() < 2) return;
    const rewrite::Variable &array = kernel_.variables[static_cast<std::size_t>(root)];
    if (array.storage == Storage::shared && array.type.kind == Type::Kind::array &&
        !array.type.element_volatile && array.type.element == element.type.text)
      arrays_.try_emplace(root, element.type);
  }
  /// The array that a node is an element of, as deep as it has dimensions.
  int array_of(const Node &element) const {
    std::size_t depth = 0;
    const Node *at = &element;
    for (; at->kind == Kind::subscript; at = &at->children[0]) ++depth;
    if (depth == 0 || at->kind != Kind::name || !arrays_.contains(at->variable)) return -1;
    const auto &extents = kernel_.variables[static_cast<std::size_t>(at->variable)].type.extents;
    return depth == extents.size() ? at->variable : -1;
  }
  void keep_indices(const Node &element) {
    for (const Node *at = &element; at->kind == Kind::subscript; at = &at->children[0])
      keep_whole(at->children[1]);
  }
  Node element_member(Node element, std::size_t at) const {
    const auto &[field, type] = element.type.fields[at];
    Node *root = &element;
    for (; root->kind == Kind::subscript; root = &root->children[0])
      if (root == &element) root->type = type;
    root->variable = members_.at(root->variable)[at];
    root->text = kernel_.variables[static_cast<std::size_t>(root->variable)].name;
    root->type = kernel_.variables[static_cast<std::size_t>(root->variable)].type;
    return element;
  }

  /// Whether an element is one of a buffer of numbers that is read as vectors, as in
  /// `reinterpret_cast<float4 *>(x)[i]`.
  bool is_of_numbers(const Node &element) const {
    const int root = rewrite::root_variable(element);
    if (root < 0) return false;
    const bool cast = rewrite::find(element.children[0], [](const Node &one) {
                        return one.kind == Kind::cast && one.type.kind == Type::Kind::pointer;
                      }) != nullptr;
    return cast || vectors_.contains(root);
  }

  /// Whether every member of the value can be written by itself.
  bool splits(const Node &value) const {
    const std::size_t members = value.type.fields.size();
    if (members < 2 || has_steps(value)) return false;
    if (value.kind == Kind::name) return candidates_.contains(value.variable);
    if (const PairFunction *function = function_of(kPairFunctions, value))
      return members == 2 &&
             (function->takes == PairFunction::Takes::pairs
                  ? std::ranges::all_of(value.children, [&](const Node &one) { return splits(one); })
                  : value.children.size() == (function->takes == PairFunction::Takes::both ? members : 1));
    if (exchanges_pair(value)) return splits(value.children[1]);
    if (value.kind == Kind::call)
      return value.function < 0 && is_cuda_vector(value.type) && value.text == "make_" + value.type.text &&
             value.children.size() == members;
    if (value.kind == Kind::list) return value.children.size() == members;
    if (value.kind == Kind::cast ||
        value.kind == Kind::other_expression)  // a copy, no constructor of the user's
      return value.children.size() == 1 && value.children[0].type.text == value.type.text &&
             splits(value.children[0]);
    if (value.kind == Kind::conditional) return splits(value.children[1]) && splits(value.children[2]);
    return is_element(value);
  }

  Node member(const Node &value, std::size_t at) const {
    const auto &[field, type] = value.type.fields[at];
    if (value.kind == Kind::name) {
      Node name = value;
      name.variable = members_.at(value.variable)[at];
      name.text = kernel_.variables[static_cast<std::size_t>(name.variable)].name;
      name.type = type;
      return name;
    }
    if (const PairFunction *function = function_of(kPairFunctions, value)) {
      std::vector<Node> arguments;
      if (function->takes == PairFunction::Takes::pairs)
        for (const Node &one : value.children) arguments.push_back(member(one, at));
      else
        arguments.push_back(value.children[function->takes == PairFunction::Takes::both ? at : 0]);
      return function->of_member.empty()
                 ? std::move(arguments.front())
                 : call_at(value, std::string(function->of_member), type, std::move(arguments));
    }
    if (exchanges_pair(value)) {
      std::vector<Node> arguments = value.children;
      arguments[1] = member(value.children[1], at);
      return call_at(value, value.text, type, std::move(arguments));
    }
    if (value.kind == Kind::call || value.kind == Kind::list) {
      const Node &given = value.children[at];
      if (given.type.text == type.text) return given;
      Node cast{.kind = Kind::cast, .begin = given.begin, .end = given.end, .line = given.line};
      cast.type = type;
      cast.children = {given};
      return cast;
    }
    if (value.kind == Kind::cast || value.kind == Kind::other_expression)
      return member(value.children[0], at);
    if (array_of(value) >= 0) return element_member(value, at);
    Node part = value;
    part.type = type;
    if (value.kind == Kind::conditional) {
      part.children = {value.children[0], member(value.children[1], at), member(value.children[2], at)};
      return part;
    }
    part.kind = Kind::member;
    part.text = field;
    part.children = {value};
    return part;
  }

  /// `__half22float2(h).x`, `__low2half(h)`: the pair that one member is taken of; null: it is none of these.
  const Node *pair_of(const Node &node) const {
    const bool of_call = node.kind == Kind::member && !node.overloaded &&
                         function_of(kPairFunctions, node.children[0]) != nullptr;
    if (!of_call && function_of(kMemberFunctions, node) == nullptr) return nullptr;
    return splits(node.children[0]) ? &node.children[0] : nullptr;
  }
  Node member_of_pair(const Node &node, const Node &pair) const {
    if (const MemberFunction *function = function_of(kMemberFunctions, node)) {
      Node one = member(pair, function->at);
      return function->of_member.empty()
                 ? one
                 : call_at(node, std::string(function->of_member), node.type, {std::move(one)});
    }
    return member(pair, node.text == "x" ? 0 : 1);
  }

  /// Takes variables out of the candidates that are used in another way than by their members.
  void keep_whole(const Node &node) {
    if (const Node *pair = pair_of(node)) return keep_inside(*pair);
    if (node.kind == Kind::member && !node.overloaded && is_candidate(node.children[0])) return;
    if (node.kind == Kind::member && !node.overloaded && array_of(node.children[0]) >= 0)
      return keep_indices(node.children[0]);
    if (node.kind == Kind::declare && candidates_.contains(node.variable)) {
      if (!node.children.empty() && !splits(node.children[0])) candidates_.erase(node.variable);
      if (!node.children.empty()) keep_inside(node.children[0]);
      return;
    }
    if (node.kind == Kind::assign && node.text == "=" && is_candidate(node.children[0])) {
      if (!splits(node.children[1])) candidates_.erase(node.children[0].variable);
      return keep_inside(node.children[1]);
    }
    if (node.kind == Kind::assign && node.text == "=" && is_element(node.children[0]) &&
        splits(node.children[1])) {
      array_of(node.children[0]) >= 0 ? keep_indices(node.children[0]) : keep_whole(node.children[0]);
      return keep_inside(node.children[1]);
    }
    if (is_candidate(node)) candidates_.erase(node.variable);
    if (node.kind == Kind::name) arrays_.erase(node.variable);
    for (const Node &child : node.children) keep_whole(child);
  }
  /// The same of a value that splits: its names are members then.
  void keep_inside(const Node &value) {
    if (!splits(value)) return keep_whole(value);
    if (value.kind == Kind::name) return;
    if (array_of(value) >= 0) return keep_indices(value);
    const bool through =
        value.kind == Kind::cast || value.kind == Kind::other_expression || value.kind == Kind::conditional;
    if (const PairFunction *function = function_of(kPairFunctions, value);
        function != nullptr && function->takes == PairFunction::Takes::pairs) {
      for (const Node &child : value.children) keep_inside(child);
      return;
    }
    if (exchanges_pair(value)) {
      for (const Node &child : value.children)
        &child == &value.children[1] ? keep_inside(child) : keep_whole(child);
      return;
    }
    for (const Node &child : value.children) through ? keep_inside(child) : keep_whole(child);
  }

  void split(Node &node) {
    if (const Node *pair = pair_of(node)) {
      Node one = member_of_pair(node, *pair);
      node = std::move(one);
    }
    if (node.kind == Kind::member && !node.overloaded && is_candidate(node.children[0])) {
      const auto &fields = node.children[0].type.fields;
      const auto at = std::ranges::find(fields, node.text, &rewrite::Field::name);
      node = member(node.children[0], static_cast<std::size_t>(at - fields.begin()));
      return;
    }
    if (node.kind == Kind::member && !node.overloaded && array_of(node.children[0]) >= 0) {
      const auto &fields = node.children[0].type.fields;
      const auto at = std::ranges::find(fields, node.text, &rewrite::Field::name);
      node = element_member(node.children[0], static_cast<std::size_t>(at - fields.begin()));
    }
    for (Node *body : bodies_of(node)) {
      if (body->kind == Kind::none || body->kind == Kind::compound) continue;
      std::vector<Node> parts = statements_of(*body);
      if (parts.size() == 1) continue;
      *body = compound_at(*body, std::move(parts));
    }
    if (node.kind == Kind::compound) {
      std::vector<Node> out;
      for (const Node &child : node.children)
        std::ranges::move(statements_of(child), std::back_inserter(out));
      node.children = std::move(out);
    }
    for (Node &child : node.children) split(child);
  }

  static std::vector<Node *> bodies_of(Node &node) {
    switch (node.kind) {
      case Kind::if_:
        return {&node.children[1], &node.children[2]};
      case Kind::for_:
        return {&node.children[3]};
      case Kind::while_:
        return {&node.children[1]};
      default:
        return {};
    }
  }

  /// A statement by members, or as it is.
  std::vector<Node> statements_of(const Node &node) {
    if (node.kind == Kind::declaration && node.children.size() == 1 &&
        members_.contains(node.children[0].variable)) {
      const Node &one = node.children[0];
      std::vector<Node> out;
      for (std::size_t at = 0; at < members_.at(one.variable).size(); ++at) {
        Node declare = one;
        declare.variable = members_.at(one.variable)[at];
        declare.type = kernel_.variables[static_cast<std::size_t>(declare.variable)].type;
        declare.children.clear();
        if (!one.children.empty()) declare.children.push_back(member(one.children[0], at));
        Node declaration = node;
        declaration.children = {std::move(declare)};
        out.push_back(std::move(declaration));
      }
      return out;
    }
    const bool assigns = node.kind == Kind::assign && node.text == "=";
    if (!assigns) return {node};
    const Node &target = node.children[0], &value = node.children[1];
    const bool of_numbers = is_element(target) && is_of_numbers(target);
    if (is_element(target) && !of_numbers && is_candidate(value) && is_cuda_vector(value.type)) {
      std::vector<Node> parts;
      for (std::size_t at = 0; at < value.type.fields.size(); ++at) parts.push_back(member(value, at));
      Node whole = node;
      whole.children[1] = call_at(value, "make_" + value.type.text, value.type, std::move(parts));
      return {whole};
    }
    const int array = array_of(target);
    if (!is_candidate(target) && array < 0 && !(of_numbers && splits(value))) return {node};
    std::vector<Node> out, parts;
    bool itself = rewrite::mentions(value, array >= 0 ? array : target.variable) &&
                  (array >= 0 || is_candidate(target));
    if (itself && array < 0) itself = crosses(value, target.variable);
    for (std::size_t at = 0; at < value.type.fields.size(); ++at) {
      Node part = member(value, at);
      if (itself) part = named(std::move(part), (array >= 0 ? "element" : target.text + "_new"), out);
      parts.push_back(std::move(part));
    }
    for (std::size_t at = 0; at < parts.size(); ++at) {
      Node assign = node;
      assign.overloaded = false;
      assign.children = {member(target, at), parts[at]};
      out.push_back(std::move(assign));
    }
    return out;
  }

  /// Whether a member of the value is made of another member of the variable than the same.
  bool crosses(const Node &value, int variable) const {
    const auto &members = members_.at(variable);
    const auto is_other = [&](const Node &one, std::size_t at) {
      const auto found = std::ranges::find(members, one.variable);
      return one.kind == Kind::name &&
             (one.variable == variable || (found != members.end() && *found != members[at]));
    };
    const auto mentions_other = [&](auto &&self, const Node &part, std::size_t at) -> bool {
      const bool own = part.kind == Kind::member && !part.overloaded && part.children[0].kind == Kind::name &&
                       part.children[0].variable == variable &&
                       part.text == part.children[0].type.fields[at].name;
      if (own) return false;
      return is_other(part, at) ||
             std::ranges::any_of(part.children, [&](const Node &child) { return self(self, child, at); });
    };
    for (std::size_t at = 0; at < members.size(); ++at)
      if (mentions_other(mentions_other, member(value, at), at)) return true;
    return false;
  }

  /// The value under a name, which is declared first.
  Node named(Node value, const std::string &name, std::vector<Node> &out) {
    Node again = name_at(value, kernel_, {name, value.type, Storage::local, true});
    out.push_back(declaration_of(again, std::move(value)));
    return again;
  }

  Kernel &kernel_;
  std::set<int> candidates_;
  std::set<int> vectors_;                    ///< pointers through which numbers are read as vectors
  std::map<int, Type> arrays_;               ///< in shared memory, of structures: their type
  std::map<int, std::vector<int>> members_;  ///< variables in place of one, or arrays in place of one
};

}  // namespace

void split_records(Kernel &kernel) {
  RecordSplitter(kernel).run();
}

}  // namespace cupilot::lift
