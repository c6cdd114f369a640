// SPDX-License-Identifier: Apache-2.0

#include "annotate/scan.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <set>
#include <thread>

#include "annotate/extract/compile_database.h"
#include "annotate/extract/extract.h"
#include "annotate/spec/kernel_spec_json.h"
#include "annotate/support/log.h"
#ifdef CUPILOT_HAS_REWRITE
#include "annotate/lift/lift.h"
#include "annotate/rewrite/twin.h"
#endif

namespace cupilot::annotate {
namespace {

namespace fs = std::filesystem;
using Entries = std::vector<extract::CompileEntry>;

void print(const std::string &line) {
  std::puts(line.c_str());
}

Result<Entries> from_command(const CommandLine &arguments) {
  Entries entries;
  std::error_code ignored;
  const std::string folder = fs::current_path(ignored).string();
  for (const std::string &file : arguments.files) {
    CUPILOT_TRY(entry, extract::read_compile_command(arguments.command, folder, file));
    entries.push_back(std::move(entry));
  }
  return entries;
}

/// The compile commands of the build folder. If files are named, only theirs, and each must be there.
Result<Entries> from_build(const CommandLine &arguments) {
  CUPILOT_TRY(all, extract::read_compile_database(arguments.build));
  if (arguments.files.empty()) return all;
  Entries entries;
  for (const std::string &file : arguments.files) {
    const auto before = entries.size();
    for (const extract::CompileEntry &entry : all)
      if (entry.command.source == file) entries.push_back(entry);
    if (entries.size() == before)
      return user_error("no CUDA compile command for " + file + " in " + arguments.build +
                        "/compile_commands.json");
  }
  return entries;
}

using Extractions = std::vector<Result<extract::Extraction>>;

/// Calls `work(i)` for each i below `count`, in parallel.
template <class Work>
void for_each_in_parallel(std::size_t count, unsigned jobs, const Work &work) {
  std::atomic<std::size_t> next{0};
  const auto take_turns = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  const unsigned wanted = jobs ? jobs : std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::jthread> threads;
  for (unsigned i = 1; i < wanted && i < count; ++i) threads.emplace_back(take_turns);
  take_turns();
}

Result<extract::Extraction> examine(const extract::CompileEntry &entry, const CommandLine &arguments) {
  const auto purpose = arguments.every ? extract::Purpose::every_kernel : extract::Purpose::everything;
  CUPILOT_TRY(worth_it, extract::may_have_directives(entry, purpose));
  if (!worth_it) return extract::Extraction{};
  return extract::extract(entry, arguments.root, purpose, arguments.records);
}

/// Each twin and each lifted form parses the kernel's slice once more.
void analyse([[maybe_unused]] Extractions &extractions, [[maybe_unused]] const CommandLine &arguments) {
#ifdef CUPILOT_HAS_REWRITE
  std::vector<spec::KernelSpec *> specs;
  for (auto &extraction : extractions)
    if (extraction)
      for (spec::KernelSpec &spec : extraction->specs)
        if (arguments.kernels.empty() ||
            std::ranges::find(arguments.kernels, spec.name) != arguments.kernels.end())
          specs.push_back(&spec);
  for_each_in_parallel(specs.size(), arguments.jobs, [&](std::size_t i) {
    specs[i]->twin = rewrite::make_twin(*specs[i]);
    specs[i]->lifted = lift::lift(*specs[i]);
  });
#endif
}

/// The results are in the order of the entries.
Extractions examine_all(const Entries &entries, const CommandLine &arguments) {
  Extractions results(entries.size());
  for_each_in_parallel(entries.size(), arguments.jobs,
                       [&](std::size_t i) { results[i] = examine(entries[i], arguments); });
  if (arguments.analyse) analyse(results, arguments);
  return results;
}

}  // namespace

Result<int> scan(const CommandLine &arguments) {
  CUPILOT_TRY(entries, arguments.build.empty() ? from_command(arguments) : from_build(arguments));
  print(R"({"cupilot_annotate":1,"verb":"scan"})");
  std::set<std::string> said;  // a mistake in a header is found in every file that includes it
  std::size_t kernels = 0;
  bool wrong = false;
  for (Result<extract::Extraction> &result : examine_all(entries, arguments)) {
    if (!result) {
      log::error(result.error().message);
      wrong = true;
      continue;
    }
    wrong = wrong || has_errors(result->diagnostics);
    for (const Diagnostic &diagnostic : result->diagnostics)
      if (said.insert(spec::to_json(diagnostic)).second)
        print("{\"diagnostic\":" + spec::to_json(diagnostic) + "}");
    for (const spec::Definition &definition : result->definitions)
      print("{\"definition\":" + spec::to_json(definition) + "}");
    for (const spec::KernelSpec &spec : result->specs) print("{\"spec\":" + spec::to_json(spec) + "}");
    kernels += result->specs.size();
  }
  print("{\"done\":{\"files\":" + std::to_string(entries.size()) + ",\"kernels\":" + std::to_string(kernels) +
        "}}");
  return wrong ? 1 : 0;
}

Result<int> identify(const CommandLine &arguments) {
  if (arguments.files.size() != 1 || arguments.command.empty())
    return user_error("identify needs one source file and '-- COMPILER ARGS...'");
  CUPILOT_TRY(entries, from_command(arguments));
  CUPILOT_TRY(extraction, extract::extract(entries[0], arguments.root, extract::Purpose::identity));
  print("cupilot_identify 1");
  for (const spec::KernelSpec &spec : extraction.specs)
    print(spec.name + "\t" + spec.instantiation + "\t" + spec.kernel_id);
  return 0;
}

}  // namespace cupilot::annotate
