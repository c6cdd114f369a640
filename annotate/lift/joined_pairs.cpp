// SPDX-License-Identifier: Apache-2.0
//
// What threads keep in variables that change together: the largest value and where it is, the largest value
// and the sum of exponentials below it, the mean and the squares around it. Each becomes folds that the
// lifter knows, whatever structures, branches and temporaries there are, and whatever way threads put theirs
// together.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "annotate/lift/arguments.h"
#include "annotate/lift/element.h"
#include "annotate/lift/plain.h"
#include "annotate/lift/plain_nodes.h"
#include "annotate/lift/trial.h"
#include "annotate/rewrite/analysis.h"

namespace cupilot::lift {
namespace {

using rewrite::Kernel;
using rewrite::Kind;
using rewrite::Node;
using rewrite::Storage;
using rewrite::Type;

constexpr std::size_t kMostStatements = 16;  // that one step takes
constexpr std::size_t kFarthest = 3;         // from one half of a copy to the other
constexpr double kNothingYet = -1e30;        // at most: what a running maximum begins with

Type type_of(Type::Kind kind, const char *text, int bits, bool is_unsigned) {
  Type type;
  type.kind = kind, type.text = text, type.bits = bits, type.is_unsigned = is_unsigned;
  return type;
}
Type key_type() {
  return type_of(Type::Kind::integer, kKeyType, 64, true);
}
Type place_type() {
  return type_of(Type::Kind::integer, "unsigned int", 32, true);
}

/// Bodies in braces, every variable declared by itself, and `if (a && b)` as `if (a) { if (b) }`.
void tidy(Node &node) {
  while (node.kind == Kind::if_ && node.children[2].kind == Kind::none &&
         node.children[0].kind == Kind::binary && node.children[0].text == "&&") {
    Node inner = node;
    inner.children[0] = node.children[0].children[1];
    const Node first = node.children[0].children[0];
    node.children[0] = first;
    node.children[1] = compound_at(inner, {inner});
  }
  for (Node &child : node.children) tidy(child);
  const auto brace = [](Node &body) {
    if (body.kind != Kind::compound && body.kind != Kind::none) body = compound_at(body, {body});
  };
  if (node.kind == Kind::if_) brace(node.children[1]), brace(node.children[2]);
  if (node.kind == Kind::for_) brace(node.children[3]);
  if (node.kind == Kind::while_) brace(node.children[1]);
  if (node.kind != Kind::compound) return;
  std::vector<Node> parts;
  for (Node &child : node.children) {
    if (child.kind != Kind::declaration || child.children.size() < 2) {
      parts.push_back(std::move(child));
      continue;
    }
    for (Node &one : child.children) {
      Node alone = node_at(child, Kind::declaration);
      alone.children = {std::move(one)};
      parts.push_back(std::move(alone));
    }
  }
  node.children = std::move(parts);
}

/// A statement that gives one variable or element a value.
struct Write {
  const Node *target = nullptr;  ///< the declaration, or what is assigned to
  const Node *value = nullptr;
};
Write write_of(const Node &statement) {
  if (statement.kind == Kind::assign && statement.text == "=")
    return Write{&statement.children[0], &statement.children[1]};
  const bool declares = statement.kind == Kind::declaration && statement.children.size() == 1 &&
                        statement.children[0].kind == Kind::declare &&
                        !statement.children[0].children.empty();
  if (!declares) return {};
  return Write{&statement.children[0], &statement.children[0].children[0]};
}

int root_of(const Node &target) {
  return target.kind == Kind::declare ? target.variable : rewrite::root_variable(target);
}

class PairJoiner {
public:
  PairJoiner(Kernel &kernel, bool team, bool finite) : kernel_(kernel), team_(team), finite_(finite) {}

