// SPDX-License-Identifier: Apache-2.0

#include "annotate/extract/identity.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "annotate/extract/display_path.h"
#include "annotate/support/files.h"
#include "annotate/support/hash.h"
#include "annotate/support/text.h"

namespace cupilot::extract {
namespace {

void add_buffer(const spec::BufferUse &buffer, const std::string &source_folder, Sha256 &hash) {
  hash.field(buffer.parameter)
      .field(spec::to_string(buffer.role))
      .field(buffer.extent)
      .field(spec::to_string(buffer.fill.kind));
  hash.field(std::to_string(buffer.fill.a)).field(std::to_string(buffer.fill.b));
  hash.field(buffer.fill.file.empty() ? "" : display_path(buffer.fill.file, source_folder));
}

std::string number_text(double value) {
  char text[32];  // the shortest digits that give the same double
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

/// An absent clause adds nothing, so kernels keep their ids when the grammar gets new clauses.
void add_clauses(const spec::KernelSpec &spec, Sha256 &hash) {
  if (spec.deterministic) hash.field("deterministic");
  std::vector<std::string> expressions;
  for (const spec::Assumption &assumption : spec.assumptions)
    expressions.push_back(replace_all(assumption.expression, " ", ""));
  std::ranges::sort(expressions);
  for (const std::string &expression : expressions) hash.field("assume").field(expression);
}

}  // namespace

std::string kernel_id(const spec::KernelSpec &spec, const std::vector<std::string> &tokens) {
  Sha256 hash;
  hash.field("kernel 1").field(spec.qualified_name).field(spec.instantiation);
  for (const spec::Parameter &parameter : spec.parameters) hash.field(parameter.type);
  hash.field("precision " + spec::to_string(spec.precision));
  add_clauses(spec, hash);
  for (const std::string &token : tokens) hash.field(token);
  return hash.hex();
}

std::string workload_id(const std::vector<spec::Workload> &workloads, const std::string &source_folder) {
  Sha256 hash;
  hash.field("workloads 1");
  for (const spec::Workload &workload : workloads) {
    hash.field("workload").field(workload.id).field(workload.check ? "check" : "");
    for (const spec::Assignment &assignment : workload.set)
      hash.field("set").field(assignment.name).field(assignment.expression);
    for (const spec::BufferUse &buffer : workload.buffers) add_buffer(buffer, source_folder, hash);
    for (const auto &sizes : {workload.launch.grid, workload.launch.block})
      for (const std::string &size : sizes) hash.field(size);
    hash.field(workload.launch.shared_bytes);
    if (workload.weight != 1) hash.field("weight").field(number_text(workload.weight));
    if (workload.holdout) hash.field("holdout");
  }
  return hash.hex();
}

spec::Fingerprint fingerprint_of(const CompileEntry &entry, const std::vector<std::string> &headers,
                                 const std::string &root) {
  spec::Fingerprint made;
  made.source = display_path(entry.command.source, root);
  made.macros = macros_hash(entry.line);
  std::vector<std::string> paths = headers;
  paths.push_back(entry.command.source);
  for (const std::string &path : paths)
    if (const auto content = read_file(path))
      made.files.push_back({display_path(path, root), sha256(*content)});
  std::ranges::sort(made.files, {}, &spec::Fingerprint::File::path);
  return made;
}

}  // namespace cupilot::extract
