// SPDX-License-Identifier: Apache-2.0

#include "annotate/extract/extract.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <utility>

#include "annotate/directive/kernel_clauses.h"
#include "annotate/directive/workload_file.h"
#include "annotate/directive/workload_roles.h"
#include "annotate/extract/attach.h"
#include "annotate/extract/code_facts.h"
#include "annotate/extract/identity.h"
#include "annotate/extract/launches.h"
#include "annotate/extract/signature.h"
#include "annotate/extract/slice.h"
#include "annotate/support/files.h"
#include "annotate/support/text.h"

namespace cupilot::extract {
namespace {

class Extractor {
public:
  Extractor(const CompileEntry &entry, const std::string &root, Purpose purpose, const std::string &records,
            ParsedUnit &unit)
      : entry_(entry), root_(root), purpose_(purpose), records_(records), unit_(unit) {}

  Extraction run() {
    const auto functions = find_chunks(unit_);
    const auto kernels = attach_directives(unit_, functions, out_.diagnostics);
    if (purpose_ == Purpose::every_kernel) add_definitions(functions, kernels);
    std::vector<const clang::FunctionDecl *> patterns;
    for (const AnnotatedKernel &kernel : kernels) patterns.push_back(kernel.place.function);
    for (const auto &[definition, kernel] : plain_) patterns.push_back(kernel.place.function);
    launches_ = find_launches(unit_, patterns);
    fingerprint_ = fingerprint_of(entry_, unit_.user_headers, root_);
    for (const AnnotatedKernel &kernel : kernels) add(kernel);
    for (const auto &[definition, kernel] : plain_) try_to_add(out_.definitions[definition], kernel);
    return std::move(out_);
  }

private:
  void complain(const SourcePlace &place, std::string message, std::string remedy,
                Severity severity = Severity::error) {
    out_.diagnostics.push_back({severity, place, std::move(message), "", std::move(remedy)});
  }

  /// All kernels that are defined here; those without a directive are remembered with an empty one.
  void add_definitions(const std::vector<FunctionPlace> &functions,
                       const std::vector<AnnotatedKernel> &annotated) {
    for (const FunctionPlace &place : functions) {
      if (!place.function->hasAttr<clang::CUDAGlobalAttr>() ||
          !place.function->doesThisDeclarationHaveABody())
        continue;
      const UnitFile &file = unit_.text.files[static_cast<std::size_t>(place.chunk.file)];
      spec::Definition definition{
          .name = qualified_name_of(*place.function),
          .place = unit_.place_of(place.function->getLocation()),
          .beginning = place_at(file, file.chunks[static_cast<std::size_t>(place.chunk.chunk)].begin)};
      definition.place.file = display(definition.place.file);
      definition.annotated = std::ranges::any_of(
          annotated, [&](const auto &kernel) { return kernel.place.chunk == place.chunk; });
      if (!definition.annotated)
        plain_.push_back(
            {out_.definitions.size(), {.place = place, .optimize = {.place = definition.beginning}}});
      out_.definitions.push_back(std::move(definition));
    }
  }

  static SourcePlace place_at(const UnitFile &file, unsigned offset) {
    const auto line = file.text.rfind('\n', offset == 0 ? std::string::npos : offset - 1);
    const auto begin = offset == 0 || line == std::string::npos ? 0 : line + 1;
    const auto lines =
        std::count(file.text.begin(), file.text.begin() + static_cast<std::ptrdiff_t>(begin), '\n');
    return {file.path, static_cast<int>(lines) + 1, static_cast<int>(offset - begin) + 1};
  }

  /// A kernel that nobody asked for: what is wrong with it is nobody's mistake.
  void try_to_add(spec::Definition &definition, const AnnotatedKernel &kernel) {
    auto diagnostics = std::exchange(out_.diagnostics, {});
    add(kernel);
    std::swap(diagnostics, out_.diagnostics);
    if (!diagnostics.empty()) definition.problem = diagnostics.front().message;
  }