  PairsJoined run() {
    Node body = kernel_.body;
    tidy(body);
    std::vector<const Node *> loops;
    find_steps(body, loops);
    if (steps_.empty()) return {};
    for (const auto &[at, step] : steps_) start(step);
    for (std::size_t before = 0; before != others_[0].size() + others_[1].size();) {
      before = others_[0].size() + others_[1].size();
      for (const std::size_t slot : {0, 1}) {
        moves_[slot].clear();
        for_each_block(body, [&](const Node &block) { find_moves(block, slot); });
      }
      for (const auto &[at, step] : steps_) puts_together(step.meaning);
    }
    check_writes(body);
    check_families();
    bool any = false;
    for (const auto &[at, step] : steps_) any = any || lives(step.meaning.value);
    if (!any) return {.poisoned = poisoned_};
    retype();
    for (const auto &moves : moves_)
      for (const auto &[at, move] : moves)
        if (const Node &value = *write_of(at.first->children[move.value]).target;
            lives(value) && family(root_of(value)).kind == Meaning::Kind::moments)
          kept_.insert({&at.first->children[move.value], &at.first->children[move.other]});
    kernel_.body = rewritten(body);
    return {.any = true, .poisoned = poisoned_};
  }

private:
  struct Step {
    Meaning meaning;
    std::size_t count = 0;  ///< of statements
    std::vector<const Node *> loops;
  };
  /// A copy of a pair, or what a pair begins with.
  struct Move {
    std::size_t value = 0, other = 0;  ///< statements
  };
  struct Family {
    Meaning::Kind kind = Meaning::Kind::place;
    bool largest = true, known = false, failed = false;
    std::optional<bool> strict;
    Node begin_value, begin_other;  ///< what its pairs begin with
  };
  using At = std::pair<const Node *, std::size_t>;

  template <class Visit>
  static void for_each_block(const Node &node, const Visit &visit) {
    rewrite::walk(node, [&](const Node &one) {
      if (one.kind == Kind::compound) visit(one);
    });
  }

  const rewrite::Variable &variable(int index) const {
    return kernel_.variables[static_cast<std::size_t>(index)];
  }
  /// A variable of a thread, or an array that threads share.
  bool is_own(int index) const {
    if (index < 0) return false;
    const rewrite::Variable &it = variable(index);
    const bool number = it.type.kind == Type::Kind::floating || it.type.kind == Type::Kind::integer;
    if (it.type.kind == Type::Kind::array) return it.storage != Storage::global && !it.type.element_volatile;
    return it.storage == Storage::local && number && !it.type.is_reference && !it.type.is_volatile;
  }

  void find_steps(const Node &node, std::vector<const Node *> &loops) {
    const bool loop = node.kind == Kind::for_ || node.kind == Kind::while_ || node.kind == Kind::do_;
    if (loop) loops.push_back(&node);
    if (node.kind == Kind::compound) {
      std::vector<bool> taken(node.children.size());
      for (std::size_t count = 1; count <= std::min(kMostStatements, node.children.size()); ++count)
        for (std::size_t i = 0; i + count <= node.children.size(); ++i) {
          if (std::find(taken.begin() + static_cast<std::ptrdiff_t>(i),
                        taken.begin() + static_cast<std::ptrdiff_t>(i + count),
                        true) != taken.begin() + static_cast<std::ptrdiff_t>(i + count))
            continue;
          const std::span<const Node> statements(&node.children[i], count);
          auto meaning = meaning_of(statements);
          if (!meaning || !is_own(root_of(meaning->value)) || !is_own(root_of(meaning->other)) ||
              (is_there(meaning->squares) && !is_own(root_of(meaning->squares))) || leaves_more(statements))
            continue;
          std::fill_n(taken.begin() + static_cast<std::ptrdiff_t>(i), count, true);
          for (std::size_t part = 0; part < count; ++part) inside_.insert(&node.children[i + part]);
          steps_.emplace(At{&node, i}, Step{std::move(*meaning), count, loops});
        }
    }
    for (const Node &child : node.children)
      if (!inside_.contains(&child)) find_steps(child, loops);
    if (loop) loops.pop_back();
  }

  /// Whether what the statements declare is used behind them.
  bool leaves_more(std::span<const Node> statements) const {
    std::set<int> declared;
    const auto uses = [&](const Node &tree) {
      std::size_t count = 0;
      rewrite::walk(
          tree, [&](const Node &one) { count += one.kind == Kind::name && declared.contains(one.variable); });
      return count;
    };
    std::size_t here = 0;
    for (const Node &statement : statements)
      rewrite::walk(statement, [&](const Node &one) {
        if (one.kind == Kind::declare) declared.insert(one.variable);
      });
    for (const Node &statement : statements) here += uses(statement);
    return here != uses(kernel_.body);
  }

