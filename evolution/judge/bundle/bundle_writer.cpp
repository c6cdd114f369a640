// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/bundle/bundle_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "annotate/support/compile_options.h"
#include "annotate/support/files.h"
#include "evolution/judge/bundle/entry_source.h"
#include "evolution/judge/bundle/launch_header.h"
#include "evolution/judge/cases/made_cases.h"
#include "evolution/judge/screen/constants.h"
#include "evolution/model/bundle_json.h"

namespace cupilot::judge::bundle {
namespace {

namespace fs = std::filesystem;

/// Whether an id can be used as a folder name.
bool plain_id(const std::string &id) {
  const auto plain = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-' || c == '.'; };
  return !id.empty() && id[0] != '.' && std::ranges::all_of(id, plain);
}

Result<void> check(const BundleContent &content) {
  if (content.spec.slice.empty())
    return fail(
        fmt::format("the kernel '{}' has no slice; scan it again with cupilot-annotate", content.spec.name));
  if (content.cases.empty())
    return fail(fmt::format("the kernel '{}' has no case to judge", content.spec.name));
  std::set<std::string> seen;
  for (const auto &individual : content.individuals) {
    if (!plain_id(individual.id))
      return fail(fmt::format("'{}' cannot be the id of a candidate", individual.id));
    if (!seen.insert(individual.id).second)
      return fail(fmt::format("two candidates have the id '{}'", individual.id));
  }
  return {};
}

/// The numbers of all candidates' texts in turn, each text's most telling first: the next candidate's are not
/// crowded out by many of the first one.
cases::Constants constants_of(const std::vector<model::Individual> &individuals) {
  std::vector<cases::Constants> each;
  std::size_t most = 0;
  for (const model::Individual &individual : individuals) {
    auto &own = each.emplace_back();
    screen::add_constants(individual.variant, own.integers, own.reals);
    most = std::max({most, own.integers.size(), own.reals.size()});
  }
  const auto add = [](auto &all, const auto &own, std::size_t turn) {
    if (turn < own.size() && std::ranges::find(all, own[turn]) == all.end()) all.push_back(own[turn]);
  };
  cases::Constants all;
  for (std::size_t turn = 0; turn < most; ++turn)
    for (const cases::Constants &own : each) {
      add(all.integers, own.integers, turn);
      add(all.reals, own.reals, turn);
    }
  return all;
}

model::Bundle describe(const BundleContent &content) {
  model::Bundle bundle;
  bundle.id = content.id;
  bundle.kernel = content.spec.name;
  bundle.kernel_id = content.spec.kernel_id;
  bundle.architecture = content.architecture;
  bundle.flags = bundle_flags(content.spec.command);
  bundle.parameters = content.spec.parameters;
  bundle.precision = content.spec.precision;
  bundle.deterministic = content.spec.deterministic;
  bundle.waived = content.waived;
  bundle.cases = content.cases;
  bundle.reserve = cases::made_cases(content.spec, content.cases, constants_of(content.individuals));
  bundle.spec = {.name = content.spec.name,
                 .assumptions = content.spec.assumptions,
                 .parameters = content.spec.parameters,
                 .workloads = content.spec.workloads};
  for (const auto &individual : content.individuals) bundle.candidates.push_back({individual.id});
  bundle.request = content.request;
  return bundle;
}

/// A verdict is only valid for the bundle it was made for. If the bundle asks something else, old verdicts
/// are removed before it is written.
void forget(const fs::path &folder) {
  std::error_code ignored;
  fs::remove(folder / "bundle.json", ignored);
  for (const auto &entry : fs::directory_iterator(folder / "candidates", ignored)) {
    fs::remove(entry.path() / "verdict.json", ignored);
    fs::remove(entry.path() / "entry.so", ignored);
  }
  fs::remove(folder / "original" / "entry.so", ignored);
  fs::remove_all(folder / "twin", ignored);
}

bool same_content(const fs::path &path, const std::string &text) {
  const auto there = read_file(path);
  return there && *there == text;
}

/// Everything in the bundle that a verdict depends on besides its candidate. The list of candidates may grow.
bool same_question(const fs::path &folder, const model::Bundle &bundle, const std::string &original) {
  auto old = read_bundle(folder);
  if (!old || !same_content(folder / "original" / "entry.cu", original)) return false;
  old->id = bundle.id;
  old->candidates = bundle.candidates;
  old->reserve = bundle.reserve;  // of the candidates' own constants
  return model::to_json(*old) == model::to_json(bundle);
}

Result<void> write_candidate(const fs::path &folder, const spec::KernelSpec &spec,
                             const model::Individual &individual) {
  const auto place = folder / "candidates" / individual.id;
  const auto entry = candidate_entry(spec, individual);
  if (same_content(place / "entry.cu", entry)) return {};
  std::error_code ignored;
  fs::remove(place / "verdict.json", ignored);
  fs::remove(place / "entry.so", ignored);
  CUPILOT_CHECKED(write_file_atomic(place / "variant.cuh", individual.variant));
  return write_file_atomic(place / "entry.cu", entry);
}

/// The options of nvcc whose value is a path.
std::string_view path_option(OptionRole role) {
  switch (role) {
    case OptionRole::include_folder:
      return "-I";
    case OptionRole::system_folder:
      return "-isystem";
    case OptionRole::quote_folder:
      return "-iquote";
    case OptionRole::pre_include:
      return "-include";
    default:
      return {};
  }
}

std::string absolute(const std::string &path, const fs::path &folder) {
  return path.starts_with('/') || folder.empty() ? path : (folder / path).lexically_normal().string();
}

/// Options that turn warnings into errors are dropped, since the user did not write the entry's code.
bool wanted(const CompileOption &option) {
  const bool about_errors = option.name.find("Werror") != std::string::npos;
  const bool host_about_errors =
      option.role == OptionRole::host_option && option.value.find("-Werror") != std::string::npos;
  return !about_errors && !host_about_errors && option.role != OptionRole::input;
}

}  // namespace

std::vector<std::string> bundle_flags(const spec::CompileCommand &command) {
  const auto line = parse_compile_line(command.flags, command.folder);
  if (!line) return command.flags;
  std::vector<std::string> flags;
  for (std::size_t i = 0; i < line->options.size(); ++i) {
    const auto &option = line->options[i];
    if (!wanted(option)) continue;
    if (const auto name = path_option(option.role); !name.empty()) {
      flags.insert(flags.end(), {std::string(name), absolute(option.value, command.folder)});
      continue;
    }
    // The values of the user's option, up to the next option.
    const auto begin = static_cast<std::size_t>(std::max(0, option.position));
    const auto next = i + 1 < line->options.size() ? line->options[i + 1].position : -1;
    const auto end = next < 0 ? command.flags.size() : static_cast<std::size_t>(next);
    for (auto word = begin; word < end; ++word) flags.push_back(command.flags[word]);
  }
  return flags;
}

fs::path verdict_path(const fs::path &bundle, const std::string &candidate) {
  return bundle / "candidates" / candidate / "verdict.json";
}

Result<model::Bundle> read_bundle(const fs::path &folder) {
  auto text = read_file(folder / "bundle.json");
  if (!text) return within(fmt::format("'{}' is not a bundle", folder.string()), text.error());
  auto bundle = model::bundle_from_json(*text);
  if (!bundle) return within(fmt::format("reading '{}'", (folder / "bundle.json").string()), bundle.error());
  return bundle;
}

Result<model::Bundle> write_bundle(const fs::path &folder, const BundleContent &content) {
  CUPILOT_CHECKED(check(content));
  auto bundle = describe(content);
  const auto original = original_entry(content.spec);
  bundle.twin_missing = twin_missing(content.spec);
  if (!same_question(folder, bundle, original)) forget(folder);
  CUPILOT_CHECKED(write_file_atomic(folder / "include" / "cupilot" / "launch.cuh", launch_header()));
  CUPILOT_CHECKED(write_file_atomic(folder / "original" / "entry.cu", original));
  if (bundle.twin_missing.empty())
    CUPILOT_CHECKED(write_file_atomic(folder / "twin" / "entry.cu", twin_entry(content.spec)));
  for (const auto &individual : content.individuals)
    CUPILOT_CHECKED(write_candidate(folder, content.spec, individual));
  CUPILOT_CHECKED(write_file_atomic(folder / "bundle.json", model::to_json(bundle)));
  return bundle;
}

}  // namespace cupilot::judge::bundle