  void add(const AnnotatedKernel &kernel) {
    const std::string name = qualified_name_of(*kernel.place.function);
    const auto found = instantiations(kernel.place);
    if (found.empty())
      return complain(kernel.optimize.place,
                      fmt::format("kernel template '{}' is not instantiated in this file", name),
                      fmt::format("launch it here or write 'template __global__ void {}<...>(...);'",
                                  kernel.place.function->getNameAsString()),
                      Severity::warning);
    file_read_ = false;
    // A mistake in a clause is reported once, however many instantiations there are.
    const std::size_t said = out_.diagnostics.size();
    for (const clang::FunctionDecl *function : found) {
      add_instantiation(kernel, *function);
      if (out_.diagnostics.size() > said) break;
    }
    const bool without = kernel.workloads.empty() && !file_read_;
    if (without && !kernel.broken && purpose_ == Purpose::everything)
      complain(kernel.optimize.place, fmt::format("kernel '{}' has no workload and cannot be tuned", name),
               "watch a program that launches it ('cupilot capture -- PROGRAM'), or add '#pragma cupilot "
               "workload set(...) in(...) out(...)'",
               Severity::warning);
  }

  std::vector<const clang::FunctionDecl *> instantiations(const FunctionPlace &place) const {
    if (!place.is_template) return {place.function};
    std::vector<const clang::FunctionDecl *> found;
    for (const clang::FunctionDecl *function :
         place.function->getDescribedFunctionTemplate()->specializations())
      if (function->getTemplateSpecializationKind() != clang::TSK_ExplicitSpecialization)
        found.push_back(function);
    return found;
  }

  void add_instantiation(const AnnotatedKernel &kernel, const clang::FunctionDecl &function) {
    if (!can_be_named(function))
      return complain(kernel.optimize.place,
                      fmt::format("an instantiation of '{}' uses a lambda or a local type and is left alone",
                                  qualified_name_of(function)),
                      "name the type at namespace scope", Severity::warning);
    const std::size_t said = out_.diagnostics.size();
    spec::KernelSpec spec = describe(kernel, function);
    const bool clauses_in_order = out_.diagnostics.size() == said;
    if (!names_.insert(spec.name).second) {
      if (kernel.optimize.name)
        return complain(kernel.optimize.place,
                        fmt::format("two kernels of this file would have the record name '{}'", spec.name),
                        "give one of them 'name(...)'");
      for (const spec::Parameter &parameter : spec.parameters) spec.name += "." + folder_safe(parameter.type);
      names_.insert(spec.name);
    }
    add_launches(function, spec);
    if (purpose_ != Purpose::identity && (!resolve(kernel, spec) || !clauses_in_order)) return;
    add_slice(kernel, function, spec);
    if (purpose_ != Purpose::identity) spec.facts = code_facts_of(std::array{&function}, unit_.context);
    out_.specs.push_back(std::move(spec));
  }

  spec::KernelSpec describe(const AnnotatedKernel &kernel, const clang::FunctionDecl &function) {
    spec::KernelSpec spec;
    spec.qualified_name = qualified_name_of(function);
    spec.instantiation = instantiation_of(function, unit_.context);
    spec.namespaces = namespaces_of(function);
    const std::string base = kernel.optimize.name ? kernel.optimize.name->text() : spec.qualified_name;
    spec.name = folder_safe(base + spec.instantiation.substr(function.getNameAsString().size()));
    spec.symbol = symbol_of(function, unit_.context);
    spec.place = unit_.place_of(kernel.place.function->getLocation());
    spec.place.file = display(spec.place.file);
    spec.parameters = parameters_of(function, unit_.context);
    add_clauses(kernel, spec);
    spec.fingerprint = fingerprint_;
    spec.command = entry_.command;
    return spec;
  }

  /// Clauses that change which results are correct. They are also needed when a kernel is only identified.
  void add_clauses(const AnnotatedKernel &kernel, spec::KernelSpec &spec) {
    directive::KernelFacts facts;
    facts.name = kernel.place.function->getNameAsString();
    facts.parameters = spec.parameters;
    auto clauses = directive::resolve_optimize(kernel.optimize, facts, out_.diagnostics);
    spec.precision = clauses.precision;
    spec.assumptions = std::move(clauses.assumptions);
    spec.deterministic = clauses.deterministic;
  }