  int family_of(int value) {
    auto at = parents_.try_emplace(value, value).first;
    return at->second == value ? value : at->second = family_of(at->second);
  }
  Family &family(int value) { return families_[family_of(value)]; }
  bool lives(const Node &value) {
    const int root = root_of(value);
    if (!others_[0].contains(root)) return false;
    const Family &own = family(root);
    return own.known && !own.failed;
  }

  void unite(int one, int two) {
    const int a = family_of(one), b = family_of(two);
    if (a == b) return;
    const Family other = families_[b];
    Family &own = families_[a];
    own.failed = own.failed || other.failed;
    if (other.known && own.known)
      own.failed = own.failed || own.kind != other.kind || own.largest != other.largest;
    else if (other.known)
      own.kind = other.kind, own.largest = other.largest, own.known = true;
    parents_[b] = a;
  }

  void add_pair(int value, int other, std::size_t slot) {
    const auto [at, fresh] = others_[slot].try_emplace(value, other);
    if (at->second != other) family(value).failed = true;
    values_of_others_.try_emplace(other, value);
    if (values_of_others_.at(other) != value) family(value).failed = true;
  }

  void start(const Step &step) {
    const int value = root_of(step.meaning.value);
    add_pair(value, root_of(step.meaning.other), 0);
    if (is_there(step.meaning.squares)) add_pair(value, root_of(step.meaning.squares), 1);
    Family &own = family(value);
    if (own.known && (own.kind != step.meaning.kind || own.largest != step.meaning.largest))
      own.failed = true;
    own.kind = step.meaning.kind, own.largest = step.meaning.largest, own.known = true;
  }

  /// Whether all that a variable ever holds is what other threads or other variables had.
  bool only_copies(int index, std::set<int> &seen) const {
    if (!seen.insert(index).second) return true;
    bool any = false, copies = true;
    const auto look = [&](const Node &value) { any = true, copies = copies && is_copy(value, seen); };
    rewrite::walk(kernel_.body, [&](const Node &one) {
      if (one.kind == Kind::declare && one.variable == index && !one.children.empty()) look(one.children[0]);
      if (one.kind == Kind::assign && rewrite::is_name(one.children[0], index))
        one.text == "=" ? look(one.children[1]) : void(copies = false);
    });
    return any && copies;
  }
  bool is_copy(const Node &value, std::set<int> &seen) const {
    if (value.kind == Kind::call) return is_shuffle(value.text);
    if (value.kind == Kind::conditional)
      return (is_copy(value.children[1], seen) || number_of(value.children[1])) &&
             (is_copy(value.children[2], seen) || number_of(value.children[2]));
    if (value.kind == Kind::subscript) return is_own(rewrite::root_variable(value));
    if (value.kind != Kind::name || !is_own(value.variable)) return false;
    return others_[0].contains(value.variable) || values_of_others_.contains(value.variable) ||
           only_copies(value.variable, seen);
  }

  static bool same_indices(const Node &one, const Node &two) {
    const Node *a = &one, *b = &two;
    for (; a->kind == Kind::subscript && b->kind == Kind::subscript; a = &a->children[0], b = &b->children[0])
      if (!alike(a->children[1], b->children[1])) return false;
    return a->kind == b->kind;
  }

  /// Whether both are halves of a pair, or of what may be one: then it is one, of the family of `to`.
  bool is_pair(const Node &value, const Node &other, int to, std::size_t slot) {
    const auto accept = [&](int a, int b) {
      const auto known = others_[slot].find(a);
      if (known == others_[slot].end()) {
        std::set<int> seen_value, seen_other;
        const bool arrays = variable(a).type.kind == Type::Kind::array;
        if (!arrays && (!only_copies(a, seen_value) || !only_copies(b, seen_other))) return false;
        if (values_of_others_.contains(a) || others_[0].contains(b) || values_of_others_.contains(b))
          return false;
        add_pair(a, b, slot);
      } else if (known->second != b) {
        return false;
      }
      unite(to, a);
      return true;
    };
    if (value.kind == Kind::name && other.kind == Kind::name)
      return is_own(value.variable) && is_own(other.variable) && accept(value.variable, other.variable);
    if (value.kind == Kind::subscript && other.kind == Kind::subscript) {
      const int a = rewrite::root_variable(value), b = rewrite::root_variable(other);
      return is_own(a) && is_own(b) && same_indices(value, other) && accept(a, b);
    }
    if (value.kind == Kind::call && other.kind == Kind::call && is_shuffle(value.text)) {
      if (value.text != other.text || value.children.size() != other.children.size()) return false;
      for (std::size_t i = 0; i < value.children.size(); ++i)
        if (i != 1 && !alike(value.children[i], other.children[i])) return false;
      return is_pair(value.children[1], other.children[1], to, slot);
    }
    if (value.kind == Kind::conditional && other.kind == Kind::conditional)
      return alike(value.children[0], other.children[0]) &&
             (is_pair(value.children[1], other.children[1], to, slot) ||
              is_beginning(value.children[1], other.children[1])) &&
             (is_pair(value.children[2], other.children[2], to, slot) ||
              is_beginning(value.children[2], other.children[2]));
    return false;
  }

