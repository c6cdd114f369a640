// SPDX-License-Identifier: Apache-2.0
#include "annotate/lift/trial.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <string_view>

#include "annotate/lift/element.h"
#include "annotate/lift/folds.h"
#include "annotate/lift/plain_nodes.h"
#include "annotate/rewrite/analysis.h"

namespace cupilot::lift {

using rewrite::Kind;
using rewrite::Node;
using rewrite::Type;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

bool is_exponential(const std::string &function) {
  return function == "expf" || function == "__expf" || function == "exp" || function == "exp2f" ||
         function == "exp2";
}

double exponential_of(const std::string &function, double value) {
  return function.starts_with("exp2") ? std::exp2(value) : std::exp(value);
}

std::optional<double> computed_of(const std::string &op, double left, double right) {
  if (op == "+") return left + right;
  if (op == "-") return left - right;
  if (op == "*") return left * right;
  if (op == "/") return left / right;
  if (op == ">") return left > right;
  if (op == "<") return left < right;
  if (op == ">=") return left >= right;
  if (op == "<=") return left <= right;
  if (op == "==") return left == right;
  if (op == "!=") return left != right;
  if (op == "&&" || op == "&") return left != 0 && right != 0;
  if (op == "||" || op == "|") return left != 0 || right != 0;
  return std::nullopt;
}

bool is_number_type(const Type &type) {
  return type.kind == Type::Kind::floating || type.kind == Type::Kind::integer;
}

class Trial {
public:
  struct Values {
    std::array<double, 3> targets{};
    std::vector<double> atoms;
    std::map<int, double> locals{};
    std::array<bool, 3> changed{};  ///< targets
  };

  explicit Trial(std::span<const Node> statements) : statements_(statements) {}

  /// False: they do something else.
  bool look() {
    for (const Node &one : statements_)
      if (!find_targets(one)) return false;
    if (targets.size() != 2 && targets.size() != 3) return false;
    for (const Node &target : targets)
      if (reads_local(target)) return false;
    for (const Node &one : statements_) find_atoms(one);
    return !atoms.empty() && atoms.size() <= targets.size();
  }

  /// What the targets are afterwards.
  std::optional<std::array<double, 3>> run(Values values) const {
    for (const Node &one : statements_)
      if (!execute(one, values)) return std::nullopt;
    return values.targets;
  }

  std::vector<Node> targets, atoms;
  Node exponential;

private:
  /// `++n` as `n += 1`.
  static Node step_of_one(const Node &node) {
    return assignment_of("+=", node.children[0], integer_at(node, 1));
  }

  bool find_targets(const Node &node) {
    switch (node.kind) {
      case Kind::compound:
        return std::ranges::all_of(node.children, [&](const Node &one) { return find_targets(one); });
      case Kind::declaration:
        return std::ranges::all_of(node.children, [&](const Node &one) {
          const bool number = one.kind == Kind::declare &&
                              (is_number_type(one.type) || one.type.kind == Type::Kind::boolean) &&
                              !one.type.is_reference;
          if (number) locals_.insert(one.variable);
          return number && std::ranges::none_of(one.children, has_steps);
        });
      case Kind::assign: {
        const Node &target = node.children[0];
        if (has_steps(node.children[1]) || node.overloaded) return false;
        if (target.kind == Kind::name && locals_.contains(target.variable)) return true;
        if (target.kind != Kind::name && target.kind != Kind::subscript) return false;
        if (std::ranges::none_of(targets, [&](const Node &one) { return alike(one, target); }))
          targets.push_back(target);
        return is_number_type(target.type) && targets.size() <= 3;
      }
      case Kind::unary:
        return node.text == "++" && !node.overloaded && find_targets(step_of_one(node));
      case Kind::if_:
        return !has_steps(node.children[0]) && find_targets(node.children[1]) &&
               (node.children[2].kind == Kind::none || find_targets(node.children[2]));
      case Kind::empty:
        return true;
      default:
        return false;
    }
  }

  bool reads_local(const Node &node) const {
    return rewrite::find(node, [&](const Node &one) {
             return one.kind == Kind::name && locals_.contains(one.variable);
           }) != nullptr;
  }

  std::optional<std::size_t> target_of(const Node &node) const {
    for (std::size_t i = 0; i < targets.size(); ++i)
      if (alike(targets[i], node)) return i;
    return std::nullopt;
  }
  std::optional<std::size_t> atom_of(const Node &node) const {
    for (std::size_t i = 0; i < atoms.size(); ++i)
      if (alike(atoms[i], node)) return i;
    return std::nullopt;
  }

