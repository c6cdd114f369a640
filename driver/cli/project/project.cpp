// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/project/project.h"

#include <algorithm>
#include <cstdio>

#include "annotate/support/log.h"
#include "driver/cli/project/annotation.h"
#include "driver/cli/text/lookup.h"

namespace cupilot::cli::project {
namespace {

namespace fs = std::filesystem;

fs::path absolute(const std::string &path) {
  std::error_code ignored;
  return fs::weakly_canonical(fs::absolute(path, ignored), ignored);
}

/// One run of cupilot-annotate: all sources that share a record root.
struct Portion {
  std::string target;
  fs::path records;
  bool accept_estimates = false;
  std::vector<std::string> files;  ///< none: everything the build folder compiles
};

Result<std::vector<Portion>> portions_of(const BuildFolder &build, const ProjectRequest &request,
                                         const std::vector<std::string> &only) {
  std::vector<Portion> portions;
  std::vector<std::string> names;
  for (const auto &target : build.targets) {
    names.push_back(target.name);
    if (!request.target.empty() && target.name != request.target) continue;
    Portion portion{target.name,
                    request.records.empty() ? target.records : absolute(request.records),
                    target.accept_estimates,
                    {}};
    for (const auto &source : target.sources)
      if (only.empty() || text::contains(only, source.string())) portion.files.push_back(source.string());
    if (!portion.files.empty()) portions.push_back(std::move(portion));
  }
  if (!request.target.empty() && !text::contains(names, request.target))
    return user_error("no target '" + request.target + "' calls cupilot_tune() in '" + build.path.string() +
                      "'; " + text::suggestion(request.target, names));
  for (const auto &file : only)
    if (!build.targets.empty() && std::ranges::none_of(portions, [&](const Portion &portion) {
          return text::contains(portion.files, file);
        }))
      return user_error("'" + file + "' is not a CUDA source of a target that calls cupilot_tune() in '" +
                        build.path.string() + "'");
  if (!build.targets.empty()) return portions;
  const auto records = request.records.empty() ? build.source_folder / "tuned" : absolute(request.records);
  log::note("no target of '" + build.path.string() + "' calls cupilot_tune(): records belong in '" +
            records.string() + "', but a build does not use them yet");
  portions.push_back({"", records, false, only});
  return portions;
}

/// Of a kernel in a header there is one for each source that includes it.
void add_definition(Project &project, spec::Definition definition) {
  const auto known =
      std::ranges::find(project.definitions, definition.beginning, &spec::Definition::beginning);
  if (known == project.definitions.end())
    project.definitions.push_back(std::move(definition));
  else if (known->problem.empty() || definition.problem.empty())
    known->problem.clear();  // a template that one of them instantiates
}

Result<void> read_portion(Project &project, const Portion &portion, std::vector<std::string> arguments,
                          const std::vector<std::string> &compiler) {
  arguments.insert(arguments.begin(),
                   {"--root", portion.records.parent_path().string(), "--records", portion.records.string()});
  arguments.insert(arguments.end(), portion.files.begin(), portion.files.end());
  if (!compiler.empty()) {
    arguments.push_back("--");
    arguments.insert(arguments.end(), compiler.begin(), compiler.end());
  }
  CUPILOT_TRY(found, annotate(arguments));
  for (auto &diagnostic : found.diagnostics)
    if (!text::contains(project.diagnostics, diagnostic))
      project.diagnostics.push_back(std::move(diagnostic));
  for (auto &definition : found.definitions) add_definition(project, std::move(definition));
  for (auto &spec : found.specs)
    add_kernel(project, std::move(spec), {portion.target, portion.records, portion.accept_estimates});
  return {};
}

std::vector<std::string> options_of(const ProjectRequest &request) {
  std::vector<std::string> options;
  if (request.jobs > 0) options = {"--jobs", std::to_string(request.jobs)};
  if (!request.analyse) options.push_back("--no-analysis");
  if (request.every_kernel) options.push_back("--every-kernel");
  for (const auto &name : request.kernels) options.insert(options.end(), {"--kernel", name});
  return options;
}

Result<Project> read_build(const ProjectRequest &request) {
  Project project;
  CUPILOT_TRY(folder, build_folder_of(request.inputs));
  CUPILOT_TRY(build, open_build_folder(folder));
  std::vector<std::string> only;
  for (std::size_t i = 1; i < request.inputs.size(); ++i)
    only.push_back(absolute(request.inputs[i]).string());
  std::vector<Portion> portions{{"", build.source_folder / "tuned", false, only}};
  if (!request.every_kernel) {
    CUPILOT_TRY(asked, portions_of(build, request, only));
    portions = std::move(asked);
  }
  for (const auto &portion : portions) {
    auto arguments = options_of(request);
    arguments.insert(arguments.end(), {"--build", build.path.string()});
    CUPILOT_CHECKED(read_portion(project, portion, arguments, {}));
  }
  project.build = std::move(build);
  return project;
}

Result<Project> read_files(const ProjectRequest &request) {
  Project project;
  Portion portion;
  std::error_code ignored;
  for (const auto &input : request.inputs) {
    if (!fs::exists(input, ignored)) return user_error("'" + input + "' does not exist");
    portion.files.push_back(absolute(input).string());
  }
  portion.records = request.records.empty() ? fs::path(portion.files[0]).parent_path() / "tuned"
                                            : absolute(request.records);
  CUPILOT_CHECKED(read_portion(project, portion, options_of(request), compiler_command(request.compiler)));
  return project;
}

/// The same launch is seen once per translation unit that includes its header.
void merge_launches(spec::KernelSpec &into, const spec::KernelSpec &from) {
  for (const auto &launch : from.launches)
    if (std::ranges::none_of(into.launches, [&](const auto &known) { return known.place == launch.place; }))
      into.launches.push_back(launch);
}

void merge_architectures(spec::KernelSpec &into, const spec::KernelSpec &from) {
  for (const auto &architecture : from.command.architectures)
    if (!text::contains(into.command.architectures, architecture))
      into.command.architectures.push_back(architecture);
}

std::string where(const SourcePlace &place) {
  return place.file + ":" + std::to_string(place.line);
}

}  // namespace

Result<std::filesystem::path> build_folder_of(const std::vector<std::string> &inputs) {
  if (!inputs.empty()) return fs::path(inputs[0]);
  if (const auto here = build_folder_here()) return *here;
  return user_error("name the build folder: there is no CMakeCache.txt in this folder or in 'build'");
}

std::vector<std::string> compiler_command(std::vector<std::string> words) {
  if (words.empty() || words[0].starts_with('-')) words.insert(words.begin(), "nvcc");
  return words;
}

void add_kernel(Project &project, spec::KernelSpec spec, const RecordPlace &place) {
  const auto known = std::ranges::find_if(project.kernels, [&](const auto &kernel) {
    return kernel.records == place.records && kernel.spec.name == spec.name;
  });
  if (known == project.kernels.end()) {
    const auto fingerprint = spec.fingerprint;
    project.kernels.push_back(
        {std::move(spec), place.target, place.records, place.accept_estimates, {fingerprint}});
    return;
  }
  if (known->spec.kernel_id != spec.kernel_id) {
    project.diagnostics.push_back({Severity::error, spec.place,
                                   "two different kernels are called '" + spec.name +
                                       "': the other one is at " + where(known->spec.place),
                                   "", "give one of them another name: #pragma cupilot optimize name(...)"});
    return;
  }
  merge_launches(known->spec, spec);
  merge_architectures(known->spec, spec);
  if (std::ranges::none_of(known->fingerprints,
                           [&](const auto &seen) { return seen.source == spec.fingerprint.source; }))
    known->fingerprints.push_back(spec.fingerprint);
}

Result<Project> read_project(const ProjectRequest &request) {
  if (request.inputs.empty()) return read_build(request);
  std::error_code ignored;
  const fs::path first = request.inputs[0];
  const bool looks_like_file =
      fs::is_regular_file(first, ignored) || (!fs::exists(first, ignored) && first.has_extension());
  if (looks_like_file) return read_files(request);
  if (!request.compiler.empty())
    return user_error("compiler flags after '--' are for single files; a build folder has its own");
  return read_build(request);
}

Result<void> report_diagnostics(const Project &project) {
  for (const auto &diagnostic : project.diagnostics) log::print(render(diagnostic));
  if (!has_errors(project.diagnostics)) return {};
  return fail("the annotations have errors; nothing was done");
}

Result<std::vector<ProjectKernel>> select_kernels(const Project &project,
                                                  const std::vector<std::string> &names) {
  std::vector<std::string> known;
  for (const auto &kernel : project.kernels) known.push_back(kernel.spec.name);
  for (const auto &name : names) {
    if (text::contains(known, name)) continue;
    return user_error("no annotated kernel '" + name + "'; " + text::suggestion(name, known));
  }
  std::vector<ProjectKernel> chosen;
  for (const auto &kernel : project.kernels)
    if (names.empty() || text::contains(names, kernel.spec.name)) chosen.push_back(kernel);
  return chosen;
}

}  // namespace cupilot::cli::project
