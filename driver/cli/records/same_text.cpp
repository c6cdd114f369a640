// SPDX-License-Identifier: Apache-2.0
//
// The code is compared without optimisation, because then a function's code depends on nothing around it. The
// passes, tokens included, are those of the user's own flags.
#include "driver/cli/records/same_text.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "annotate/support/files.h"
#include "annotate/support/process.h"
#include "annotate/support/text.h"
#include "driver/cli/records/assembly_units.h"
#include "driver/cli/records/unit_match.h"
#include "driver/cli/records/variant_tokens.h"
#include "evolution/judge/bundle/bundle_writer.h"
#include "evolution/judge/bundle/entry_source.h"
#include "evolution/judge/bundle/launch_header.h"

namespace cupilot::cli::records {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes kEachCompileLimit{5};
constexpr std::size_t kMostLogBytes = 400;
/// The names of the variant's namespaces in entry_source.cpp and in the launcher's wrapper.cpp.
constexpr std::string_view kJudgedSpace = "cupilot_variant::",
                           kBuiltSpace = "cupilot_variant_0::(anonymous namespace)::";
/// Suffixes of nvcc's intermediate files.
constexpr std::string_view kDevicePass = ".cpp1.ii", kHostPass = ".cpp4.ii", kDeviceCode = ".ptx",
                           kHostCode = ".s";

constexpr const char *kMacroHint =
    "a macro there has the name of something in the variant; give what is the variant's another name";
constexpr const char *kNameHint =
    "a name in the variant finds another declaration there (an overload, a specialization, a function found "
    "by "
    "the types of its arguments); give what is the variant's own names, and write the namespace of what is "
    "not";

/// The only file in the folder whose name ends so.
Result<std::string> kept_file(const fs::path &folder, std::string_view suffix) {
  std::error_code ignored;
  for (const auto &entry : fs::directory_iterator(folder, ignored))
    if (entry.path().filename().string().ends_with(suffix)) return read_file(entry.path());
  return fail("the compiler keeps no file *" + std::string(suffix));
}

/// relabel.cuh gives the runtime's launch functions these labels.
bool relabelled(std::string_view judged, std::string_view built) {
  static constexpr std::pair<std::string_view, std::string_view> kLabels[] = {
      {"cudaLaunchKernel", "cupilot_launch_function"},
      {"cudaLaunchKernelExC", "cupilot_launch_extended"},
      {"__cudaGetKernel", "cupilot_get_kernel"},
      {"__cudaLaunchKernel", "cupilot_launch_kernel"}};
  if (judged.ends_with("_ptsz")) judged.remove_suffix(5);
  return std::ranges::any_of(
      kLabels, [&](const auto &label) { return judged == label.first && built == label.second; });
}

bool is_kernel(const AssemblyUnit &unit) {
  return !unit.tokens.empty() && unit.tokens.front() == ".entry";
}

std::string pass_name(std::string_view suffix) {
  return suffix == kDevicePass ? "device" : "host";
}

class TextComparison {
public:
  TextComparison(const BuiltVariant &built, fs::path scratch)
      : built_(built),
        scratch_(std::move(scratch)),
        entry_(scratch_ / "candidates" / "judged" / "entry.cu"),
        file_(fs::path(built.spec.command.source).filename().string()) {}

  Result<SameText> run() {
    model::Individual individual;
    individual.variant = built_.text;
    CUPILOT_CHECKED(write_file_atomic(entry_, judge::bundle::candidate_entry(built_.spec, individual)));
    CUPILOT_CHECKED(write_file_atomic(scratch_ / "include" / "cupilot" / "launch.cuh",
                                      std::string(judge::bundle::launch_header())));
    const auto judged = compile(entry_, "judged", {"-Xcompiler", "-fPIC,-fno-gnu-unique"});
    if (!judged) return SameText{{}, judged.error().message};
    for (const auto suffix : {kDevicePass, kHostPass}) {
      CUPILOT_TRY(told, tokens_differ(*judged, suffix));
      if (!told.difference.empty() || !told.missing.empty()) return told;
    }
    return code_differs();
  }

private:
  /// Returns the folder of the intermediate files.
  Result<fs::path> compile(const fs::path &source, const std::string &name,
                           const std::vector<std::string> &options) {
    const auto kept = scratch_ / name;
    std::error_code problem;
    if (fs::create_directories(kept, problem); problem) return fail("cannot make " + kept.string());
    ProcessRequest request;
    // PTX is enough: no time for machine code, and none of its limits
    const auto virtual_one = replace_all(built_.architecture, "sm_", "compute_");
    request.argv = {built_.spec.command.compiler, "-arch=" + virtual_one, "-code=" + virtual_one};
    const auto flags = judge::bundle::bundle_flags(built_.spec.command);
    request.argv.insert(request.argv.end(), flags.begin(), flags.end());
    request.argv.insert(request.argv.end(), options.begin(), options.end());
    request.argv.insert(request.argv.end(), {"--keep", "--keep-dir", kept.string(), "-c", source.string(),
                                             "-o", (kept / "unit.o").string()});
    request.folder = built_.spec.command.folder;
    request.time_limit = kEachCompileLimit;
    CUPILOT_TRY(result, run_process(request));
    if (!result.ok())
      return fail("'" + name + "' does not compile for the comparison (" + result.describe() +
                  "): " + std::string(trim(result.err)).substr(0, kMostLogBytes));
    return kept;
  }