  /// The largest parts that have nothing to do with what the statements change.
  void find_atoms(const Node &node) {
    if (node.kind == Kind::assign) return find_atoms(node.children[1]);
    if (node.kind == Kind::call && is_exponential(node.text) && !is_there(exponential)) exponential = node;
    if (number_of(node) || target_of(node)) return;
    const bool value = node.kind != Kind::compound && node.kind != Kind::declaration &&
                       node.kind != Kind::declare && node.kind != Kind::if_ && node.kind != Kind::empty;
    const bool own = reads_local(node) || rewrite::find(node, [&](const Node &one) {
                                            return target_of(one).has_value();
                                          }) != nullptr;
    // An exchange of what changes is what another thread has of it, before anything changes here.
    const bool exchange = node.kind == Kind::call && is_shuffle(node.text) && !reads_local(node);
    if (value && is_number_type(node.type) && (!own || exchange)) {
      if (!atom_of(node)) atoms.push_back(node);
      return;
    }
    for (const Node &child : node.children)
      if (child.kind != Kind::none) find_atoms(child);
  }

  bool execute(const Node &node, Values &values) const {
    switch (node.kind) {
      case Kind::compound:
        return std::ranges::all_of(node.children, [&](const Node &one) { return execute(one, values); });
      case Kind::declaration:
        return std::ranges::all_of(node.children, [&](const Node &one) {
          if (one.children.empty()) return true;
          const auto value = evaluate(one.children[0], values);
          if (value) values.locals[one.variable] = *value;
          return value.has_value();
        });
      case Kind::assign: {
        auto value = evaluate(node.children[1], values);
        if (value && node.text != "=") {
          const auto before = evaluate(node.children[0], values);
          value =
              before ? computed_of(node.text.substr(0, node.text.size() - 1), *before, *value) : std::nullopt;
        }
        if (!value) return false;
        if (const auto target = target_of(node.children[0]))
          values.targets[*target] = *value, values.changed[*target] = true;
        else
          values.locals[node.children[0].variable] = *value;
        return true;
      }
      case Kind::unary:
        return execute(step_of_one(node), values);
      case Kind::if_: {
        const auto condition = evaluate(node.children[0], values);
        if (!condition) return false;
        const Node &chosen = node.children[*condition != 0 ? 1 : 2];
        return chosen.kind == Kind::none || execute(chosen, values);
      }
      default:
        return node.kind == Kind::empty;
    }
  }

  std::optional<double> evaluate(const Node &node, const Values &values) const {
    if (const auto number = number_of(node)) return number;
    if (const auto target = target_of(node)) return values.targets[*target];
    if (const auto atom = atom_of(node)) {
      // An exchange of what has changed already is another one.
      const bool stale = rewrite::find(node, [&](const Node &one) {
                           const auto target = target_of(one);
                           return target && values.changed[*target];
                         }) != nullptr;
      return stale ? std::nullopt : std::optional(values.atoms[*atom]);
    }
    if (node.kind == Kind::name) {
      const auto local = values.locals.find(node.variable);
      return local == values.locals.end() ? std::nullopt : std::optional(local->second);
    }
    if (node.overloaded || node.function >= 0) return std::nullopt;
    std::vector<double> parts;
    for (const Node &child : node.children) {
      const auto part = evaluate(child, values);
      if (!part) return std::nullopt;
      parts.push_back(*part);
    }
    if (node.text == "/" && node.type.kind == Type::Kind::integer) return std::nullopt;
    if (node.kind == Kind::binary && parts.size() == 2) return computed_of(node.text, parts[0], parts[1]);
    if (node.kind == Kind::conditional) return parts[0] != 0 ? parts[1] : parts[2];
    if (node.kind == Kind::cast && parts.size() == 1) return parts[0];
    if (node.kind == Kind::unary && node.text == "-") return -parts[0];
    if (node.kind == Kind::unary && node.text == "!") return parts[0] == 0;
    if (node.kind != Kind::call) return std::nullopt;
    if (is_exponential(node.text) && parts.size() == 1) return exponential_of(node.text, parts[0]);
    const std::string op = op_of_call(node.text);
    if (op == "max" && parts.size() == 2) return std::fmax(parts[0], parts[1]);
    if (op == "min" && parts.size() == 2) return std::fmin(parts[0], parts[1]);
    if (op == "fma" && parts.size() == 3) return std::fma(parts[0], parts[1], parts[2]);
    return std::nullopt;
  }

