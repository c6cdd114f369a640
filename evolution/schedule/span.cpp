// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/span.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "annotate/spec/lifted_text.h"
#include "annotate/spec/polynomial.h"
#include "evolution/schedule/access.h"
#include "evolution/schedule/code.h"
#include "evolution/schedule/frame.h"
#include "evolution/schedule/hoisted.h"

namespace cupilot::schedule {

using spec::Expr;
using spec::ExprKind;
using spec::Polynomial;
using spec::Statement;
using spec::StatementKind;

const Statement *find_direction(const Nest &nest, std::vector<Span> &spans) {
  std::map<const Statement *, int> outer;
  int inner = 0;
  for (Span &span : spans) {
    std::map<const Statement *, int> along;
    std::vector<const Statement *> chain{span.outermost};
    while (chain.back()->body.size() == 1 && chain.back()->body[0].kind == StatementKind::loop &&
           chain.back()->body[0].loop != spec::LoopKind::ordered)
      chain.push_back(&chain.back()->body[0]);
    for (const Access &one : all_accesses(span.outermost->body)) {
      bool own = false;  // not the same for all rows
      for (const Statement *axis : nest.loops) {
        own = own || spec::mentions(one.index, axis->name) || spec::mentions(span.outermost->end, axis->name);
        if (are_neighbours(one.index, axis->name)) ++outer[axis];
      }
      if (!own && !nest.loops.empty()) continue;
      for (const Statement *loop : chain)
        if (are_neighbours(one.index, loop->name)) ++along[loop];
    }
    for (const auto &[loop, count] : along) {
      inner += count;
      if (count > along[span.loop]) span.loop = loop;
    }
  }
  const Statement *best = nullptr;
  for (const Statement *axis : nest.loops)
    if (best == nullptr || outer[axis] > outer[best]) best = axis;
  return best != nullptr && (outer[best] > inner || inner == 0) ? best : nullptr;
}

std::vector<Total> totals_of(const Statement &loop) {
  std::set<std::string> own;
  spec::visit_statements(loop.body, [&](const Statement &one) {
    if (one.kind == StatementKind::variable) own.insert(one.name);
  });
  std::vector<Total> totals;
  spec::visit_statements(loop.body, [&](const Statement &one) {
    if (one.kind != StatementKind::fold || own.contains(one.name)) return;
    if (std::ranges::find(totals, one.name, &Total::name) == totals.end())
      totals.push_back({one.name, one.op, one.type, one.keeps_nan});
  });
  return totals;
}

std::string part_of_thread(const std::vector<Span> &spans, const Span &span, const Total &total) {
  int before = 0;
  for (const Span &other : spans) {
    if (other.outermost == span.outermost) break;
    before += std::ranges::count(totals_of(*other.outermost), total.name, &Total::name) > 0;
  }
  return "$" + total.name + "_part" + (before == 0 ? "" : std::to_string(before + 1));
}

void rename_fold(std::vector<Statement> &body, const std::string &from, const std::string &to) {
  for (Statement &one : body) {
    if (one.kind == StatementKind::fold && one.name == from) {
      one.name = to;
      one.keeps_nan = false;  // it begins at a number
    }
    rename_fold(one.body, from, to);
    rename_fold(one.otherwise, from, to);
  }
}

const char *word_of(const std::string &op) {
  if (op == "+") return "sum";
  if (op == "*") return "product";
  if (op == "max") return "max";
  if (op == "min") return "min";
  return op == "&" ? "and" : op == "|" ? "or" : "xor";
}

std::string neutral_of(const std::string &op, const std::string &type) {
  return spec::identity_of(op, type).value_or("");
}

bool is_arithmetic(const std::string &type) {
  static constexpr std::array kTypes{"float",    "double",        "int",       "unsigned int",
                                     "long",     "unsigned long", "long long", "unsigned long long",
                                     "unsigned", "size_t"};
  return std::ranges::find(kTypes, type) != kTypes.end();
}

bool same_range(const Statement &a, const Statement &b) {
  return same_index(a.begin, b.begin) && same_index(a.end, b.end) && same_index(a.step, b.step);
}

std::string pack_text() {
  return "template <class T, int kCount>\nstruct alignas(sizeof(T) * kCount) Pack {\n  T "
         "item[kCount];\n};\n\n";
}

std::string team_text(const Total &total) {
  const auto fold = [&](const char *value) {
    std::string text = fold_text("value", total.op, total.type, value);
    text.pop_back();
    return text;
  };
  return fmt::format(
      "/// All threads of a team get what they have together.\n__device__ {0} $team_{1}({0} value) {{\n"
      "  const unsigned team = kTeam >= 32 ? ~0u : ((1u << kTeam % 32) - 1) << (threadIdx.x % 32 / kTeam * "
      "kTeam);\n"
      "  for (int step = (kTeam < 32 ? kTeam : 32) / 2; step > 0; step /= 2)\n    {2}\n"
      "  if (kWarps > 1) {{\n    __shared__ {0} shares[kWarps];\n    __syncthreads();\n"
      "    if (threadIdx.x % 32 == 0) shares[threadIdx.x / 32] = value;\n    __syncthreads();\n"
      "    value = shares[threadIdx.x % 32 % kWarps];\n"
      "    for (int step = kWarps / 2; step > 0; step /= 2)\n      {2}\n  }}\n  return value;\n}}\n\n",
      total.type, word_of(total.op), fold("__shfl_xor_sync(team, value, step)"));
}

std::string cluster_text() {
  return R"(constexpr int kWarps = kBlock / 32;

/// All threads of the cluster come here, and see what others have written to shared memory before.
__device__ void $cluster_barrier() {
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}
/// The same variable in the shared memory of another block of the cluster.
template <class T> __device__ const T &$of_block(const T &own, unsigned block) {
  unsigned long long there;
  asm volatile("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(&own), "r"(block));
  return *reinterpret_cast<const T *>(there);
}

)";
}

std::string cluster_team_text(const Total &total) {
  const auto fold = [&](const char *value) {
    std::string text = fold_text("value", total.op, total.type, value);
    text.pop_back();
    return text;
  };
  return fmt::format(
      "/// All threads of a cluster get what they have together.\n__device__ {0} $team_{1}({0} value) {{\n"
      "  __shared__ {0} shares[kWarps], own;\n"
      "  for (int step = 16; step > 0; step /= 2)\n    {2}\n"
      "  __syncthreads();\n  if (threadIdx.x % 32 == 0) shares[threadIdx.x / 32] = value;\n"
      "  __syncthreads();\n  value = shares[threadIdx.x % kWarps];\n"
      "  for (int step = kWarps / 2; step > 0; step /= 2)\n    {2}\n"
      "  if (threadIdx.x == 0) own = value;\n  $cluster_barrier();\n  value = $of_block(own, 0);\n"
      "  for (int block = 1; block < kCluster; ++block)\n    {3}\n"
      "  $cluster_barrier();\n  return value;\n}}\n\n",
      total.type, word_of(total.op), fold("__shfl_xor_sync(~0u, value, step)"),
      fold("$of_block(own, block)"));
}

Sharing::Sharing(const spec::KernelSpec &spec, const std::vector<Span> &spans, bool wide, bool keep,
                 std::string team)
    : spec_(&spec), spans_(&spans), may_widen_(wide), team_(std::move(team)) {
  if (keep) {
    find_group();
    find_kept();
  }
  for (const Span &span : spans) find_wide(span);
}

namespace {

/// The index with another name for the loop's counter, so that those of two loops can be compared.
Expr with_counter(const Expr &index, const std::string &from, const std::string &to) {
  return spec::replace(index, [&](const Expr &part) -> std::optional<Expr> {
    if (part.kind != ExprKind::axis || part.text != from) return std::nullopt;
    Expr renamed = part;
    renamed.text = to;
    return renamed;
  });
}

}  // namespace

/// The range that most loops run over.
void Sharing::find_group() {
  std::size_t most = 1;
  for (const Span &span : *spans_) {
    const bool fits = span.certain && span.outermost == span.loop && spec::is_constant(span.loop->step, 1) &&
                      spec::is_of_parameters(span.loop->begin) && spec::is_of_parameters(span.loop->end);
    if (!fits) continue;
    group_ = &span;
    const auto count = static_cast<std::size_t>(
        std::ranges::count_if(*spans_, [&](const Span &other) { return in_group(other); }));
    if (count > most) {
      most = count;
      return;
    }
  }
  group_ = nullptr;
}

bool Sharing::in_group(const Span &span) const {
  return group_ != nullptr && span.certain && span.outermost == span.loop &&
         same_range(*span.loop, *group_->loop);
}

bool Sharing::may_be_wide(const Expr &index, const Span &span) const {
  const spec::Statement &loop = *span.loop;
  if (!may_widen_ || !is_unit(index, loop.name) || !spec::is_constant(loop.begin, 0) ||
      !spec::is_constant(loop.step, 1) || !spec::is_of_parameters(loop.end))
    return false;
  // What is left is a sum of multiples of axes, which the host tests.
  const Polynomial rest = Polynomial::of(index).without(loop.name);
  return std::ranges::all_of(rest.terms(), [&](const auto &term) {
    return std::ranges::any_of(term.first, [&](const std::string &factor) {
      return find_parameter(*spec_, factor) == nullptr &&
             factor.find_first_of("[]()+-*/% ") == std::string::npos;
    });
  });
}

/// Elements that two loops of the group use. The first of them surely does.
void Sharing::find_kept() {
  if (group_ == nullptr) return;
  const std::string &counter = group_->loop->name;
  struct Use {
    int spans = 0;
    bool bad = false;
  };
  for (const Span &span : *spans_) {
    if (!in_group(span)) continue;
    std::vector<Item> fresh;
    for (const Access &one : certain_accesses(span.loop->body)) {
      if (!spec::mentions(one.index, span.loop->name) || find_parameter(*spec_, one.buffer) == nullptr)
        continue;
      const Expr index = with_counter(one.index, span.loop->name, counter);
      const auto same = [&](const Item &item) {
        return item.buffer == one.buffer && same_index(item.index, index);
      };
      if (std::ranges::any_of(kept_, same)) continue;
      auto found = std::ranges::find_if(fresh, same);
      if (found == fresh.end())
        found = fresh.insert(fresh.end(), Item{.buffer = one.buffer,
                                               .type = one.type,
                                               .index = index,
                                               .first = &span,
                                               .unit = may_be_wide(one.index, span)});
      (one.stored ? found->stored : found->loaded) = true;
    }
    for (Item &item : fresh) {
      bool again = false, inner = false, early = false;
      for (const Span &other : *spans_)
        for (const Access &one : all_accesses(other.loop->body)) {
          const bool same = in_group(other) && one.buffer == item.buffer &&
                            same_index(with_counter(one.index, other.loop->name, counter), item.index);
          if (!same) continue;
          again = again || &other > &span;
          early = early || &other < &span;
          if (one.stored) item.last_store = &other;
          inner = inner || (&other == &span && !one.stored && !item.loaded);
        }
      if (again && !inner && !early) {
        item.name = fmt::format("${}_kept", item.buffer);
        kept_.push_back(item);
      }
    }
  }
  wide_kept_ = std::ranges::any_of(kept_, &Item::unit);
}

void Sharing::find_wide(const Span &span) {
  std::vector<Item> found;
  for (const Access &one : harmless_accesses(*spec_, span.loop->body)) {
    const spec::Parameter *parameter = find_parameter(*spec_, one.buffer);
    if (parameter == nullptr || parameter->element_bytes > 8 || !may_be_wide(one.index, span)) continue;
    auto same = std::ranges::find_if(found, [&](const Item &item) {
      return item.buffer == one.buffer && same_index(item.index, one.index);
    });
    if (same == found.end())
      same = found.insert(found.end(), Item{.buffer = one.buffer,
                                            .type = one.type,
                                            .name = fmt::format("${}_part{}", one.buffer, found.size()),
                                            .index = one.index,
                                            .first = &span,
                                            .unit = true});
    (one.stored ? same->stored : same->loaded) = true;
  }
  // One that is also read or written in another way stays as it is.
  for (const Access &one : all_accesses(span.loop->body))
    std::erase_if(found, [&](const Item &item) {
      if (item.buffer != one.buffer || !item.stored) return false;
      return !same_index(item.index, one.index) || (!one.stored && !item.loaded);
    });
  wide_.insert(wide_.end(), found.begin(), found.end());
}

Expr Sharing::kept_extent() const {
  return extent_of(*group_->loop);
}

std::size_t Sharing::kept_bytes() const {
  std::size_t bytes = 0;
  for (const Item &one : kept_)
    if (const spec::Parameter *parameter = find_parameter(*spec_, one.buffer))
      bytes += parameter->element_bytes;
  return bytes;
}

std::size_t Sharing::most_items() const {
  std::size_t bytes = 1;
  for (const auto *list : {&wide_, &kept_})
    for (const Item &one : *list)
      if (const spec::Parameter *parameter = find_parameter(*spec_, one.buffer);
          parameter != nullptr && one.unit)
        bytes = std::max(bytes, parameter->element_bytes);
  return std::max<std::size_t>(2, 16 / bytes);
}

model::Knob Sharing::vector_knob() const {
  std::vector<long long> widths;
  for (long long width = 2; width <= static_cast<long long>(most_items()); width *= 2)
    widths.push_back(width);
  return {"kVector", widths, widths.back()};
}

std::string Sharing::wide_conditions(const std::vector<const Statement *> &axes) const {
  std::string text;
  const auto also = [&](const std::string &condition) {
    if (text.find(condition) == std::string::npos) text += (text.empty() ? "" : " && ") + condition;
  };
  std::set<std::string> buffers;
  std::vector<std::string> aligned;
  const auto most = static_cast<long long>(most_items());
  const auto multiple = [&](const Expr &expr) {
    if (!is_multiple(*spec_, expr, most)) also(divisible_text(expr));
  };
  for (const auto *list : {&kept_, &wide_})
    for (const Item &one : *list) {
      if (!one.unit) continue;
      multiple(extent_of(*one.first->loop));
      std::vector<const Statement *> around = axes;
      for (const Statement *loop = one.first->outermost; loop != one.first->loop; loop = &loop->body.front())
        around.push_back(loop);
      const Polynomial rest = Polynomial::of(one.index).without(one.first->loop->name);
      for (const Statement *loop : around)
        if (const auto pitch = rest.coefficient(loop->name); pitch && !pitch->is_zero()) {
          multiple(pitch->expr());
          if (!spec::is_constant(loop->begin, 0)) multiple(loop->begin);
        }
      if (buffers.insert(one.buffer).second && !begins_at_multiple(*spec_, one.buffer, most))
        aligned.push_back(fmt::format("$l.aligned(kVector * sizeof(*{0}), {0})", one.buffer));
    }
  for (const std::string &one : aligned) also(one);
  return text;
}

std::string Sharing::element(const Item &item) const {
  return wide() ? fmt::format("{}[$i].item[$e]", item.name) : item.name + "[$i]";
}

namespace {

/// Text of an index where the loop's counter has the name of another.
std::string index_at(const Expr &index, const std::string &counter, const char *text) {
  return spec::to_text(index, [&](const Expr &part) -> std::optional<std::string> {
    return part.kind == ExprKind::axis && part.text == counter ? std::optional<std::string>(text)
                                                               : std::nullopt;
  });
}

std::string pack_of(const std::string &type) {
  return fmt::format("Pack<{}, kWidth>", type);
}
std::string wide_load(const std::string &type, const std::string &buffer, const std::string &at) {
  return fmt::format("reinterpret_cast<const {} &>({}[{}])", pack_of(type), buffer, at);
}
std::string wide_store(const std::string &type, const std::string &buffer, const std::string &at,
                       const std::string &value) {
  return fmt::format("reinterpret_cast<{} &>({}[{}]) = {};\n", pack_of(type), buffer, at, value);
}

/// The statements with the accesses of a buffer's element by a register.
void put_in_register(std::vector<Statement> &body, const std::string &buffer, const Expr &index,
                     const std::string &name) {
  spec::replace_all(body, [&](const Expr &part) -> std::optional<Expr> {
    if (part.kind != ExprKind::load || part.text != buffer || !same_index(part.parts[0], index))
      return std::nullopt;
    return Expr{ExprKind::value, name, part.type, {}};
  });
  const auto stores = [&](auto &&self, std::vector<Statement> &list) -> void {
    for (Statement &one : list) {
      if (one.kind == StatementKind::store && one.name == buffer && same_index(one.index, index)) {
        one.kind = StatementKind::assign;
        one.name = name;
      }
      self(self, one.body);
      self(self, one.otherwise);
    }
  };
  stores(stores, body);
}

}  // namespace

/// The declaration of the loop's counter, if the body needs it.
std::string Sharing::counter(const Statement &loop, const char *value, const std::string &body) const {
  bool used = false;
  for (const Statement &one : loop.body)
    spec::visit(one, [&](const Expr &part) {
      used = used || (part.kind == ExprKind::axis && part.text == loop.name);
    });
  return (used ? fmt::format("const {} {} = {};\n", loop.type, loop.name, value) : "") + body;
}

/// Over the places of a thread that registers hold.
std::string Sharing::kept_loop(const Statement &loop, const std::string &inner) const {
  const std::string begin = spec::is_constant(loop.begin, 0) ? "" : limit_text(loop.begin) + " + ";
  return fmt::format(
      "#pragma unroll\nfor (int $i = 0; $i < {}; ++$i) {{\n  const {} $first = {}($i * {} + $lane){};\n"
      "  if ($first < {}) {{\n{}  }}\n}}\n",
      wide() ? "kItems * kVector / kWidth" : "kItems", loop.type, begin, team_, wide() ? " * kWidth" : "",
      limit_text(loop.end), indented(inner, 4));
}

std::string Sharing::before(const Span &span) const {
  if (!in_group(span)) return "";
  std::string declared, loads, one_by_one;
  const Statement &loop = *span.loop;
  RowPointers rows(loop, "_kept");
  for (const Item &item : kept_) {
    if (item.first != &span) continue;
    declared += fmt::format("{} {}[{}];\n", wide() ? pack_of(item.type) : item.type, item.name,
                            wide() ? "kItems * kVector / kWidth" : "kItems");
    if (!item.loaded) continue;
    const Expr index = with_counter(item.index, group_->loop->name, loop.name);
    if (item.unit && wide())
      loads += fmt::format("{}[$i] = {};\n", item.name,
                           wide_load(item.type, item.buffer, index_at(index, loop.name, "$first")));
    else if (const auto row = may_widen_ ? std::nullopt : rows.split(item.buffer, index))
      one_by_one += fmt::format("{} = {}[{}];\n", element(item), row->first,
                                index_at(row->second, loop.name, "$first"));
    else
      one_by_one += fmt::format("{} = {}[{}];\n", element(item), item.buffer,
                                index_at(index, loop.name, wide() ? "($first + $e)" : "$first"));
  }
  declared += rows.text();
  if (wide() && !one_by_one.empty())
    one_by_one = fmt::format("for (int $e = 0; $e < kWidth; ++$e) {{\n{}}}\n", indented(one_by_one, 2));
  if (loads.empty() && one_by_one.empty()) return declared;
  return declared + kept_loop(loop, loads + one_by_one);
}

std::string Sharing::shared(const Span &span, const Statement &changed) const {
  Statement loop = changed;
  const bool keeping = in_group(span);
  const auto number = &span - spans_->data();
  RowPointers rows(changed, number == 0 ? "" : fmt::format("{}", number));
  std::string loads, stores;
  bool widened = false;
  std::vector<const Item *> own;
  if (keeping)
    for (const Item &item : kept_) {
      const Expr index = with_counter(item.index, group_->loop->name, loop.name);
      put_in_register(loop.body, item.buffer, index, element(item));
      if (item.last_store != &span) continue;
      if (item.unit && wide())
        stores +=
            wide_store(item.type, item.buffer, index_at(index, loop.name, "$first"), item.name + "[$i]");
      else if (const auto row = may_widen_ ? std::nullopt : rows.split(item.buffer, index))
        stores += fmt::format("{}[{}] = {};\n", row->first, index_at(row->second, loop.name, "$first"),
                              element(item));
      else
        stores += fmt::format(
            fmt::runtime(wide() ? "for (int $e = 0; $e < kWidth; ++$e) {}[{}] = {};\n" : "{}[{}] = {};\n"),
            item.buffer, index_at(index, loop.name, wide() ? "($first + $e)" : "$first"), element(item));
      widened = true;
    }
  for (const Item &item : wide_) {
    const bool is_kept =
        keeping && std::ranges::any_of(kept_, [&](const Item &other) {
          return other.buffer == item.buffer &&
                 same_index(with_counter(other.index, group_->loop->name, loop.name), item.index);
        });
    if (item.first != &span || is_kept) continue;
    widened = true;
    const std::string at = index_at(item.index, loop.name, "$first");
    if (item.loaded)
      loads += fmt::format("{}{} {} = {};\n", item.stored ? "" : "const ", pack_of(item.type), item.name,
                           wide_load(item.type, item.buffer, at));
    else
      loads += fmt::format("{} {};\n", pack_of(item.type), item.name);
    if (item.stored) stores += wide_store(item.type, item.buffer, at, item.name);
    put_in_register(loop.body, item.buffer, item.index, item.name + ".item[$e]");
  }
  widened = wide() && (widened || keeping);
  const std::string end = limit_text(loop.end);
  const std::string begin = spec::is_constant(loop.begin, 0) ? "" : limit_text(loop.begin) + " + ";
  const std::string step = spec::is_constant(loop.step, 1) ? "" : " * " + spec::to_text(loop.step);
  std::string before;
  if (!may_widen_) {
    before = invert(loop);
    rows.use_in(loop, *spec_);
    before += rows.text();
  }
  const std::string body = code_of(loop.body);
  if (!keeping && !widened)
    return before +
           fmt::format(
               "#pragma unroll {7}\nfor ({0} {1} = {2}$lane{3}; {1} < {4}; {1} += {5}{3}) {{\n{6}}}\n",
               loop.type, loop.name, begin, step, end, team_, indented(body, 2), rolled_ ? 1 : 4);
  std::string inner = loads;
  if (widened)
    inner += fmt::format("#pragma unroll\nfor (int $e = 0; $e < kWidth; ++$e) {{\n{}}}\n",
                         indented(counter(loop, "$first + $e", body), 2));
  else
    inner += counter(loop, "$first", body);
  inner += stores;
  if (keeping) return before + kept_loop(loop, inner);
  return before +
         fmt::format(
             "#pragma unroll {5}\nfor ({0} $first = {1}$lane * kWidth; $first < {2}; $first += {3} * kWidth) "
             "{{\n{4}}}\n",
             loop.type, begin, end, team_, indented(inner, 2), rolled_ ? 1 : 4);
}

std::string Sharing::around(const Span &span, const Statement &one, const Statement &original) const {
  if (&original == span.loop) return shared(span, one);
  return fmt::format("for ({} {} = {}; {} < {}; {} += {}) {{\n{}}}\n", one.type, one.name,
                     spec::to_text(one.begin), one.name, limit_text(one.end), one.name,
                     spec::to_text(one.step),
                     indented(around(span, one.body.front(), original.body.front()), 2));
}

std::string Sharing::text(const Span &span, const Statement &changed) const {
  return around(span, changed, *span.outermost);
}

}  // namespace cupilot::schedule
