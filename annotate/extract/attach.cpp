// SPDX-License-Identifier: Apache-2.0

#include "annotate/extract/attach.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <fmt/format.h>
#include <algorithm>

#include "annotate/directive/clause_table.h"

namespace cupilot::extract {
namespace {

struct Target {
  const FunctionPlace *function = nullptr;
  std::string problem, remedy;
};

const char *directive_name(const directive::Directive &directive) {
  return std::holds_alternative<directive::OptimizeDirective>(directive.what) ? "'cupilot optimize'"
                                                                              : "'cupilot workload'";
}

Target target_of(const UnitFile &file, const RecordedPragma &pragma,
                 const std::vector<FunctionPlace> &functions) {
  const std::string move = "put it directly before the kernel, before 'template' if it has one";
  for (const Chunk &chunk : file.chunks)
    if (chunk.begin < pragma.begin && pragma.begin < chunk.end)
      return {nullptr, "stands inside a declaration", move};
  // Chunks without a name are directives of the _Pragma form or explicit instantiations.
  const auto next = std::ranges::find_if(
      file.chunks, [&](const Chunk &c) { return c.begin > pragma.begin && !c.names.empty(); });
  if (next == file.chunks.end()) return {nullptr, "is not followed by a kernel", move};
  const int index = static_cast<int>(next - file.chunks.begin());
  const auto function = std::ranges::find(functions, ChunkId{pragma.file, index}, &FunctionPlace::chunk);
  if (function != functions.end() && function->function->hasAttr<clang::CUDAGlobalAttr>())
    return {&*function, "", ""};
  const std::string name = next->names.empty() ? "" : " " + directive::in_quotes(next->names.back());
  const std::string what = function != functions.end() ? "the function" + name : "the declaration" + name;
  return {nullptr, fmt::format("stands before {}, which is not a __global__ function", what), move};
}

}  // namespace

namespace {

struct Group {
  AnnotatedKernel kernel;
  bool optimized = false;
  SourcePlace first;  ///< position of its first directive
};

void add(Group &group, std::optional<directive::Directive> directive, std::vector<Diagnostic> &diagnostics) {
  if (!directive) {
    // This may be a misspelled `optimize`, so do not also report that `optimize` is missing.
    group.kernel.broken = group.optimized = true;
    return;
  }
  group.kernel.broken = group.kernel.broken || directive->broken;
  if (auto *workload = std::get_if<directive::WorkloadDirective>(&directive->what)) {
    if (!directive->broken) group.kernel.workloads.push_back(std::move(*workload));
    return;
  }
  auto &optimize = std::get<directive::OptimizeDirective>(directive->what);
  if (group.optimized && !group.kernel.broken)
    diagnostics.push_back(
        {Severity::error, optimize.place, "'cupilot optimize' appears twice", "", "keep one of them"});
  group.kernel.optimize = std::move(optimize);
  group.optimized = true;
}

}  // namespace

std::vector<AnnotatedKernel> attach_directives(const ParsedUnit &unit,
                                               const std::vector<FunctionPlace> &functions,
                                               std::vector<Diagnostic> &diagnostics) {
  std::map<ChunkId, Group> groups;
  for (const RecordedPragma &pragma : unit.pragmas) {
    auto directive = directive::parse_directive(pragma.tokens, pragma.place, diagnostics);
    const Target target =
        target_of(unit.text.files[static_cast<std::size_t>(pragma.file)], pragma, functions);
    if (!target.function) {
      // The parser has already reported a directive that it does not know.
      if (directive)
        diagnostics.push_back({Severity::error, pragma.place,
                               fmt::format("{} {}", directive_name(*directive), target.problem), "",
                               target.remedy});
      continue;
    }
    Group &group = groups[target.function->chunk];
    group.kernel.place = *target.function;
    if (group.first.line == 0) group.first = pragma.place;
    add(group, std::move(directive), diagnostics);
  }
  std::vector<AnnotatedKernel> kernels;
  for (auto &[chunk, group] : groups) {
    if (group.optimized)
      kernels.push_back(std::move(group.kernel));
    else
      diagnostics.push_back({Severity::error, group.first,
                             "'cupilot workload' stands before a kernel without '#pragma cupilot optimize'",
                             "", "add '#pragma cupilot optimize' before it"});
  }
  return kernels;
}

}  // namespace cupilot::extract
