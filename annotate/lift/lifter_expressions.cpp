// SPDX-License-Identifier: Apache-2.0
//
// Expressions: variables are replaced by what stands for them, pointers by buffer and index, and the ways in
// which a thread finds its place by coordinates.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "annotate/lift/digits.h"
#include "annotate/lift/lifter.h"
#include "annotate/lift/plain.h"
#include "annotate/lift/trial.h"
#include "annotate/rewrite/analysis.h"
#include "annotate/rewrite/text.h"
#include "annotate/spec/lifted_text.h"
#include "annotate/spec/polynomial.h"
#include "annotate/support/names.h"

namespace cupilot::lift {

using rewrite::Kind;
using rewrite::Node;
using rewrite::Storage;
using rewrite::Type;
using spec::Expr;
using spec::ExprKind;
using spec::Polynomial;

namespace {

constexpr std::array kCachedLoads{"__ldg", "__ldcs", "__ldcg", "__ldca", "__ldlu"};
constexpr int kWarpSize = 32;

/// blockIdx.x * blockDim.x + threadIdx.x where the threads of a block cooperate.
Expr place_in_grid(char dimension) {
  const auto axis = [&](const char *kind) {
    return spec::named(ExprKind::axis, std::string(kind) + dimension, "int");
  };
  const Expr threads = spec::named(ExprKind::parameter, std::string("block.") + dimension, "unsigned int");
  return spec::binary("+", spec::binary("*", axis(kBlockIndex), threads, "int"), axis(kThread), "int");
}

/// `/ 32` or `>> 5`
bool is_by_warp_size(const std::string &op, const Expr &right) {
  return (op == "/" && spec::is_constant(right, kWarpSize)) || (op == ">>" && spec::is_constant(right, 5));
}

/// `threadIdx.x % 32` and its like, and which quotient or remainder of a coordinate it is.
std::optional<Expr> part_of_warp(const std::string &op, const Expr &left, const Expr &right) {
  const bool remainder = (op == "%" && spec::is_constant(right, kWarpSize)) ||
                         (op == "&" && spec::is_constant(right, kWarpSize - 1));
  const bool quotient = is_by_warp_size(op, right);
  if (!remainder && !quotient) return std::nullopt;
  const bool global = left.text == std::string(kGlobal) + "x" || left == place_in_grid('x');
  if (left.kind != ExprKind::axis && !global) return std::nullopt;
  if (remainder && (global || left.text == std::string(kThread) + "x"))
    return spec::named(ExprKind::axis, kLane, "int");
  if (quotient && global) return spec::named(ExprKind::axis, std::string(kWarp) + "x", "int");
  return std::nullopt;
}

bool is_warp_of_block(const Expr &expr) {
  if (expr.kind != ExprKind::binary) return false;
  return is_by_warp_size(expr.text, expr.parts[1]) && expr.parts[0].kind == ExprKind::axis &&
         expr.parts[0].text == std::string(kThread) + "x";
}

/// Warps of a block: `blockDim.x / 32`, or that number, with blocks of so many threads along x.
bool is_warps(const Expr &expr, int threads) {
  if (threads > 0 && threads % kWarpSize == 0 && spec::is_constant(expr, threads / kWarpSize)) return true;
  if (expr.kind != ExprKind::binary || expr.parts[0].text != "block.x") return false;
  return is_by_warp_size(expr.text, expr.parts[1]);
}

/// Of a sum of whole numbers, however it stands in parentheses.
void terms_of(const Node &node, std::vector<const Node *> &terms) {
  const Node &inner = rewrite::bare(node);
  if (inner.kind != Kind::binary || inner.text != "+" || inner.overloaded || !is_integer(inner.type))
    return terms.push_back(&inner);
  for (const Node &child : inner.children) terms_of(child, terms);
}

bool is_true(const Expr &expr) {
  return expr.kind == ExprKind::constant && expr.text == "true";
}
bool is_false(const Expr &expr) {
  return expr.kind == ExprKind::constant && expr.text == "false";
}

}  // namespace

bool is_of_sizes(const Expr &expr) {
  bool plain = true;
  spec::visit(expr, [&](const Expr &part) {
    plain = plain &&
            (part.kind == ExprKind::constant || part.kind == ExprKind::parameter ||
             part.kind == ExprKind::unary || part.kind == ExprKind::binary || part.kind == ExprKind::cast);
  });
  return plain;
}

/// A number as the user writes it. Of a macro the name says more than the number, but for the numbers that
/// folds begin with.
std::string Lifter::literal_text(const Node &node) const {
  const std::string text = rewrite::text_of(kernel_, node);
  if (node.text.empty() || node.text == text) return text;
  const Expr number{ExprKind::constant, node.text, node.type.text, {}};
  const bool named = !text.empty() && std::ranges::all_of(text, is_name_character) &&
                     (node.exact || text.starts_with("FLT_") || text.starts_with("DBL_"));
  return named && !spec::is_identity("+", number) && !spec::is_identity("*", number) ? text : node.text;
}

/// An element of shared memory that is the same for all threads.
Lift<Expr> Lifter::element_of_all(const Node &node) {
  Spread values;
  for (int thread = 0; thread < threads_; ++thread) values.push_back(element(node, thread));
  if (auto same = uniform(values, Mask(values.size(), true))) return *same;
  return not_lifted(fmt::format("what '{}' holds here is no sum or maximum over the block",
                                kernel_.variables[rewrite::root_variable(node)].name),
                    node.line);
}

/// `blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32`: the warp, counted over the grid.
std::optional<Expr> Lifter::warp_of_grid(const Expr &left, const Expr &right) {
  const bool last = is_warp_of_block(right);
  const Expr &start = last ? left : right;
  if ((!last && !is_warp_of_block(left)) || start.kind != ExprKind::binary || start.text != "*")
    return std::nullopt;
  for (int side = 0; side < 2; ++side) {
    const Expr &block = start.parts[side];
    const Expr warps = written_out(start.parts[1 - side], out_.sizes);
    const bool of_block = block.kind == ExprKind::axis && block.text == std::string(kBlockIndex) + "x";
    if (!of_block || !is_warps(warps, block_[0])) continue;
    if (warps.kind == ExprKind::constant)
      out_.needs.push_back({spec::binary("==", spec::named(ExprKind::parameter, "block.x", "unsigned int"),
                                         spec::constant(block_[0]), "bool"),
                            "the kernel counts on this block size"});
    return spec::named(ExprKind::axis, std::string(kWarp) + "x", "int");
  }
  return std::nullopt;
}

/// A pointer as a condition: true, or else the original runs.
Expr Lifter::not_null(const std::string &pointer) {
  out_.needs.push_back({spec::binary("!=", spec::named(ExprKind::parameter, pointer, "bool"),
                                     Expr{ExprKind::constant, "nullptr", "bool", {}}, "bool"),
                        fmt::format("there is a buffer '{}'", pointer)});
  return {ExprKind::constant, "true", "bool", {}};
}

Lift<Expr> Lifter::expr_of_name(const Node &node) {
  if (const auto known = values_.find(node.variable); known != values_.end()) return known->second;
  const rewrite::Variable &variable = kernel_.variables[node.variable];
  if (const auto spread = spread_.find(node.variable); spread != spread_.end()) {
    if (auto same = uniform(spread->second, Mask(spread->second.size(), true))) return *same;
    return not_lifted(fmt::format("the threads of a block have different '{}' here", variable.name),
                      node.line);
  }
  if (variable.storage == Storage::parameter && variable.type.kind != Type::Kind::pointer) {
    if (rewrite::assigned(kernel_.body, node.variable))
      return not_lifted(fmt::format("the parameter '{}' changes", variable.name), node.line);
    return spec::named(ExprKind::parameter, variable.name, variable.type.text);
  }
  if (!variable.number.empty()) return Expr{ExprKind::constant, variable.number, variable.type.text, {}};
  if (shared_.contains(node.variable)) return element_of_all(node);
  if (variable.storage == Storage::parameter && variable.type.kind == Type::Kind::pointer)
    return not_null(variable.name);
  return not_lifted(fmt::format("'{}' is used before it has a value that the source shows", node.text),
                    node.line);
}

Lift<Expr> Lifter::expr_of_builtin(const Node &node) {
  const std::string dimension = node.text.substr(node.text.size() - 1);
  if (node.text.starts_with("threadIdx")) return spec::named(ExprKind::axis, kThread + dimension, "int");
  if (node.text.starts_with("blockIdx")) return spec::named(ExprKind::axis, kBlockIndex + dimension, "int");
  const char *object = node.text.starts_with("blockDim") ? "block." : "grid.";
  return spec::named(ExprKind::parameter, object + dimension, "unsigned int");
}

/// `1 + blockIdx.x * blockDim.x + threadIdx.x` and its like: the thread's place in the grid, then the rest.
/// All of it is unsigned, so the order is free. nullopt: there is no such place among the terms.
Lift<std::optional<Expr>> Lifter::place_and_rest(const Node &node) {
  std::vector<const Node *> terms;
  terms_of(node, terms);
  if (terms.size() < 3) return std::nullopt;
  for (std::size_t i = 0; i < terms.size(); ++i)
    for (std::size_t j = i + 1; j < terms.size(); ++j) {
      Node place = node;
      place.children = {*terms[i], *terms[j]};
      std::optional<std::int64_t> block;
      const bool global = std::ranges::any_of(std::string_view("xyz"), [&](char dimension) {
        return rewrite::is_global_index(place, dimension, block);
      });
      if (!global) continue;
      CUPILOT_TRY(sum, expr_of_binary(place));
      for (std::size_t k = 0; k < terms.size(); ++k) {
        if (k == i || k == j) continue;
        CUPILOT_TRY(term, expr(*terms[k]));
        sum = spec::binary("+", std::move(sum), std::move(term), node.type.text);
      }
      return sum;
    }
  return std::nullopt;
}

Lift<Expr> Lifter::expr_of_binary(const Node &node) {
  if (node.text == "," || node.overloaded)
    return not_lifted(fmt::format("the operator '{}' of this type is not known", node.text), node.line);
  std::optional<std::int64_t> block;
  for (const char dimension : {'x', 'y', 'z'})
    if (rewrite::is_global_index(node, dimension, block)) {
      const std::string name = std::string(1, dimension);
      const int threads = block_[static_cast<std::size_t>(dimension - 'x')];
      if (block && threads > 0 && *block != threads) break;  // a block's tile has more rows than threads
      if (block)
        out_.needs.push_back(
            {spec::binary("==", spec::named(ExprKind::parameter, "block." + name, "unsigned int"),
                          spec::constant(*block), "bool"),
             "the kernel counts on this block size"});
      return team_ ? place_in_grid(dimension) : spec::named(ExprKind::axis, kGlobal + name, "int");
    }
  if (node.text == "+" && is_integer(node.type)) {
    CUPILOT_TRY(sum, place_and_rest(node));
    if (sum) return *sum;
  }
  if (node.text == "==" || node.text == "!=")
    for (int side = 0; side < 2; ++side) {
      const Node &pointer = rewrite::bare(node.children[side]),
                 &other = rewrite::bare(node.children[1 - side]);
      if (pointer.type.kind != Type::Kind::pointer || pointer.kind != Kind::name || other.value != 0)
        continue;
      CUPILOT_TRY(given, expr(pointer));
      return Expr{ExprKind::constant, node.text == "!=" ? given.text : "false", "bool", {}};
    }
  CUPILOT_TRY(left, expr(node.children[0]));
  if ((node.text == "&&" && is_false(left)) || (node.text == "||" && is_true(left))) return left;
  CUPILOT_TRY(right, expr(node.children[1]));
  if ((node.text == "&&" && is_true(left)) || (node.text == "||" && is_false(left))) return right;
  if (auto part = part_of_warp(node.text, left, right)) {
    if (part->text != kLane && team_ && spread_.empty()) threads_ = kWarpSize, warps_ = true;
    return *part;
  }
  if (node.text == "+" && team_)
    if (auto warp = warp_of_grid(left, right)) {
      if (spread_.empty()) threads_ = kWarpSize, warps_ = true;
      return *warp;
    }
  return spec::binary(node.text, std::move(left), std::move(right), node.type.text);
}

/// Why a call of a function that is not the user's is more than its result. The arguments' effects are
/// theirs.
std::optional<rewrite::Obstacle> Lifter::effect_of(const Node &call) const {
  Node alone = call;
  for (Node &argument : alone.children) argument = {.kind = Kind::literal, .type = argument.type};
  const rewrite::Effects effects = rewrite::effects_of(kernel_, alone);
  if (effects.atomic) return rewrite::Obstacle{"the result of an atomic operation is used", call.line};
  return rewrite::cooperation(effects);
}

Lift<Expr> Lifter::expr_of_call(const Node &node) {
  if (std::ranges::find(kCachedLoads, node.text) != kCachedLoads.end() && node.children.size() == 1) {
    CUPILOT_TRY(place, pointer(node.children[0]));
    return spec::load(place.buffer, place.offset, place.type);
  }
  if (number_of(node) == std::numeric_limits<double>::infinity())
    return Expr{ExprKind::constant, "INFINITY", node.type.text, {}};
  if (node.function >= 0) return inlined(node);
  if (node.text == kTrips) return trips_of(node);
  if (const auto effect = effect_of(node)) return not_lifted(effect->reason, effect->line);
  Expr call{ExprKind::call, node.text, node.type.text, {}};
  for (const Node &argument : node.children) {
    CUPILOT_TRY(part, expr(argument));
    call.parts.push_back(std::move(part));
  }
  return call;
}

/// How often a loop goes round: it has to end behind its begin.
Lift<Expr> Lifter::trips_of(const Node &node) {
  CUPILOT_TRY(begin, expr(node.children[0]));
  CUPILOT_TRY(end, expr(node.children[1]));
  if (node.children[2].value != 1 || !is_of_sizes(begin) || !is_of_sizes(end))
    return not_lifted("how often a loop that moves something goes round is not known", node.line);
  out_.needs.push_back({spec::binary(">=", end, begin, "bool"), "a loop that moves something goes forward"});
  Expr trips = (Polynomial::of(end) - Polynomial::of(begin)).expr();
  trips.type = node.type.text;
  return trips;
}

/// A function of the user's file: its statements stand before the expression that calls it.
Lift<Expr> Lifter::inlined(const Node &call) {
  const rewrite::Function &function = kernel_.functions[call.function];
  if (std::ranges::find(calls_, call.function) != calls_.end())
    return not_lifted(fmt::format("'{}' calls itself", function.name), call.line);
  if (function.parameters.size() != call.children.size())
    return not_lifted(fmt::format("'{}' is called with other arguments than it names", function.name),
                      call.line);
  std::vector<const Node *> parts = rewrite::parts_of(function.body);
  if (parts.empty() || parts.back()->kind != Kind::return_ || parts.back()->children.empty())
    return not_lifted(fmt::format("'{}' does not end in its only return", function.name), call.line);
  for (std::size_t i = 0; i < call.children.size(); ++i) {
    const int parameter = function.parameters[i];
    const Node &argument = call.children[i];
    const rewrite::Variable &variable = kernel_.variables[parameter];
    if (variable.type.kind == Type::Kind::pointer) {
      CUPILOT_CHECKED(point(parameter, argument));
      declared_at_[parameter] = depth_;
      continue;
    }
    if (argument.kind == Kind::unary && argument.text == "&")
      return not_lifted(fmt::format("'{}' may change its argument", function.name), call.line);
    CUPILOT_TRY(value, expr(argument));
    if (rewrite::assigned(function.body, parameter)) {
      const std::string name = fresh(variable.name);
      emit({.kind = spec::StatementKind::variable, .name = name, .type = variable.type.text, .value = value},
           call);
      declared_at_[parameter] = depth_;
      value = spec::named(ExprKind::value, name, variable.type.text);
    } else if (value.type != variable.type.text && !is_integer(variable.type)) {
      value = {ExprKind::cast, variable.type.text, variable.type.text, {value}};
    }
    values_[parameter] = std::move(value);
  }
  calls_.push_back(call.function);
  const Node *last = parts.back();
  parts.pop_back();
  const auto done = statements(parts);
  Lift<Expr> result = done ? expr(last->children[0]) : Lift<Expr>(std::unexpected(done.error()));
  calls_.pop_back();
  if (result && result->type != call.type.text && !is_integer(call.type))
    return Expr{ExprKind::cast, call.type.text, call.type.text, {std::move(*result)}};
  return result;
}

Lift<Expr> Lifter::expr(const Node &node) {
  if (const auto known = results_.find(&node); known != results_.end())
    if (auto same = uniform(known->second, Mask(known->second.size(), true))) return *same;
  if (node.value && node.type.kind == Type::Kind::boolean)
    return Expr{ExprKind::constant, *node.value ? "true" : "false", "bool", {}};
  if (node.value && is_integer(node.type) && node.kind != Kind::subscript) {
    Expr number = spec::constant(*node.value);
    number.type = node.type.text;
    return number;
  }
  switch (node.kind) {
    case Kind::name:
      return expr_of_name(node);
    case Kind::builtin:
      return expr_of_builtin(node);
    case Kind::integer:
    case Kind::literal:
      return Expr{ExprKind::constant, literal_text(node), node.type.text, {}};
    case Kind::subscript: {
      const int root = rewrite::root_variable(node);
      const bool shared = root >= 0 && shared_.contains(root);
      if (tiles_.contains(root)) return tile_read(node);
      if (is_private(root))
        return not_lifted(fmt::format("'{}' is an array of each thread", name_of(root)), node.line);
      if (!shared) return load_of(node);
      return element_of_all(node);
    }
    case Kind::unary: {
      if (node.text == "*") return load_of(node.children[0]);
      const bool plain = node.text == "-" || node.text == "+" || node.text == "!" || node.text == "~";
      if (!plain || node.overloaded) break;
      CUPILOT_TRY(operand, expr(node.children[0]));
      if (node.text == "+") return operand;
      if (node.text == "!" && (is_true(operand) || is_false(operand)))
        return Expr{ExprKind::constant, is_true(operand) ? "false" : "true", "bool", {}};
      return Expr{ExprKind::unary, node.text, node.type.text, {std::move(operand)}};
    }
    case Kind::binary:
      return expr_of_binary(node);
    case Kind::conditional: {
      CUPILOT_TRY(condition, expr(node.children[0]));
      if (is_true(condition)) return expr(node.children[1]);
      if (is_false(condition)) return expr(node.children[2]);
      CUPILOT_TRY(one, expr(node.children[1]));
      CUPILOT_TRY(other, expr(node.children[2]));
      return Expr{
          ExprKind::select, "", node.type.text, {std::move(condition), std::move(one), std::move(other)}};
    }
    case Kind::cast: {
      CUPILOT_TRY(operand, expr(node.children[0]));
      if (is_integer(node.type) && operand.type == node.type.text) return operand;
      if (const auto number = Polynomial::of(operand).value();
          number && operand.kind == ExprKind::constant && is_integer(node.children[0].type)) {
        if (node.type.text == "float")
          return Expr{ExprKind::constant, std::to_string(*number) + ".f", "float", {}};
        if (node.type.text == "double")
          return Expr{ExprKind::constant, std::to_string(*number) + ".0", "double", {}};
      }
      return Expr{ExprKind::cast, node.type.text, node.type.text, {std::move(operand)}};
    }
    case Kind::member: {
      if (node.overloaded) break;
      CUPILOT_TRY(lane, lane_of(node));
      if (lane) return spec::load(lane->buffer, lane->offset, lane->type);
      CUPILOT_TRY(object, expr(node.children[0]));
      return Expr{ExprKind::member, node.text, node.type.text, {std::move(object)}};
    }
    case Kind::call:
      return expr_of_call(node);
    case Kind::lambda:
      return not_lifted("a lambda that has copies of what is around it, or that is not only called",
                        node.line);
    case Kind::other_expression:
      if (node.text == "construct" && node.children.size() == 1) {
        CUPILOT_TRY(made_of, expr(node.children[0]));
        if (node.children[0].type.text == node.type.text) return made_of;
        const bool sixteen = node.type.text == "__half" || node.type.text == "half" ||
                             node.type.text == "__nv_bfloat16" || node.type.text == "nv_bfloat16";
        if (sixteen) return Expr{ExprKind::cast, node.type.text, node.type.text, {std::move(made_of)}};
      }
      break;
    default:
      break;
  }
  return not_lifted(node.text.empty() ? "an expression of a kind that is not known here"
                                      : fmt::format("'{}' is not known here", node.text),
                    node.line);
}

/// Whether threads of one team have different values.
bool Lifter::depends_on_member(const Expr &expr) const {
  bool found = false;
  spec::visit(expr, [&](const Expr &part) {
    found = found ||
            (part.kind == ExprKind::axis && (part.text == std::string(kThread) + "x" || part.text == kLane));
  });
  return found;
}

bool Lifter::depends_on_thread(const Expr &expr) const {
  bool found = false;
  spec::visit(expr, [&](const Expr &part) {
    found = found || (part.kind == ExprKind::axis && (part.text.starts_with(kThread) || part.text == kLane));
  });
  return found;
}

/// The coordinate that an expression is.
std::optional<std::string> Lifter::coordinate_of(const Expr &expr) const {
  if (expr.kind == ExprKind::axis) return expr.text;
  for (const char dimension : {'x', 'y', 'z'})
    if (expr == place_in_grid(dimension)) return std::string(kGlobal) + dimension;
  return std::nullopt;
}

std::string Lifter::fresh(const std::string &name) {
  std::string unique = name;
  for (int i = 2; !used_names_.insert(unique).second; ++i) unique = fmt::format("{}_{}", name, i);
  return unique;
}

}  // namespace cupilot::lift