  Result<SameText> tokens_differ(const fs::path &judged, std::string_view suffix) {
    const auto mine = kept_file(judged, suffix), its = kept_file(built_.kept, suffix);
    if (!mine) return SameText{{}, mine.error().message};
    if (!its) return SameText{{}, its.error().message};
    const auto first = tokens_of_file(*mine, "variant.cuh"),
               second = tokens_of_file(*its, built_.path.string());
    if (first.empty() || second.empty()) return SameText{{}, "the preprocessed text has no line markers"};
    const auto difference = first_difference(first, second);
    if (!difference) return SameText{};
    return SameText{"line " + std::to_string(difference->line) + " of the variant is '" + difference->first +
                        "' for the judge and '" + difference->second + "' in " + file_ + ", in the " +
                        pass_name(suffix) + " compilation: " + kMacroHint,
                    {}};
  }

  Result<SameText> code_differs() {
    std::vector<std::string> plain = {"-O0", "-Xcompiler", "-O0,-fno-pic,-fno-pie,-save-temps=obj"};
    const auto &flags = built_.spec.command.flags;
    const auto debugs = [](const std::string &flag) { return flag == "-G" || flag == "--device-debug"; };
    if (std::ranges::none_of(flags, debugs)) plain.insert(plain.end(), {"-Xcicc", "-O0"});  // -G implies it
    const auto judged = compile(entry_, "judged_plain", plain);
    if (!judged) return SameText{{}, judged.error().message};
    const auto built = compile(built_.wrapper, "built_plain", plain);
    if (!built) return SameText{{}, built.error().message};
    for (const auto suffix : {kDeviceCode, kHostCode}) {
      const auto mine = kept_file(*judged, suffix), its = kept_file(*built, suffix);
      if (suffix == kDeviceCode && !mine && !its) continue;  // -dlto: there is no PTX before the link
      if (!mine) return SameText{{}, mine.error().message};
      if (!its) return SameText{{}, its.error().message};
      if (auto told = units_differ(*mine, *its, suffix == kDeviceCode); !told.empty())
        return SameText{told + ": " + kNameHint, {}};
    }
    return SameText{};
  }

  /// The kernels of a variant, or its launch(): plain name -> symbol.
  static std::map<std::string, std::string_view> roots(const AssemblyUnits &units, bool device,
                                                       std::string_view space) {
    std::map<std::string, std::string_view> found;
    for (const auto &[symbol, unit] : units) {
      if (device && !is_kernel(unit)) continue;
      const auto name = replace_all(plain_name(symbol), std::string(space), std::string(kJudgedSpace));
      const auto at = name.find(kJudgedSpace);
      if (at == std::string::npos || symbol.find("cupilot_variant") == symbol.npos) continue;
      if (device || name.substr(at + kJudgedSpace.size()).starts_with("launch(")) found[name] = symbol;
    }
    return found;
  }

  std::string units_differ(const std::string &judged, const std::string &built, bool device) const {
    const auto first = device ? units_of_ptx(judged) : units_of_host_assembly(judged);
    const auto second = device ? units_of_ptx(built) : units_of_host_assembly(built);
    const auto mine = roots(first, device, kJudgedSpace), its = roots(second, device, kBuiltSpace);
    for (const auto &[name, symbol] : its)
      if (!mine.contains(name)) return "'" + name + "' is in " + file_ + " only, the judge had none";
    UnitMatch match(first, second, relabelled);
    for (const auto &[name, symbol] : mine) {
      const auto other = its.find(name);
      if (other == its.end()) return "'" + name + "' is not in " + file_;
      if (const auto difference = match.compare(symbol, other->second))
        return "the variant becomes other code in " + file_ + " than for the judge: in '" +
               difference->function + "' it was '" + difference->first + "' and is '" + difference->second +
               "'";
    }
    return {};
  }

  const BuiltVariant &built_;
  const fs::path scratch_, entry_;
  const std::string file_;
};

}  // namespace

Result<SameText> compare_texts(const BuiltVariant &built, const fs::path &scratch) {
  return TextComparison(built, scratch).run();
}

}  // namespace cupilot::cli::records