  /// What a pair begins with: numbers, or a place that is a size.
  bool is_beginning(const Node &value, const Node &other) const {
    const bool size = other.kind == Kind::name && variable(other.variable).storage == Storage::parameter &&
                      other.type.kind == Type::Kind::integer &&
                      rewrite::assigned(kernel_.body, other.variable) == nullptr;
    return number_of(value) && (number_of(other) || size);
  }

  /// Whether what comes in is what another thread has kept so far; else it is one element.
  bool puts_together(const Meaning &meaning) {
    const int to = root_of(meaning.value);
    return is_there(meaning.from_other) && is_pair(meaning.from, meaning.from_other, to, 0) &&
           (!is_there(meaning.from_squares) || is_pair(meaning.from, meaning.from_squares, to, 1));
  }

  /// Neighbouring statements that give both halves of a pair what belongs together.
  void find_moves(const Node &block, std::size_t slot) {
    for (std::size_t i = 0; i < block.children.size(); ++i) {
      const auto one = inside_.contains(&block.children[i]) ? Write{} : write_of(block.children[i]);
      if (one.target == nullptr) continue;
      for (std::size_t j = i + 1; j < std::min(block.children.size(), i + 1 + kFarthest); ++j) {
        const auto two = inside_.contains(&block.children[j]) ? Write{} : write_of(block.children[j]);
        if (two.target == nullptr) break;
        if (is_move(one, two, slot)) {
          moves_[slot][{&block, i}] = {.value = i, .other = j};
          break;
        }
        if (is_move(two, one, slot)) {
          moves_[slot][{&block, i}] = {.value = j, .other = i};
          break;
        }
      }
    }
  }
  bool is_move(const Write &value, const Write &other, std::size_t slot) {
    const int to = root_of(*value.target), to_other = root_of(*other.target);
    if (!is_own(to) || !is_own(to_other)) return false;
    const auto known = others_[slot].find(to);
    const bool scalars = value.target->kind != Kind::subscript && other.target->kind != Kind::subscript;
    if (!scalars && !same_indices(*value.target, *other.target)) return false;
    if (known != others_[slot].end())
      return known->second == to_other &&
             (is_pair(*value.value, *other.value, to, slot) || is_beginning(*value.value, *other.value));
    // Elsewhere than in a pair what is one may be put: threads' own into shared memory.
    const auto from_pair = [&](const Node &from, const Node &from_other) {
      return from.kind == Kind::name && from_other.kind == Kind::name &&
             others_[slot].contains(from.variable) && others_[slot].at(from.variable) == from_other.variable;
    };
    if (!from_pair(*value.value, *other.value) || values_of_others_.contains(to) ||
        others_[0].contains(to_other) || values_of_others_.contains(to_other))
      return false;
    add_pair(to, to_other, slot);
    unite(value.value->variable, to);
    return true;
  }

  /// Every write of a pair is a step or a move, or its family stays as it is.
  void check_writes(const Node &body) {
    std::set<const Node *> known;
    for (const auto &moves : moves_)
      for (const auto &[at, move] : moves)
        for (const std::size_t part : {move.value, move.other})
          known.insert(write_of(at.first->children[part]).target);
    const auto check = [&](auto &&self, const Node &node) -> void {
      if (inside_.contains(&node)) return;
      const bool begins = node.kind == Kind::declare && !node.children.empty();
      if (const Node *target = begins ? &node : rewrite::written_lvalue(node);
          target != nullptr && !known.contains(target)) {
        const int root = root_of(*target);
        if (others_[0].contains(root)) family(root).failed = true;
        if (const auto value = values_of_others_.find(root); value != values_of_others_.end())
          family(value->second).failed = true;
      }
      for (const Node &child : node.children) self(self, child);
    };
    check(check, body);
  }

