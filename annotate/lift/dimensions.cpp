// SPDX-License-Identifier: Apache-2.0
//
// Threads of a block may work together along y: `tile[threadIdx.y][threadIdx.x]`, where each column of
// threads adds up a column of a matrix. The lifter knows teams along x, so such a kernel is lifted with both
// dimensions exchanged, and the form is put back.
#include <algorithm>
#include <utility>

#include "annotate/lift/plain.h"
#include "annotate/rewrite/analysis.h"
#include "annotate/spec/lifted_text.h"

namespace cupilot::lift {
namespace {

using rewrite::Kernel;
using rewrite::Kind;
using rewrite::Node;

/// "threadIdx.x" for "threadIdx.y", "grid.y" for "grid.x"; other names stay.
void exchange_dimension(std::string &name) {
  for (const char *start : {"threadIdx.", "blockIdx.", "blockDim.", "gridDim.", "block.", "grid."})
    if (name == start + std::string("x") || name == start + std::string("y"))
      name.back() = name.back() == 'x' ? 'y' : 'x';
}

/// A warp's size, or a collective of CUB, whose threads are counted along x first.
bool is_of_warp(const Node &node) {
  return ((node.kind == Kind::name || node.kind == Kind::builtin) && node.text == "warpSize") ||
         node.type.text.find("cub::") != std::string::npos;
}

void exchange_in(Node &node) {
  if (node.kind == Kind::builtin) exchange_dimension(node.text);
  for (Node &child : node.children) exchange_in(child);
}

}  // namespace

bool counts_by_warps(const Kernel &kernel) {
  const auto any = [](const Node &body) { return rewrite::find(body, is_of_warp) != nullptr; };
  return any(kernel.body) || std::ranges::any_of(kernel.functions, [&](const rewrite::Function &function) {
           return any(function.body);
         });
}

void exchange_dimensions(Kernel &kernel) {
  exchange_in(kernel.body);
  for (rewrite::Function &function : kernel.functions) exchange_in(function.body);
}

void exchange_dimensions(spec::KernelSpec &spec) {
  for (spec::Workload &workload : spec.workloads) {
    std::swap(workload.launch.grid[0], workload.launch.grid[1]);
    std::swap(workload.launch.block[0], workload.launch.block[1]);
  }
}

void exchange_dimensions(spec::Lifted &form) {
  const auto exchanged = [](const spec::Expr &part) -> std::optional<spec::Expr> {
    spec::Expr other = part;
    if (part.kind != spec::ExprKind::parameter) return std::nullopt;
    exchange_dimension(other.text);
    return other.text == part.text ? std::nullopt : std::optional(other);
  };
  spec::replace_all(form.body, exchanged);
  for (spec::Need &need : form.needs) need.condition = spec::replace(need.condition, exchanged);
}

}  // namespace cupilot::lift