  std::span<const Node> statements_;
  std::set<int> locals_;
};

bool is_floating_node(const Node &node) {
  return node.type.kind == Type::Kind::floating;
}

/// Which of two is the floating one and which the whole number.
std::optional<std::size_t> floating_of(const std::vector<Node> &both) {
  if (both.size() != 2) return std::nullopt;
  for (std::size_t i = 0; i < 2; ++i)
    if (both[i].type.text == "float" && both[1 - i].type.kind == Type::Kind::integer) return i;
  return std::nullopt;
}

/// Whether the pair becomes what the meaning says, for all orders of two values and two places.
bool keeps_best(const Trial &trial, std::size_t value, std::size_t from, bool largest, bool strict) {
  for (int code = 0; code < 3 * 4 * 3 * 3; ++code) {
    const double own = code % 3, place = code / 12 % 3, other_place = code / 36;
    const double other = code / 3 % 4 == 3 ? kNaN : code / 3 % 4;
    if (own == other && place == other_place) continue;
    Trial::Values values{.targets = {}, .atoms = std::vector<double>(2)};
    values.targets[value] = own, values.targets[1 - value] = place;
    values.atoms[from] = other, values.atoms[1 - from] = other_place;
    const auto got = trial.run(values);
    const bool better =
        (largest ? other > own : other < own) || (!strict && other == own && other_place < place);
    if (!got || (*got)[value] != (better ? other : own) ||
        (*got)[1 - value] != (better ? other_place : place))
      return false;
  }
  return true;
}

std::optional<Meaning> place_of(const Trial &trial) {
  const auto value = floating_of(trial.targets), from = floating_of(trial.atoms);
  if (!value || !from) return std::nullopt;
  for (const bool largest : {true, false})
    for (const bool strict : {true, false})
      if (keeps_best(trial, *value, *from, largest, strict))
        return Meaning{.kind = Meaning::Kind::place,
                       .largest = largest,
                       .strict = strict,
                       .value = trial.targets[*value],
                       .other = trial.targets[1 - *value],
                       .from = trial.atoms[*from],
                       .from_other = trial.atoms[1 - *from]};
  return std::nullopt;
}

/// Whether the second target stays the sum of exponentials below the first, which stays the largest.
bool keeps_sum(const Trial &trial, std::size_t value, std::size_t from) {
  const bool weighed = trial.atoms.size() == 2;
  const auto exponential = [&](double exponent) { return exponential_of(trial.exponential.text, exponent); };
  for (const double own : {-kInfinity, -1.5, 0.25, 2.0})
    for (const double sum : {0.0, 0.5, 3.0})
      for (const double other : {-kInfinity, -1.25, 0.5, 1.75, 2.0})
        for (const double weight : {0.0, 1.0, 0.75, 2.0}) {
          if ((own == -kInfinity) != (sum == 0) || (!weighed && weight != 1)) continue;
          if ((other == -kInfinity) != (weight == 0) || own + other == -2 * kInfinity) continue;
          if (own == -kInfinity && other == -kInfinity) continue;
          Trial::Values values{.targets = {}, .atoms = std::vector<double>(trial.atoms.size())};
          values.targets[value] = own, values.targets[1 - value] = sum;
          values.atoms[from] = other;
          if (weighed) values.atoms[1 - from] = weight;
          const auto got = trial.run(values);
          const double most = std::max(own, other);
          const double all = sum * exponential(own - most) + weight * exponential(other - most);
          if (!got || (*got)[value] != most || !(std::abs((*got)[1 - value] - all) <= 1e-9 * all))
            return false;
        }
  return true;
}

/// Whether two infinities make NaN.
bool poisons(const Trial &trial, std::size_t value, std::size_t from) {
  Trial::Values values{.targets = {}, .atoms = std::vector<double>(trial.atoms.size())};
  values.targets[value] = values.atoms[from] = -kInfinity;
  const auto got = trial.run(values);
  return !got || std::isnan((*got)[1 - value]);
}

std::optional<Meaning> exponentials_of(const Trial &trial) {
  if (!is_there(trial.exponential) || trial.targets.size() != 2 ||
      !std::ranges::all_of(trial.targets, is_floating_node) ||
      !std::ranges::all_of(trial.atoms, is_floating_node))
    return std::nullopt;
  for (const std::size_t value : {0, 1})
    for (std::size_t from = 0; from < trial.atoms.size(); ++from)
      if (keeps_sum(trial, value, from))
        return Meaning{.kind = Meaning::Kind::exponentials,
                       .largest = true,
                       .strict = false,
                       .poisons = poisons(trial, value, from),
                       .value = trial.targets[value],
                       .other = trial.targets[1 - value],
                       .from = trial.atoms[from],
                       .from_other = trial.atoms.size() == 2 ? trial.atoms[1 - from] : Node{},
                       .exponential = trial.exponential};
  return std::nullopt;
}

/// Number, mean and squares, in this order: which of the targets, and of what comes in, each is.
using Order = std::array<std::size_t, 3>;

/// Whether the targets stay what they are of all values together.
bool keeps_moments(const Trial &trial, const Order &own, const Order &other) {
  const bool merges = trial.atoms.size() == 3;
  for (const double count : {0.0, 1.0, 5.0})
    for (const double mean : {-1.5, 2.25})
      for (const double squares : {0.0, 3.5})
        for (const double more : {0.0, 1.0, 3.0})
          for (const double other_mean : {0.75, -2.0})
            for (const double other_squares : {0.0, 1.25}) {
              if (!merges && (more != 1 || other_squares != 0)) continue;
              // Of no value there is no mean, and of one no distance from it.
              if ((count == 0 && mean > 0) || (count < 2 && squares != 0) || count + more == 0 ||
                  (more < 2 && other_squares != 0))
                continue;
              const double before = count == 0 ? 0 : mean;
              const double coming = more == 0 ? 0 : other_mean;
              Trial::Values values{.targets = {}, .atoms = std::vector<double>(trial.atoms.size())};
              values.targets[own[0]] = count, values.targets[own[1]] = before,
              values.targets[own[2]] = squares;
              if (merges)
                values.atoms[other[0]] = more, values.atoms[other[1]] = coming,
                values.atoms[other[2]] = other_squares;
              else
                values.atoms[0] = coming;
              const auto got = trial.run(values);
              const double all = count + more, apart = coming - before;
              const double middle = (count * before + more * coming) / all;
              const double sum = squares + other_squares + apart * apart * count * more / all;
              const auto near = [](double a, double b) {
                return std::abs(a - b) <= 1e-9 * (1 + std::abs(b));
              };
              if (!got || (*got)[own[0]] != all || !near((*got)[own[1]], middle) ||
                  !near((*got)[own[2]], sum))
                return false;
            }
  return true;
}

std::optional<Meaning> moments_of(const Trial &trial) {
  if (trial.targets.size() != 3 || trial.atoms.size() == 2) return std::nullopt;
  // What is counted may be whole, the others are not.
  const auto fits = [](const std::vector<Node> &nodes, const Order &order) {
    return is_floating_node(nodes[order[1]]) && is_floating_node(nodes[order[2]]);
  };
  Order own{0, 1, 2};
  do {
    Order other{0, 1, 2};
    do {
      if (!fits(trial.targets, own) || (trial.atoms.size() == 3 && !fits(trial.atoms, other)) ||
          !keeps_moments(trial, own, other))
        continue;
      Meaning found{.kind = Meaning::Kind::moments,
                    .strict = false,
                    .value = trial.targets[own[0]],
                    .other = trial.targets[own[1]],
                    .squares = trial.targets[own[2]],
                    .from = trial.atoms[trial.atoms.size() == 3 ? other[0] : 0]};
      if (trial.atoms.size() == 3)
        found.from_other = trial.atoms[other[1]], found.from_squares = trial.atoms[other[2]];
      return found;
    } while (trial.atoms.size() == 3 && std::ranges::next_permutation(other).found);
  } while (std::ranges::next_permutation(own).found);
  return std::nullopt;
}

}  // namespace