  void fail(int value) { family(value).failed = true; }

  void check_families() {
    for (const auto &[at, step] : steps_) {
      const int value = root_of(step.meaning.value);
      if (step.meaning.kind == Meaning::Kind::place) {
        Family &own = family(value);
        if (!team_) own.failed = true;  // a loop of one thread is found without this
        if (puts_together(step.meaning)) {
          own.failed = own.failed || step.meaning.strict;
          continue;
        }
        own.failed = own.failed || own.strict.value_or(step.meaning.strict) != step.meaning.strict ||
                     !is_natural(step.meaning.from_other) ||
                     (step.meaning.strict && (!seen_.insert(family_of(value)).second || !in_order(step)));
        own.strict = step.meaning.strict;
      }
      if (step.meaning.kind == Meaning::Kind::moments && is_there(step.meaning.from_other) &&
          !puts_together(step.meaning))
        fail(value);
    }
    for (const auto &moves : moves_)
      for (const auto &[at, move] : moves)
        begin(root_of(*write_of(at.first->children[move.value]).target),
              *write_of(at.first->children[move.value]).value,
              *write_of(at.first->children[move.other]).value);
    for (const auto &[at, step] : steps_) {
      Family &own = family(root_of(step.meaning.value));
      if (finite_ || own.failed || !step.meaning.poisons || !is_there(own.begin_value) ||
          !std::isinf(number_of(own.begin_value).value_or(0)))
        continue;
      own.failed = true;
      poisoned_ = step.meaning.value.line;
    }
    for (const auto &[value, other] : others_[0])
      if (Family &own = family(value); !is_there(own.begin_value) || is_before_all(own) ||
                                       (own.kind == Meaning::Kind::moments && !others_[1].contains(value)))
        own.failed = true;
  }

  /// Whether keys cannot hold the place that a family begins with, where that counts as one.
  static bool is_before_all(const Family &own) {
    return own.kind == Meaning::Kind::place && !own.strict.value_or(true) &&
           number_of(own.begin_other).value_or(0) < -1;
  }

  /// What the pairs of a family begin with: all of them with the same, or with what never counts beside it.
  void begin(int to, const Node &value, const Node &other) {
    if (value.kind == Kind::conditional && other.kind == Kind::conditional) {
      begin(to, value.children[1], other.children[1]);
      return begin(to, value.children[2], other.children[2]);
    }
    if (!is_beginning(value, other)) return;
    Family &own = family(to);
    if (own.kind == Meaning::Kind::exponentials) {
      own.failed = own.failed || !(number_of(value).value_or(0) <= kNothingYet) || number_of(other) != 0;
      // One that begins at an infinity is enough to make NaN.
      if (!is_there(own.begin_value) || std::isinf(number_of(value).value_or(0)))
        own.begin_value = value, own.begin_other = other;
      return;
    }
    if (own.kind == Meaning::Kind::moments) {
      own.failed = own.failed || number_of(value) != 0 || number_of(other) != 0;
      own.begin_value = value, own.begin_other = other;
      return;
    }
    if (!is_there(own.begin_value)) {
      own.begin_value = value, own.begin_other = other;
      return;
    }
    const bool same_value = number_of(value) == number_of(own.begin_value);
    if (!same_value) return fail(to);
    if (alike(other, own.begin_other)) return;
    const auto place = number_of(other), known = number_of(own.begin_other);
    if (!place || !known) return fail(to);
    if (*place < *known) own.begin_value = value, own.begin_other = other;
  }