  std::string display(const std::string &path) const {
    for (const UnitFile &file : unit_.text.files)
      if (file.path == path) return file.display_path;
    return path;
  }

  void add_launches(const clang::FunctionDecl &function, spec::KernelSpec &spec) const {
    for (const FoundLaunch &launch : launches_) {
      if (launch.kernel->getCanonicalDecl() != function.getCanonicalDecl()) continue;
      spec.launches.push_back(launch.site);
      spec.launches.back().place.file = display(launch.site.place.file);
    }
  }

  /// Several launches of different shapes give no default, because it is unclear which one is meant.
  void launch_default(const clang::FunctionDecl &function, directive::KernelFacts &facts) const {
    facts.no_launch_reason = "this file does not launch it";
    std::string where;
    for (const FoundLaunch &launch : launches_) {
      if (launch.kernel->getCanonicalDecl() != function.getCanonicalDecl() ||
          launch.site.kind != spec::LaunchKind::triple_chevron)
        continue;
      const std::string here = fmt::format("{}:{}", display(launch.site.place.file), launch.site.place.line);
      if (!launch.shape) {
        facts.no_launch_reason = fmt::format("{}: {}", here, launch.no_shape_reason);
        continue;
      }
      const bool differs = facts.launch && (facts.launch->grid != launch.shape->grid ||
                                            facts.launch->block != launch.shape->block ||
                                            facts.launch->shared_bytes != launch.shape->shared_bytes);
      if (differs) {
        facts.no_launch_reason = fmt::format("the launches at {} and {} differ", where, here);
        facts.launch.reset();
        return;
      }
      facts.launch = launch.shape;
      where = here;
    }
  }

  /// Those of the source, and those of the kernel's file among the records whose names the source has not.
  std::vector<directive::WorkloadDirective> workloads_of(const AnnotatedKernel &kernel,
                                                         const std::string &name) {
    auto workloads = kernel.workloads;
    if (records_.empty()) return workloads;
    const auto path = (std::filesystem::path(records_) / name / directive::kWorkloadFile).string();
    const auto text = read_file(path);
    if (!text) return workloads;
    file_read_ = true;
    for (auto &workload : directive::read_workloads(*text, path, out_.diagnostics))
      if (std::ranges::none_of(kernel.workloads, [&](const auto &known) {
            return known.id && workload.id && known.id->text() == workload.id->text();
          }))
        workloads.push_back(std::move(workload));
    return workloads;
  }

  /// Returns whether the kernel has no errors.
  bool resolve(const AnnotatedKernel &kernel, spec::KernelSpec &spec) {
    const std::size_t before = out_.diagnostics.size();
    directive::KernelFacts facts{
        kernel.place.function->getNameAsString(),
        spec.parameters,
        std::filesystem::path(unit_.text.files[static_cast<std::size_t>(kernel.place.chunk.file)].path)
            .parent_path()
            .string(),
        {},
        ""};
    for (const FoundLaunch &launch : launches_)
      if (symbol_of(*launch.kernel, unit_.context) == spec.symbol) {
        launch_default(*launch.kernel, facts);
        break;
      }
    if (facts.no_launch_reason.empty()) facts.no_launch_reason = "this file does not launch it";
    const auto workloads = workloads_of(kernel, spec.name);
    for (const directive::WorkloadDirective &workload : workloads)
      spec.workloads.push_back(directive::resolve_workload(workload, facts, out_.diagnostics));
    directive::name_workloads(spec.workloads, out_.diagnostics);
    if (out_.diagnostics.size() == before)
      directive::check_assumptions(spec.assumptions, spec.workloads, out_.diagnostics);
    if (!kernel.broken) directive::check_workload_roles(workloads, out_.diagnostics);
    for (spec::Assumption &assumption : spec.assumptions)
      assumption.place.file = display(assumption.place.file);
    for (spec::Workload &workload : spec.workloads) {
      workload.place.file = display(workload.place.file);
      for (spec::BufferUse &buffer : workload.buffers) buffer.place.file = display(buffer.place.file);
    }
    return !kernel.broken && out_.diagnostics.size() == before;
  }