bool alike(const Node &left, const Node &right) {
  const Node &a = rewrite::bare(left), &b = rewrite::bare(right);
  if (a.value && b.value) return *a.value == *b.value;
  return a.kind == b.kind && a.text == b.text && a.variable == b.variable && a.function == b.function &&
         std::equal(a.children.begin(), a.children.end(), b.children.begin(), b.children.end(), alike);
}

std::optional<double> number_of(const Node &node) {
  if (node.value) return static_cast<double>(*node.value);
  switch (node.kind) {
    case Kind::integer:
    case Kind::literal: {
      char *end = nullptr;
      const double number = std::strtod(node.text.c_str(), &end);
      return end == node.text.c_str() ? std::nullopt : std::optional(number);
    }
    case Kind::cast:
      return node.children.size() == 1 ? number_of(node.children[0]) : std::nullopt;
    case Kind::unary: {
      if (node.text != "-") return std::nullopt;
      const auto number = number_of(node.children[0]);
      return number ? std::optional(-*number) : std::nullopt;
    }
    case Kind::call: {
      constexpr std::int64_t kInfinityBits = 0x7f800000;
      const bool infinite = node.text.starts_with("__builtin_inf") ||
                            node.text.starts_with("__builtin_huge_val") ||
                            (node.text == "__int_as_float" && node.children[0].value == kInfinityBits);
      return infinite ? std::optional(kInfinity) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

std::optional<Meaning> meaning_of(std::span<const Node> statements) {
  Trial trial(statements);
  if (!trial.look()) return std::nullopt;
  if (auto place = place_of(trial)) return place;
  if (auto exponentials = exponentials_of(trial)) return exponentials;
  return moments_of(trial);
}

}  // namespace cupilot::lift