  /// What the source shows to be at least zero.
  bool is_natural(const Node &node, int depth = 0) const {
    constexpr int kDeepest = 8;
    if (depth > kDeepest) return false;
    if (const auto number = number_of(node)) return *number >= 0;
    if (node.kind == Kind::builtin || (node.type.kind == Type::Kind::integer && node.type.is_unsigned))
      return true;
    if (node.kind == Kind::cast) return is_natural(node.children[0], depth + 1);
    if (node.kind == Kind::binary && !node.overloaded) {
      const bool left = is_natural(node.children[0], depth + 1),
                 right = is_natural(node.children[1], depth + 1);
      if (node.text == "%" || node.text == ">>") return left;
      if (node.text == "&") return left || right;
      return (node.text == "+" || node.text == "*" || node.text == "/" || node.text == "<<") && left && right;
    }
    if (node.kind != Kind::name || variable(node.variable).storage != Storage::local) return false;
    bool natural = true, begins = false;
    rewrite::walk(kernel_.body, [&](const Node &one) {
      if (one.kind == Kind::declare && one.variable == node.variable) {
        begins = !one.children.empty() && is_natural(one.children[0], depth + 1);
        return;
      }
      const Node *target = rewrite::written_lvalue(one);
      if (target == nullptr || !rewrite::is_name(*target, node.variable)) return;
      const bool up = one.kind == Kind::unary ? one.text == "++"
                                              : one.text == "+=" && is_natural(one.children[1], depth + 1);
      natural = natural && up;
    });
    return begins && natural;
  }

  /// Whether a thread meets places in their order: by the counter of the one loop that is around the step.
  bool in_order(const Step &step) const {
    if (step.loops.size() != 1 || step.loops[0]->kind != Kind::for_) return false;
    const Node &init = step.loops[0]->children[0], &advance = step.loops[0]->children[2];
    const Node *target = rewrite::written_lvalue(advance);
    if (init.kind != Kind::declaration || init.children.size() != 1 || target == nullptr) return false;
    const int counter = init.children[0].variable;
    const bool up = (advance.kind == Kind::unary && advance.text == "++") ||
                    (advance.kind == Kind::assign && advance.text == "+=" && is_natural(advance.children[1]));
    return up && rewrite::is_name(*target, counter) &&
           rewrite::assigned(step.loops[0]->children[3], counter) == nullptr &&
           grows(step.meaning.from_other, counter, step.loops[0]->children[3]);
  }
  bool grows(const Node &node, int counter, const Node &body) const {
    const Node &inner = rewrite::bare(node);
    if (rewrite::is_name(inner, counter)) return true;
    if (inner.kind == Kind::name) {
      const Node *declared = rewrite::find(body, [&](const Node &one) {
        return one.kind == Kind::declare && one.variable == inner.variable && !one.children.empty();
      });
      return declared != nullptr && rewrite::assigned(body, inner.variable) == nullptr &&
             grows(declared->children[0], counter, body);
    }
    if (inner.kind != Kind::binary || (inner.text != "+" && inner.text != "*")) return false;
    for (int side = 0; side < 2; ++side) {
      const Node &fixed = inner.children[1 - side];
      const bool stays = rewrite::find(fixed, [&](const Node &one) {
                           return (one.kind == Kind::name && rewrite::assigned(body, one.variable)) ||
                                  rewrite::is_name(one, counter) || one.kind == Kind::call ||
                                  one.kind == Kind::subscript;
                         }) == nullptr;
      if (stays && is_natural(fixed) && grows(inner.children[side], counter, body)) return true;
    }
    return false;
  }

  bool is_key(int index) {
    if (!others_[0].contains(index)) return false;
    const Family &own = family(index);
    return own.known && !own.failed && own.kind == Meaning::Kind::place;
  }
  /// Whether it holds the mean, which becomes the sum.
  bool is_mean(int index) {
    const auto value = values_of_others_.find(index);
    if (value == values_of_others_.end() || others_[0].at(value->second) != index) return false;
    const Family &own = family(value->second);
    return own.known && !own.failed && own.kind == Meaning::Kind::moments;
  }
  bool is_place(int index) {
    const auto value = values_of_others_.find(index);
    return value != values_of_others_.end() && is_key(value->second);
  }

  void retype() {
    for (const auto &[value, other] : others_[0]) {
      if (!is_key(value)) continue;
      Type &type = kernel_.variables[static_cast<std::size_t>(value)].type;
      if (type.kind != Type::Kind::array) {
        type = key_type();
        continue;
      }
      type.element = kKeyType, type.element_bits = key_type().bits;
    }
  }