  void add_slice(const AnnotatedKernel &kernel, const clang::FunctionDecl &function,
                 spec::KernelSpec &spec) const {
    SliceRequest request{kernel.place.chunk, {}, explicit_instantiation(function, unit_.context)};
    for (const directive::RawToken &token : directive::lex_source(request.appended).tokens)
      if (token.identifier)
        request.mentioned.push_back(request.appended.substr(token.begin, token.end - token.begin));
    const Slice slice = cut_slice(unit_.text, request);
    spec.slice = slice.text;
    for (const ChunkId id : slice.kept) {
      const Chunk &chunk =
          unit_.text.files[static_cast<std::size_t>(id.file)].chunks[static_cast<std::size_t>(id.chunk)];
      if (chunk.device_global)
        spec.device_globals.insert(spec.device_globals.end(), chunk.names.begin(), chunk.names.end());
    }
    spec.kernel_id = kernel_id(spec, slice.identity);
    spec.workload_id =
        workload_id(spec.workloads, std::filesystem::path(entry_.command.source).parent_path().string());
  }

  const CompileEntry &entry_;
  const std::string &root_;
  Purpose purpose_;
  const std::string &records_;
  ParsedUnit &unit_;
  std::vector<FoundLaunch> launches_;
  spec::Fingerprint fingerprint_;
  std::set<std::string> names_;
  /// Kernels without a directive, and which of the definitions each is.
  std::vector<std::pair<std::size_t, AnnotatedKernel>> plain_;
  bool file_read_ = false;  ///< there is a file of workloads of the kernel being added
  Extraction out_;
};

/// Sorts the diagnostics, removes duplicates (mistakes in a header are found in every file that includes it),
/// and adds the source lines.
void finish(std::vector<Diagnostic> &diagnostics) {
  std::ranges::stable_sort(diagnostics, {}, [](const Diagnostic &d) {
    return std::tuple(d.place.file, d.place.line, d.place.column);
  });
  const auto rest = std::ranges::unique(diagnostics);
  diagnostics.erase(rest.begin(), rest.end());
  std::map<std::string, std::vector<std::string>> files;
  for (Diagnostic &diagnostic : diagnostics) {
    auto &lines = files[diagnostic.place.file];
    if (lines.empty())
      if (const auto text = read_file(diagnostic.place.file)) lines = split_lines(*text);
    const auto line = static_cast<std::size_t>(diagnostic.place.line);
    if (line >= 1 && line <= lines.size()) diagnostic.source_line = lines[line - 1];
  }
}

}  // namespace

Result<spec::CodeFacts> facts_of_text(const spec::CompileCommand &command, const std::string &text) {
  // The path is absolute, so that the user's working folder does not matter. The file does not exist.
  static constexpr const char *kPath = "/cupilot/variant.cu";
  std::vector<std::string> argv{command.compiler.empty() ? "nvcc" : command.compiler};
  argv.insert(argv.end(), command.flags.begin(), command.flags.end());
  argv.insert(argv.end(), {"-c", kPath});
  CUPILOT_TRY(entry, read_compile_command(argv, command.folder, kPath));
  spec::CodeFacts facts;
  const auto read = [&](ParsedUnit &unit) {
    if (unit.has_syntax_errors) return;
    std::vector<const clang::FunctionDecl *> kernels;
    for (const FunctionPlace &place : find_chunks(unit))
      if (place.function->hasAttr<clang::CUDAGlobalAttr>() && place.function->hasBody())
        kernels.push_back(place.function);
    facts = code_facts_of(kernels, unit.context);
  };
  if (!parse_translation_unit(entry, "/cupilot", read, &text))
    return fail("the text was not parsed: Clang could not start");
  return facts;
}

Result<Extraction> extract(const CompileEntry &entry, const std::string &root, Purpose purpose,
                           const std::string &records) {
  Extraction extraction;
  const bool parsed = parse_translation_unit(entry, root, [&](ParsedUnit &unit) {
    extraction = Extractor(entry, root, purpose, records, unit).run();
  });
  if (!parsed)
    return user_error(fmt::format("cannot parse {}; does its compile command work?", entry.command.source));
  finish(extraction.diagnostics);
  return extraction;
}

}  // namespace cupilot::extract
