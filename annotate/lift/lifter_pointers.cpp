// SPDX-License-Identifier: Apache-2.0
//
// Pointers: which buffer each points to and how far into it, also while it moves.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "annotate/lift/lifter.h"
#include "annotate/rewrite/analysis.h"
#include "annotate/rewrite/text.h"
#include "annotate/spec/lifted_text.h"
#include "annotate/spec/polynomial.h"

namespace cupilot::lift {

using rewrite::Kind;
using rewrite::Storage;
using rewrite::Type;
using spec::Expr;
using spec::ExprKind;
using spec::Polynomial;

namespace {

bool is_pointer_name(const rewrite::Node &node) {
  return node.kind == Kind::name && node.type.kind == Type::Kind::pointer;
}

/// `p++`, `++p`, `p += n`, `p -= n`: by how much, with `one` for a step; null: it is none of them.
const rewrite::Node *step_of_pointer(const rewrite::Node &node, const rewrite::Node &one) {
  const bool moves = (node.kind == Kind::unary || node.kind == Kind::assign) && !node.overloaded &&
                     is_pointer_name(node.children[0]);
  if (!moves) return nullptr;
  if (node.text == "++" || node.text == "--") return &one;
  return node.text == "+=" || node.text == "-=" ? &node.children[1] : nullptr;
}

Expr advanced(const Expr &offset, const std::string &op, const Expr &by) {
  const bool start = op == "+" && spec::is_constant(offset, 0);
  return start ? by : spec::binary(op, offset, by, "long long");
}

/// How many numbers of this type the CUDA vector has: 4 for float4 and float; 0: it is none of these.
int lanes_of(const std::string &vector, const std::string &number) {
  static constexpr std::array<std::pair<const char *, const char *>, 12> kNames{
      {{"float", "float"},
       {"double", "double"},
       {"int", "int"},
       {"unsigned int", "uint"},
       {"char", "char"},
       {"unsigned char", "uchar"},
       {"short", "short"},
       {"unsigned short", "ushort"},
       {"long long", "longlong"},
       {"unsigned long long", "ulonglong"},
       {"__half", "__half"},
       {"__nv_bfloat16", "__nv_bfloat16"}}};
  for (const auto &[type, name] : kNames) {
    const std::string prefix = name;
    if (number == type && vector.size() == prefix.size() + 1 && vector.starts_with(prefix))
      return vector.back() == '2' || vector.back() == '4' ? vector.back() - '0' : 0;
  }
  return 0;
}

Expr times(Expr index, int lanes) {
  return lanes == 1 ? index : spec::binary("*", std::move(index), spec::constant(lanes), "long long");
}

}  // namespace

/// Whether something that the value is made of may be another number when the value is used.
bool Lifter::changes_later(const Expr &value) const {
  bool found = false;
  spec::visit(value, [&](const Expr &part) {
    found = found || (part.kind == ExprKind::value && changing_.contains(part.text));
  });
  return found;
}

/// From here on the variable points to where `value` does.
Lift<void> Lifter::point(int variable, const Node &value) {
  CUPILOT_TRY(place, pointer(value));
  if (changes_later(place.offset)) {
    const std::string name = fresh(name_of(variable) + "_offset");
    emit({.kind = spec::StatementKind::value, .name = name, .type = "long long", .value = place.offset},
         value);
    place.offset = spec::named(ExprKind::value, name, "long long");
  }
  pointers_[variable] = std::move(place);
  lost_.erase(variable);
  moved_.erase(variable);
  return {};
}

Lift<Lifter::Pointer> Lifter::element_of(const Node &node) {
  CUPILOT_TRY(base, pointer(node.children[0]));
  CUPILOT_TRY(plain, expr(node.children[1]));
  const Expr index = times(std::move(plain), base.lanes);
  base.offset =
      spec::is_constant(base.offset, 0) ? index : spec::binary("+", base.offset, index, "long long");
  return base;
}

/// Where a pointer expression points: a buffer and an index into it.
Lift<Lifter::Pointer> Lifter::pointer(const Node &node) {
  const Node &inner = node;
  if (inner.type.element_volatile) return not_lifted("the kernel accesses volatile memory", node.line);
  if (inner.kind == Kind::name) {
    if (const auto need = moved_.find(inner.variable);
        need != moved_.end() && !followed_.contains(inner.variable)) {
      out_.needs.push_back(need->second);
      moved_.erase(need);
    }
    if (lost_.contains(inner.variable) && !followed_.contains(inner.variable))
      return not_lifted(fmt::format("where the pointer '{}' has got to is not known", inner.text), node.line);
    if (const auto known = pointers_.find(inner.variable); known != pointers_.end()) return known->second;
    const rewrite::Variable &variable = kernel_.variables[inner.variable];
    const bool buffer = variable.storage == Storage::parameter && variable.type.kind == Type::Kind::pointer;
    const bool table = variable.storage == Storage::global && variable.type.extents.size() == 1;
    if (buffer || table) return Pointer{variable.name, variable.type.element, spec::constant(0)};
  }
  if (inner.kind == Kind::binary && (inner.text == "+" || inner.text == "-") && !inner.overloaded) {
    const int side = inner.children[0].type.kind == Type::Kind::pointer ? 0 : 1;
    CUPILOT_TRY(base, pointer(inner.children[side]));
    CUPILOT_TRY(distance, expr(inner.children[1 - side]));
    Expr offset = times(std::move(distance), base.lanes);
    const bool start = inner.text == "+" && spec::is_constant(base.offset, 0);
    base.offset = start ? std::move(offset) : spec::binary(inner.text, base.offset, offset, "long long");
    return base;
  }
  if (inner.kind == Kind::unary && inner.text == "++" && inner.postfix &&
      is_pointer_name(inner.children[0])) {
    if (!may_step_)
      return not_lifted(fmt::format("the pointer '{}' moves", inner.children[0].text), node.line);
    CUPILOT_TRY(before, pointer(inner.children[0]));
    stepping_.push_back(&inner);
    return before;
  }
  if (inner.kind == Kind::unary && inner.text == "&" && inner.children[0].kind == Kind::subscript)
    return element_of(inner.children[0]);
  if (inner.kind == Kind::cast && inner.type.kind == Type::Kind::pointer) {
    CUPILOT_TRY(place, pointer(inner.children[0]));
    if (inner.type.element == place.type) return place;
    const int lanes = place.lanes == 1 ? lanes_of(inner.type.element, place.type) : 0;
    if (lanes > 0) {
      place.lanes = lanes;
      return place;
    }
    return not_lifted(fmt::format("'{}' is read as '{}'", place.buffer, inner.type.element), node.line);
  }
  return not_lifted("a pointer is computed in a way that hides which buffer it points to", node.line);
}

/// The number that `reinterpret_cast<float4 *>(x)[i].y` is in `x`; nullopt: it is no member of such a vector.
Lift<std::optional<Lifter::Pointer>> Lifter::lane_of(const Node &node) {
  const Node &vector = node.children[0];
  const bool star = vector.kind == Kind::unary && vector.text == "*";
  if (node.overloaded || (vector.kind != Kind::subscript && !star)) return std::nullopt;
  const int root = rewrite::root_variable(vector);
  if (root >= 0 && shared_.contains(root)) return std::nullopt;
  CUPILOT_TRY(place, star ? pointer(vector.children[0]) : element_of(vector));
  if (place.lanes == 1) return std::nullopt;
  note_wide(place);
  const std::size_t lane = std::string_view("xyzw").find(node.text);
  place.offset =
      spec::binary("+", place.offset, spec::constant(static_cast<std::int64_t>(lane)), "long long");
  place.lanes = 1;
  return place;
}

/// Vectors lie at multiples of their size: the buffer begins at one, and whatever an axis steps over is one.
void Lifter::note_wide(const Pointer &place) {
  const auto known = std::ranges::find(out_.wide, place.buffer, &spec::Wide::buffer);
  if (known == out_.wide.end())
    out_.wide.push_back({place.buffer, place.lanes});
  else
    known->elements = std::max(known->elements, place.lanes);
  std::set<std::string> sizes;
  spec::visit(place.offset, [&](const Expr &part) {
    if (part.kind == ExprKind::parameter) sizes.insert(part.text);
  });
  const Polynomial offset = Polynomial::of(place.offset);
  std::map<Polynomial::Product, Polynomial> steps;
  for (const auto &[product, count] : offset.terms()) {
    Polynomial::Product others, own;
    for (const std::string &factor : product) (sizes.contains(factor) ? own : others).push_back(factor);
    if (own.empty() || count % place.lanes == 0) continue;
    Polynomial step(count);
    for (const std::string &factor : own)
      step = step * Polynomial::of(spec::named(ExprKind::parameter, factor, "int"));
    steps[others] = steps[others] + step;
  }
  for (const auto &[others, step] : steps) {
    const Expr rest = spec::binary("%", step.expr(), spec::constant(place.lanes), "int");
    spec::Need need{spec::binary("==", rest, spec::constant(0), "bool"),
                    fmt::format("'{}' is accessed {} elements at once", place.buffer, place.lanes)};
    if (holds_everywhere(need.condition, out_.sizes, spec_)) out_.needs.push_back(std::move(need));
  }
}

Lift<Expr> Lifter::load_of(const Node &node) {
  CUPILOT_TRY(place, node.kind == Kind::subscript ? element_of(node) : pointer(node));
  if (place.lanes > 1) return not_lifted("a vector is read as a whole", node.line);
  return spec::load(place.buffer, place.offset, place.type);
}

/// `row += n;`, where everything that comes afterwards sees it.
Lift<void> Lifter::move_pointer(const Node &node) {
  const Node one{.kind = Kind::integer, .line = node.line, .value = 1};
  const int variable = node.children[0].variable;
  const auto declared = declared_at_.find(variable);
  if (!straight_from(declared == declared_at_.end() ? 0 : declared->second))
    return not_lifted(fmt::format("the pointer '{}' moves", name_of(variable)), node.line);
  if (node.text == "=") return point(variable, node.children[1]);
  const Node *by = step_of_pointer(node, one);
  if (by == nullptr) return not_lifted(fmt::format("the pointer '{}' moves", name_of(variable)), node.line);
  CUPILOT_TRY(place, pointer(node.children[0]));
  CUPILOT_TRY(distance, by == &one ? Lift<Expr>(spec::constant(1)) : expr(*by));
  const Expr offset = times(std::move(distance), place.lanes);
  if (changes_later(offset))
    return not_lifted(fmt::format("how far the pointer '{}' moves changes", name_of(variable)), node.line);
  place.offset = advanced(place.offset, node.text.substr(0, 1), offset);
  pointers_[variable] = std::move(place);
  return {};
}

/// After a statement with `*p++` in it.
Lift<void> Lifter::step_pointers() {
  for (const Node *step : std::exchange(stepping_, {})) CUPILOT_CHECKED(move_pointer(*step));
  return {};
}

/// Pointers that the loop moves by the same distance at every iteration, at the end of a statement of its own
/// that every iteration executes: at their place in iteration `axis - begin`. Where they are behind
/// the loop is known if it counts from zero to a size by ones, and the size is not negative.
Lift<void> Lifter::follow_pointers(const Counter &counter, const std::vector<const Node *> &parts,
                                   const Expr &axis) {
  const Node one{.kind = Kind::integer, .value = 1};
  const auto moved_by = [](const Node &node) {
    const Node *target = rewrite::written_lvalue(node);
    return target && node.text != "&" && is_pointer_name(*target) ? target->variable : -1;
  };
  std::map<int, std::vector<const Node *>> moves, in_order;
  for (const Node *part : parts) {
    const bool straight = part->kind == Kind::assign || part->kind == Kind::unary ||
                          part->kind == Kind::declaration || part->kind == Kind::call;
    rewrite::walk(*part, [&](const Node &node) {
      if (const int variable = moved_by(node); variable >= 0) {
        moves[variable].push_back(&node);
        if (straight) in_order[variable].push_back(&node);
      }
    });
  }
  const bool skips = std::ranges::any_of(parts, [](const Node *part) {
    return rewrite::find(*part, [](const Node &node) { return node.kind == Kind::continue_; }) != nullptr;
  });
  for (const auto &[variable, all] : moves) {
    const auto declared = declared_at_.find(variable);
    const bool outside = declared != declared_at_.end()
                             ? declared->second <= depth_
                             : kernel_.variables[variable].storage == Storage::parameter;
    if (!outside) continue;  // the body's own
    const Node *by =
        all.size() == 1 && in_order.contains(variable) && !skips ? step_of_pointer(*all[0], one) : nullptr;
    if (by == nullptr || counter.down)
      return not_lifted(fmt::format("the pointer '{}' moves", name_of(variable)), all[0]->line);
    CUPILOT_TRY(distance, by == &one ? Lift<Expr>(spec::constant(1)) : expr(*by));
    if (!is_of_sizes(distance))
      return not_lifted(fmt::format("how far the pointer '{}' moves changes", name_of(variable)),
                        all[0]->line);
    Node name{.kind = Kind::name, .text = name_of(variable), .line = all[0]->line, .variable = variable};
    name.type = kernel_.variables[variable].type;
    CUPILOT_TRY(place, pointer(name));
    // Where it is in an iteration: as far on as the counter is, times the ratio of their steps.
    const auto length = [&](const Expr &counted) {
      return Polynomial::of(counted) - Polynomial::of(counter.own_begin);
    };
    const auto ratio = Polynomial::of(distance).divided_by(Polynomial::of(counter.own_step));
    if (!ratio) return not_lifted(fmt::format("the pointer '{}' moves", name_of(variable)), all[0]->line);
    const Polynomial factor = *ratio * Polynomial(place.lanes);
    const std::string op = all[0]->text.substr(0, 1);
    Pointer behind = place;
    // As one polynomial: a thread's own place is in both the pointer and the counter.
    const auto moved_on = [&](const Polynomial &distance_on) {
      const Polynomial from = Polynomial::of(place.offset);
      return (op == "+" ? from + distance_on : from - distance_on).expr();
    };
    behind.offset = moved_on(length(counter.end) * factor);
    place.offset = moved_on(length(axis) * factor);
    pointers_[variable] = std::move(place);
    declared_at_[variable] = depth_ + 1;
    if (spec::is_constant(counter.own_step, 1) && is_of_sizes(counter.end) &&
        spec::is_constant(counter.own_begin, 0))
      moved_.insert_or_assign(variable, spec::Need{spec::binary(">=", counter.end, spec::constant(0), "bool"),
                                                   fmt::format("'{}' has moved forward", name_of(variable))});
    else
      lost_.insert(variable);
    followed_.insert_or_assign(variable, std::move(behind));
  }
  return {};
}

}  // namespace cupilot::lift