  /// The key that stands for a half of a pair.
  Node key_at(const Node &half) {
    Node key = half;
    Node *at = &key;
    for (; at->kind == Kind::subscript; at = &at->children[0]) {
      at->children[1] = rewritten(at->children[1]);
      if (at == &key) at->type = key_type();
    }
    if (const auto value = values_of_others_.find(at->variable); value != values_of_others_.end())
      at->variable = value->second;
    at->text = variable(at->variable).name;
    at->type = variable(at->variable).type;
    return key;
  }

  static Node signed_by(const Family &own, Node value) {
    if (own.largest) return value;
    Node negative = node_at(value, Kind::unary, "-");
    negative.type = value.type;
    negative.children = {std::move(value)};
    return negative;
  }
  Node key_of(const Family &own, Node value, Node place) {
    Node next = integer_at(value, place.value.value_or(0) + 1);
    next.type = place_type();
    if (!place.value) next = binary_of("+", std::move(place), integer_at(value, 1), place_type());
    const Node at = value;
    return call_at(at, "arg_key", key_type(), {signed_by(own, std::move(value)), std::move(next)});
  }
  /// Of what a family begins with: place 0, where it stays when others are as large; else its own.
  Node first_key(const Family &own, const Node &at) {
    Node value = rewritten(own.begin_value), place = rewritten(own.begin_other);
    value.line = place.line = at.line;
    if (!own.strict.value_or(true)) return key_of(own, value, place);
    return call_at(value, "arg_first", key_type(), {signed_by(own, value)});
  }

  /// The key of what both halves are together.
  Node joined(const Family &own, const Node &value, const Node &other) {
    if (is_beginning(value, other)) return first_key(own, value);
    if (value.kind == Kind::conditional) {
      Node choice = value;
      choice.type = key_type();
      choice.children = {rewritten(value.children[0]), joined(own, value.children[1], other.children[1]),
                         joined(own, value.children[2], other.children[2])};
      return choice;
    }
    if (value.kind == Kind::call) {
      Node exchange = value;
      exchange.type = key_type();
      for (std::size_t i = 0; i < exchange.children.size(); ++i)
        exchange.children[i] =
            i == 1 ? joined(own, value.children[1], other.children[1]) : rewritten(value.children[i]);
      return exchange;
    }
    return key_at(value);
  }

  void add_move(const Node &block, const Move &move, std::vector<Node> &into) {
    const Write value = write_of(block.children[move.value]), other = write_of(block.children[move.other]);
    const Family &own = family(root_of(*value.target));
    if (value.target->kind == Kind::declare) {
      Node name = *value.target;
      name.kind = Kind::name, name.children.clear();
      into.push_back(declaration_of(key_at(name), joined(own, *value.value, *other.value)));
      return;
    }
    into.push_back(assignment_of("=", key_at(*value.target), joined(own, *value.value, *other.value)));
  }

  void add_step(const Meaning &meaning, std::vector<Node> &into) {
    const Family &own = family(root_of(meaning.value));
    const bool together = puts_together(meaning);
    if (meaning.kind == Meaning::Kind::place) {
      const Node key = key_at(meaning.value);
      Node more = together ? joined(own, meaning.from, meaning.from_other)
                           : key_of(own, rewritten(meaning.from), rewritten(meaning.from_other));
      into.push_back(assignment_of("=", key, call_at(key, "max", key_type(), {key, std::move(more)})));
      return;
    }
    const Type &type = meaning.other.type;
    const Node whole =
        call_at(meaning.value, kWhole, type, {integer_at(meaning.value, family_of(root_of(meaning.value)))});
    if (meaning.kind == Meaning::Kind::moments) {
      Node one = node_at(meaning.value, Kind::cast);
      one.type = meaning.value.type;
      one.children = {integer_at(meaning.value, 1)};
      const Node apart = binary_of("-", meaning.from, whole, type);
      into.push_back(assignment_of("+=", meaning.value, together ? meaning.from : one));
      into.push_back(assignment_of("+=", meaning.other, together ? meaning.from_other : meaning.from));
      into.push_back(assignment_of("+=", meaning.squares,
                                   together ? meaning.from_squares : binary_of("*", apart, apart, type)));
      return;
    }
    Node more = together ? meaning.from_other : meaning.exponential;
    if (!together) {
      more.children = {binary_of("-", meaning.from, whole, type)};
      if (is_there(meaning.from_other)) more = binary_of("*", meaning.from_other, std::move(more), type);
    }
    into.push_back(assignment_of("+=", meaning.other, std::move(more)));
    into.push_back(assignment_of("=", meaning.value,
                                 call_at(meaning.value, type.text == "double" ? "fmax" : "fmaxf", type,
                                         {meaning.value, meaning.from})));
  }

