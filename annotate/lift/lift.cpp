// SPDX-License-Identifier: Apache-2.0
#include "annotate/lift/lift.h"

#include <algorithm>
#include <set>
#include <utility>

#include "annotate/directive/expression.h"
#include "annotate/lift/axes.h"
#include "annotate/lift/lifter.h"
#include "annotate/lift/simplify.h"
#include "annotate/rewrite/analysis.h"
#include "annotate/rewrite/parse.h"
#include "annotate/rewrite/text.h"
#include "annotate/spec/lifted_text.h"

namespace cupilot::lift {

using rewrite::Kernel;
using rewrite::Storage;
using spec::Expr;
using spec::ExprKind;
using spec::KernelSpec;
using spec::Lifted;
using spec::Statement;
using spec::StatementKind;

namespace {

/// Threads of a block along x, if all workloads have the same number.
int threads_of(const KernelSpec &spec) {
  int threads = 0;
  for (const spec::Workload &workload : spec.workloads) {
    directive::Scope scope;
    for (const spec::Assignment &item : workload.set)
      if (const auto value = directive::evaluate_expression(item.expression, scope))
        scope[item.name] = *value;
    const auto value = directive::evaluate_integer(workload.launch.block[0], scope);
    if (!value || *value < 1 || *value > 1024 || (threads != 0 && *value != threads)) return 0;
    threads = static_cast<int>(*value);
  }
  return threads;
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

}  // namespace

Lifter::Lifter(const Kernel &kernel, const KernelSpec &spec) : kernel_(kernel), spec_(spec) {
  for (const int parameter : kernel.parameters) used_names_.insert(kernel.variables[parameter].name);
  const rewrite::Effects effects = rewrite::effects_of(kernel, kernel.body);
  team_ = effects.collective != nullptr || effects.shared != nullptr;
  threads_ = threads_of(spec);
}

Lift<Walked> Lifter::run() {
  if (team_ && threads_ == 0)
    return not_lifted(
        "threads of a block cooperate, and how many there are is not the same constant in all workloads",
        kernel_.line);
  Statements body;
  into_ = &body;
  CUPILOT_CHECKED(statements(rewrite::parts_of(kernel_.body)));
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
  return std::move(out_);
}

Lifted lift(const Kernel &kernel, const KernelSpec &spec) {
  const auto made = [&]() -> Lift<Lifted> {
    CUPILOT_TRY(walked, Lifter(kernel, spec).run());
    std::set<std::string> names = walked.used;
    simplify(walked.body, names);
    walked.used = std::move(names);
    return with_axes(std::move(walked));
  }();
  Lifted lifted;
  if (made)
    lifted = std::move(*made);
  else
    lifted.missing = made.error();
  if (made && lifted.body.empty())
    lifted.missing = {"the kernel writes nothing that the source shows", kernel.line};
  add_apart(kernel, lifted);
  return lifted;
}

Lifted lift(const KernelSpec &spec) {
  const auto kernel = rewrite::parse_kernel(spec);
  if (kernel) return lift(*kernel, spec);
  Lifted lifted;
  lifted.missing = {kernel.error().message, spec.place.line};
  return lifted;
}

}  // namespace cupilot::lift
