// SPDX-License-Identifier: Apache-2.0
#include "annotate/lift/lift.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "annotate/directive/data_assumption.h"
#include "annotate/directive/kernel_clauses.h"
#include "annotate/lift/arguments.h"
#include "annotate/lift/axes.h"
#include "annotate/lift/chunks.h"
#include "annotate/lift/digits.h"
#include "annotate/lift/folds.h"
#include "annotate/lift/lifter.h"
#include "annotate/lift/plain.h"
#include "annotate/lift/reductions.h"
#include "annotate/lift/simplify.h"
#include "annotate/lift/tails.h"
#include "annotate/rewrite/analysis.h"
#include "annotate/rewrite/parse.h"
#include "annotate/rewrite/pointer_uses.h"
#include "annotate/rewrite/text.h"
#include "annotate/spec/lifted_text.h"
#include "annotate/spec/polynomial.h"

namespace cupilot::lift {

using rewrite::Kernel;
using rewrite::Storage;
using spec::Expr;
using spec::ExprKind;
using spec::KernelSpec;
using spec::Lifted;
using spec::Polynomial;
using spec::Statement;
using spec::StatementKind;

namespace {

/// Threads of a block along a dimension, if all workloads have the same number.
int threads_of(const KernelSpec &spec, std::size_t dimension) {
  int threads = 0;
  for (const spec::Workload &workload : spec.workloads) {
    const auto value =
        directive::evaluate_integer(workload.launch.block[dimension], directive::values_of(workload));
    if (!value || *value < 1 || *value > 1024 || (threads != 0 && *value != threads)) return 0;
    threads = static_cast<int>(*value);
  }
  return threads;
}

/// Whether a condition over sizes holds in a workload. Expressions of the form are C++, of which the
/// directives' expressions are a part.
bool holds(const Expr &condition, const spec::Workload &workload) {
  const directive::Scope scope = directive::values_of(workload);
  const spec::OwnText own = [&](const Expr &part) -> std::optional<std::string> {
    if (part.kind == ExprKind::cast) return "(" + spec::to_text(part.parts[0], own) + ")";
    const std::size_t dot = part.text.find('.');
    if (part.kind != ExprKind::parameter || dot == std::string::npos) return std::nullopt;
    const auto &sizes = part.text.starts_with("grid") ? workload.launch.grid : workload.launch.block;
    return "(" + sizes[static_cast<std::size_t>(part.text[dot + 1] - 'x')] + ")";
  };
  const auto value = directive::evaluate_integer(spec::to_text(condition, own), scope);
  return value && *value != 0;
}

/// Whether the user promises of every buffer of floating numbers that is read that it holds no NaN.
bool all_finite(const KernelSpec &spec) {
  std::set<std::string> finite;
  for (const spec::Assumption &assumption : spec.assumptions)
    if (const auto promised = directive::data_assumption(assumption.expression))
      finite.insert(promised->parameter);
  const auto is_output = [&](const spec::Parameter &one) {
    return std::ranges::all_of(spec.workloads, [&](const spec::Workload &workload) {
      const auto use = std::ranges::find(workload.buffers, one.name, &spec::BufferUse::parameter);
      return use != workload.buffers.end() && use->role == spec::BufferRole::out;
    });
  };
  return std::ranges::all_of(spec.parameters, [&](const spec::Parameter &one) {
    return !one.pointer || !spec::is_floating(one.element) || is_output(one) || finite.contains(one.name);
  });
}

/// Named sizes are written out: a schedule knows parameters only.
void inline_sizes(Lifted &lifted, const Sizes &sizes) {
  spec::replace_all(lifted.body, [&](const Expr &part) -> std::optional<Expr> {
    const auto named = [&](const auto &size) { return part.text == size.first; };
    if (part.kind != ExprKind::parameter || std::ranges::none_of(sizes, named)) return std::nullopt;
    return written_out(part, sizes);
  });
  for (spec::Need &need : lifted.needs) need.condition = written_out(need.condition, sizes);
}

/// Pairs of buffers of which one is written and that may overlap.
void add_apart(const Kernel &kernel, Lifted &lifted) {
  std::set<std::string> read, written;
  spec::visit_statements(lifted.body, [&](const Statement &one) {
    if (one.kind == StatementKind::store || one.kind == StatementKind::update) written.insert(one.name);
  });
  for (const Statement &one : lifted.body)
    spec::visit(one, [&](const Expr &part) {
      if (part.kind == ExprKind::load) read.insert(part.text);
    });
  const auto variable = [&](const std::string &name) -> const rewrite::Variable * {
    for (const int index : kernel.parameters)
      if (kernel.variables[index].name == name) return &kernel.variables[index];
    return nullptr;
  };
  read.insert(written.begin(), written.end());
  for (const std::string &to : written)
    for (const std::string &from : read) {
      const rewrite::Variable *a = variable(from), *b = variable(to);
      if (a == nullptr || b == nullptr || a == b || (written.contains(from) && from > to)) continue;
      if (rewrite::may_overlap(*a, *b)) lifted.apart.push_back({from, to});
    }
}

/// Parts of a fold over the grid, of which each thread or block has one, become whole only where all of them
/// are added to one element. That `name` begins with what the fold leaves as it is was tested before.
Lift<void> check_parts(const Walked &walked) {
  for (const auto &[name, op] : walked.parts) {
    int reads = 0, updates = 0, line = 0;
    bool neutral = true;
    spec::visit_statements(walked.body, [&](const Statement &one) {
      const bool itself = one.value.kind == ExprKind::value && one.value.text == name;
      const bool whole = one.kind == StatementKind::update && one.op == op &&
                         (itself || (op == "+" && scaled_variable(one.value) == name));
      updates += whole;
      if (one.kind == StatementKind::variable && one.name == name)
        neutral = spec::is_identity(op, one.value), line = one.line;
    });
    for (const Statement &one : walked.body)
      spec::visit(one, [&](const Expr &part) { reads += part.kind == ExprKind::value && part.text == name; });
    if (reads != updates || updates != 1)
      return not_lifted("each thread or block has a part of '" + name +
                            "', and no atomic operation puts the parts together",
                        line);
    if (!neutral) return not_lifted("every thread begins '" + name + "' with a value of its own", line);
  }
  return {};
}

}  // namespace

bool holds_everywhere(const Expr &condition, const Sizes &sizes, const KernelSpec &spec) {
  const Expr written = written_out(condition, sizes);
  return std::ranges::all_of(spec.workloads, [&](const auto &one) { return holds(written, one); });
}

Lifter::Lifter(const Kernel &kernel, const KernelSpec &spec, bool share_own_loops)
    : kernel_(kernel), spec_(spec), share_own_loops_(share_own_loops) {
  for (const int parameter : kernel.parameters) used_names_.insert(kernel.variables[parameter].name);
  const rewrite::Effects effects = rewrite::effects_of(kernel, kernel.body);
  team_ = effects.collective != nullptr || effects.shared != nullptr;
  for (std::size_t dimension = 0; dimension < block_.size(); ++dimension)
    block_[dimension] = threads_of(spec, dimension);
  threads_ = block_[0];
  finite_ = all_finite(spec);
  find_exchanged();
}

Lift<Walked> Lifter::run() {
  if (team_ && threads_ == 0)
    return not_lifted(
        "threads of a block cooperate, and how many there are is not the same constant in all workloads",
        kernel_.line);
  Statements body;
  into_ = &body;
  CUPILOT_CHECKED(statements(rewrite::parts_of(kernel_.body)));
  CUPILOT_CHECKED(check_tiled(body));
  const Expr block = spec::named(ExprKind::parameter, "block.x", "unsigned int");
  if (warps_)
    out_.needs.push_back(
        {spec::binary("==", spec::binary("%", block, spec::constant(threads_), "unsigned int"),
                      spec::constant(0), "bool"),
         "the lanes of a warp cooperate"});
  else if (team_)
    out_.needs.push_back(
        {spec::binary("==", block, spec::constant(threads_), "bool"), "as many threads cooperate"});
  out_.body = std::move(body);
  out_.used = used_names_;
  out_.team = team_;
  out_.block = block_;
  return std::move(out_);
}

/// simplify(), where guards go on beginning with the statements that they begin with.
void simplify_under_guards(Walked &walked, std::set<std::string> &names) {
  for (std::size_t i = walked.guards.size(); i-- > 0;) {
    Statement mark{.kind = StatementKind::value, .name = kMark + std::to_string(i), .type = "int"};
    mark.value = spec::constant(0);
    const std::size_t at = std::min(walked.guards[i].from, walked.body.size());
    walked.body.insert(walked.body.begin() + static_cast<std::ptrdiff_t>(at), std::move(mark));
  }
  part_sums(walked.body);  // before what nobody reads afterwards goes, as a mean may
  simplify(walked.body, names);
  for (std::size_t i = 0; i < walked.guards.size(); ++i) {
    const auto mark = std::ranges::find(walked.body, kMark + std::to_string(i), &Statement::name);
    walked.guards[i].from = static_cast<std::size_t>(mark - walked.body.begin());
    walked.body.erase(mark);
  }
}

/// The conditions that all that is written stands under.
std::vector<Expr> common_conditions(const Statements &body) {
  std::vector<Expr> common;
  bool first = true;
  for (const Statement &one : body) {
    if (!writes({one})) continue;
    const bool choice = one.kind == StatementKind::branch && one.otherwise.empty();
    if (!choice) return {};
    std::vector<Expr> own = spec::conjuncts(one.value);
    std::ranges::move(common_conditions(one.body), std::back_inserter(own));
    if (first)
      common = own;
    else
      std::erase_if(common, [&](const Expr &each) { return std::ranges::find(own, each) == own.end(); });
    first = false;
  }
  return common;
}

/// Bounds of axes that were found only when two coordinates became one: `if (row < rows)` over everything.
void bound_axes(Statements &body, std::vector<spec::Need> &needs) {
  std::vector<Statement *> nest;
  for (Statements *at = &body; at->size() == 1 && at->front().kind == StatementKind::loop &&
                               at->front().loop == spec::LoopKind::independent;
       at = &at->front().body)
    nest.push_back(&at->front());
  if (nest.empty()) return;
  for (const Expr &condition : common_conditions(nest.back()->body)) {
    if (condition.kind != ExprKind::binary || condition.text != "<") continue;
    const auto axis = std::ranges::find_if(nest, [&](const Statement *one) {
      return condition.parts[0].kind == ExprKind::axis && condition.parts[0].text == one->name;
    });
    bool sizes = true;
    spec::visit(condition.parts[1], [&](const Expr &part) {
      sizes =
          sizes && part.kind != ExprKind::axis && part.kind != ExprKind::value && part.kind != ExprKind::load;
    });
    if (axis == nest.end() || !sizes) continue;
    const Expr end = condition.parts[1];
    needs.push_back(
        {spec::binary(">=", (*axis)->end, end, "bool"), "the launch has threads for every " + (*axis)->name});
    (*axis)->end = end;
  }
}

/// Where the size of a block is one number, it is written as that: tiles are.
void write_block_sizes(Lifted &form) {
  std::map<std::string, Expr> sizes;
  for (const spec::Need &need : form.needs)
    if (need.condition.text == "==" && need.condition.parts[0].kind == ExprKind::parameter &&
        need.condition.parts[0].text.starts_with("block.") && Polynomial::of(need.condition.parts[1]).value())
      sizes.try_emplace(need.condition.parts[0].text, need.condition.parts[1]);
  spec::replace_all(form.body, [&](const Expr &part) -> std::optional<Expr> {
    const auto known = part.kind == ExprKind::parameter ? sizes.find(part.text) : sizes.end();
    return known == sizes.end() ? std::nullopt : std::optional(known->second);
  });
}

/// Once index maps are what they are, loops without an order have to show that they have none.
Lift<void> check_apart(const Statements &body) {
  for (const Statement &one : body) {
    const bool loop = one.kind == StatementKind::loop && one.loop == spec::LoopKind::independent;
    if (const auto order = loop ? order_of(one, Iterations::known) : LoopOrder{};
        order.kind == spec::LoopKind::ordered)
      return not_lifted("threads do not work apart from each other: " + order.why, one.line);
    CUPILOT_CHECKED(check_apart(one.body));
    CUPILOT_CHECKED(check_apart(one.otherwise));
  }
  return {};
}

/// The form of a kernel with one size of block, as its threads cooperate along x.
Lifted lift_along_x(const Kernel &kernel, const KernelSpec &spec, bool share_own_loops = false) {
  const auto made = [&]() -> Lift<Lifted> {
    CUPILOT_TRY(walked, Lifter(kernel, spec, share_own_loops).run());
    CUPILOT_CHECKED(check_parts(walked));
    std::set<std::string> names = walked.used;
    simplify_under_guards(walked, names);
    walked.used = std::move(names);
    join_tails(walked.body, walked.sizes, walked.used);
    even_out(walked.body);
    const auto sizes = walked.sizes;
    const int threads = walked.block[0];
    names = walked.used;
    const bool rows =
        std::ranges::any_of(walked.needs, [](const spec::Need &need) { return need.why == kRowsShare; });
    const Holds everywhere = [&](const Expr &condition) { return holds_everywhere(condition, sizes, spec); };
    CUPILOT_TRY(form, with_axes(std::move(walked), everywhere));
    if (rows) write_block_sizes(form);
    flatten_steps(form.body, form.needs);
    begin_with_nothing(form.body, form.needs);
    split_axes(form.body, names, sizes, everywhere, form.needs);
    join_scans(form.body, threads);
    even_chunks(form.body);
    merge_axes(form.body, names);
    bound_scans(form.body);
    bound_folds(form.body, form.needs);
    join_totals(form.body, names);
    merge_axes(form.body, names);
    bound_axes(form.body, form.needs);
    bound_folds(form.body, form.needs);
    if (const int line = part_sums(form.body); line != 0)
      return not_lifted("a sum that goes by the largest value or the mean so far is not made by one loop",
                        line);
    CUPILOT_CHECKED(check_apart(form.body));
    inline_sizes(form, sizes);
    return form;
  }();
  Lifted lifted;
  if (!made)
    lifted.missing = made.error();
  else if (made->body.empty())
    lifted.missing = {"the kernel writes nothing that the source shows", kernel.line};
  else
    lifted = *std::move(made);
  add_apart(kernel, lifted);
  return lifted;
}

/// The form of a kernel whose threads cooperate along y; without a body: it is no such kernel, or does not
/// lift.
Lifted lift_along_y(Kernel kernel, KernelSpec spec) {
  const rewrite::Effects effects = rewrite::effects_of(kernel, kernel.body);
  if (effects.shared == nullptr || effects.lanes != nullptr || threads_of(spec, 1) <= 1 ||
      counts_by_warps(kernel))
    return {};
  exchange_dimensions(kernel);
  exchange_dimensions(spec);
  Lifted lifted = lift_along_x(kernel, spec);
  exchange_dimensions(lifted);
  return lifted;
}

/// The form of a kernel with one size of block, whichever way its threads cooperate.
Lifted lift_either_way(const Kernel &kernel, const KernelSpec &spec, bool groups) {
  Lifted lifted = lift_along_x(kernel, spec);
  if (lifted.body.empty())
    if (Lifted other = lift_along_x(kernel, spec, true); !other.body.empty()) return other;
  if (lifted.body.empty() && !groups)
    if (Lifted other = lift_along_y(kernel, spec); !other.body.empty()) lifted = std::move(other);
  return lifted;
}

/// The spec with the workloads of each size of block alone.
std::vector<KernelSpec> by_block_size(const KernelSpec &spec) {
  std::map<std::array<std::optional<std::int64_t>, 3>, KernelSpec> parts;
  for (const spec::Workload &workload : spec.workloads) {
    std::array<std::optional<std::int64_t>, 3> sizes;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      if (const auto size =
              directive::evaluate_integer(workload.launch.block[i], directive::values_of(workload)))
        sizes[i] = *size;
    const auto [part, fresh] = parts.try_emplace(sizes, spec);
    if (fresh) part->second.workloads.clear();
    part->second.workloads.push_back(workload);
  }
  std::vector<KernelSpec> specs;
  for (auto &[sizes, part] : parts) specs.push_back(std::move(part));
  return specs;
}

/// The form that blocks of several sizes have in common, whatever each does to get there; without a body:
/// there is none, and perhaps a reason of one of them. One of the sizes has to be there.
Lifted lift_each_size(const Kernel &kernel, const KernelSpec &spec, bool groups) {
  constexpr std::size_t kMostSizes = 6;
  const std::vector<KernelSpec> parts = by_block_size(spec);
  if (parts.size() < 2 || parts.size() > kMostSizes) return {};
  std::vector<Lifted> forms;
  for (const KernelSpec &part : parts) {
    forms.push_back(lift_either_way(kernel, part, groups));
    const auto text = [](Lifted form) {
      form.needs.clear();
      return spec::to_text(form);
    };
    if (forms.back().body.empty()) return forms.back();
    if (text(forms.back()) != text(forms.front())) return {};
  }
  Lifted common = forms.front();
  const auto has = [](const std::vector<spec::Need> &needs, const spec::Need &need) {
    return std::ranges::find(needs, need.condition, &spec::Need::condition) != needs.end();
  };
  std::erase_if(common.needs, [&](const spec::Need &need) {
    return !std::ranges::all_of(forms, [&](const Lifted &form) { return has(form.needs, need); });
  });
  std::optional<Expr> either;
  for (Lifted &form : forms) {
    std::erase_if(form.needs, [&](const spec::Need &need) { return has(common.needs, need); });
    if (form.needs.empty()) return common;
    std::vector<Expr> conditions;
    for (spec::Need &need : form.needs) conditions.push_back(std::move(need.condition));
    const Expr own = spec::conjunction(conditions);
    either = either ? spec::binary("||", *either, own, "bool") : own;
  }
  if (either) common.needs.push_back({*either, "as many threads cooperate as in one of the workloads"});
  return common;
}

/// The form of a kernel of which all but arrays, conditions and early ends is written out.
Lifted lift_written_out(Kernel kernel, const KernelSpec &spec, bool groups) {
  branch_past_continues(kernel);
  move_arrays_outward(kernel);
  if (write_out_zeros(kernel)) move_arrays_outward(kernel);
  continue_past_ends(kernel);
  part_conditions(kernel);
  write_out_choices(kernel);
  Lifted lifted = lift_either_way(kernel, spec, groups);
  if (lifted.body.empty()) {
    Lifted other = lift_each_size(kernel, spec, groups);
    if (!other.body.empty() || !other.missing.reason.empty()) lifted = std::move(other);
  }
  if (groups)
    for (const char *size : {"block.y", "block.z"})
      lifted.needs.push_back({spec::binary("==", spec::named(ExprKind::parameter, size, "unsigned int"),
                                           spec::constant(1), "bool"),
                              "groups of threads are counted along x"});
  return lifted;
}

/// The form with variables that change together as folds; without a body: there are none, or a reason.
Lifted lift_joined(Kernel kernel, const KernelSpec &spec, bool groups) {
  const PairsJoined joined = join_pairs(kernel, all_finite(spec));
  if (joined.any) return lift_written_out(std::move(kernel), spec, groups);
  Lifted none;
  if (joined.poisoned != 0)
    none.missing = {
        "a running maximum that begins at -INFINITY makes NaN of an infinity: promise assume(finite(...)) "
        "of what is read, or begin at -FLT_MAX",
        joined.poisoned};
  return none;
}

Lifted lift(const KernelSpec &spec) {
  auto kernel = rewrite::parse_kernel(spec);
  Lifted lifted;
  if (!kernel) {
    lifted.missing = {kernel.error().message, spec.place.line};
    return lifted;
  }
  rewrite::PointerUses uses = rewrite::pointer_uses_of(*kernel);
  const bool groups = write_out_groups(*kernel);
  write_out_switches(*kernel);
  join_returns(*kernel);
  separate_effects(*kernel);
  split_records(*kernel);
  write_out_tables(*kernel);
  join_initials(*kernel);
  close_inductions(*kernel);
  name_shared_parts(*kernel);
  give_arrays_rows(*kernel);
  lifted = lift_joined(*kernel, spec, groups);
  if (lifted.body.empty()) {
    const spec::NotLifted nearer = lifted.missing;
    lifted = lift_written_out(*std::move(kernel), spec, groups);
    if (lifted.body.empty() && !nearer.reason.empty()) lifted.missing = nearer;
  }
  lifted.only_read = std::move(uses.only_read), lifted.only_written = std::move(uses.only_written);
  return lifted;
}

}  // namespace cupilot::lift