  Node rewritten(const Node &node) {
    if (node.kind == Kind::compound) {
      std::vector<Node> into;
      std::set<std::size_t> gone;
      for (std::size_t i = 0; i < node.children.size(); ++i) {
        if (gone.contains(i)) continue;
        if (const auto step = steps_.find({&node, i});
            step != steps_.end() && lives(step->second.meaning.value)) {
          add_step(step->second.meaning, into);
          i += step->second.count - 1;
          continue;
        }
        if (kept_.contains(&node.children[i])) {
          into.push_back(node.children[i]);
          continue;
        }
        const auto move = moves_[0].find({&node, i});
        if (move != moves_[0].end() && is_key(root_of(*write_of(node.children[move->second.value]).target))) {
          add_move(node, move->second, into);
          gone.insert(move->second.value), gone.insert(move->second.other);
          continue;
        }
        const bool declares =
            node.children[i].kind == Kind::declaration && node.children[i].children.size() == 1;
        if (declares && is_place(node.children[i].children[0].variable)) continue;
        into.push_back(rewritten(node.children[i]));
      }
      Node block = node;
      block.children = std::move(into);
      return block;
    }
    const int root =
        node.kind == Kind::name || node.kind == Kind::subscript ? rewrite::root_variable(node) : -1;
    const bool whole =
        root >= 0 && node.type.kind != Type::Kind::array && node.type.kind != Type::Kind::pointer;
    if (whole && is_mean(root)) {
      Node count = node, *at = &count;
      for (; at->kind == Kind::subscript; at = &at->children[0]) at->children[1] = rewritten(at->children[1]);
      const Node sum = count;
      at->variable = values_of_others_.at(root);
      at->text = variable(at->variable).name, at->type = variable(at->variable).type;
      return binary_of("/", sum, count, node.type);
    }
    if (whole && is_key(root))
      return signed_by(family(root), call_at(node, "arg_value", node.type, {key_at(node)}));
    if (whole && is_place(root)) {
      const Family &own = family(values_of_others_.at(root));
      const Node place = call_at(node, "arg_place", place_type(), {key_at(node)});
      Node at = node_at(node, Kind::cast);
      at.type = node.type;
      at.children = {binary_of("-", place, integer_at(node, 1), place_type())};
      if (!own.strict.value_or(true)) return at;
      Node choice = node_at(node, Kind::conditional);
      choice.type = node.type;
      choice.children = {condition_of("==", place, integer_at(node, 0)), own.begin_other, std::move(at)};
      return choice;
    }
    Node made = node;
    if (node.kind == Kind::declare && is_key(node.variable)) made.type = variable(node.variable).type;
    for (std::size_t i = 0; i < made.children.size(); ++i) made.children[i] = rewritten(node.children[i]);
    return made;
  }

  Kernel &kernel_;
  bool team_, finite_;
  int poisoned_ = 0;
  std::map<At, Step> steps_;
  std::array<std::map<At, Move>, 2> moves_;  ///< of a value with its other, and with its squares
  std::set<const Node *> inside_;            ///< statements of steps
  std::set<const Node *> kept_;              ///< copies of moments: of the number, the sum and the squares
  /// Of a value's variable, its place's, sum's or mean's, and that of the squares.
  std::array<std::map<int, int>, 2> others_;
  std::map<int, int> values_of_others_;  ///< the other way round
  std::map<int, int> parents_;           ///< of variables, towards the one that stands for their family
  std::map<int, Family> families_;
  std::set<int> seen_;  ///< families with a step that depends on order
};

}  // namespace

PairsJoined join_pairs(Kernel &kernel, bool finite) {
  const rewrite::Effects effects = rewrite::effects_of(kernel, kernel.body);
  return PairJoiner(kernel, effects.collective != nullptr || effects.shared != nullptr, finite).run();
}

}  // namespace cupilot::lift
