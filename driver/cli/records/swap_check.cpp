// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/records/swap_check.h"

#include <algorithm>

#include "annotate/support/files.h"
#include "annotate/support/process.h"
#include "annotate/support/text.h"
#include "driver/cli/project/programs.h"
#include "driver/cli/records/same_text.h"

namespace cupilot::cli::records {
namespace {

namespace fs = std::filesystem;
using Outcome = model::FinalistCheck::Outcome;

constexpr std::chrono::minutes kCompileLimit{5};
constexpr std::size_t kMostToldBytes = 600;
/// A symbol in every object that launches through the dispatcher
/// (driver/launcher/include/cupilot/relabel.cuh).
constexpr const char *kLabel = "cupilot_launch_";

/// The record for another folder: paths of the files it was taken from still lead to the same files.
record::RecordFiles moved_away(record::RecordFiles files, const fs::path &root) {
  const auto absolute = [&](std::string &path) { path = (root / path).lexically_normal().string(); };
  for (spec::Fingerprint &fingerprint : files.record.fingerprints) {
    absolute(fingerprint.source);
    for (spec::Fingerprint::File &file : fingerprint.files) absolute(file.path);
  }
  return files;
}

std::vector<std::string> compile_words(const spec::CompileCommand &command, const std::string &architecture,
                                       const fs::path &object, const fs::path &kept) {
  std::vector<std::string> words{command.compiler, "--keep", "--keep-dir", kept.string(),
                                 "-arch=" + architecture};
  words.insert(words.end(), command.flags.begin(), command.flags.end());
  words.insert(words.end(), {"-c", command.source, "-o", object.string()});
  return words;
}

/// The messages of the launcher and the compiler, without the launcher's own explanations.
std::string complaints(const std::string &text) {
  std::string told;
  for (const auto &line : split_lines(text)) {
    if (trim(line).empty() || line.find(": debug: ") != std::string::npos) continue;
    told += (told.empty() ? "" : "; ") + std::string(trim(line));
    if (told.size() > kMostToldBytes) return told.substr(0, kMostToldBytes) + "...";
  }
  return told;
}

class SwapCheck {
public:
  SwapCheck(const project::ProjectKernel &kernel, const record::RecordFiles &files)
      : kernel_(kernel), files_(files) {
    const auto &source = kernel.spec.command.source;
    check_.name =
        "swap into " + fs::path(source.empty() ? kernel.spec.place.file : source).filename().string();
  }

  model::FinalistCheck run() {
    if (const std::string why = missing(); !why.empty()) return answer(Outcome::not_run, why);
    auto scratch = TemporaryFolder::create("cupilot-swap");
    if (!scratch) return answer(Outcome::not_run, scratch.error().message);
    const auto records = scratch->path() / "tuned";
    const auto written = record::publish(moved_away(files_, kernel_.records.parent_path()), records);
    if (!written) return answer(Outcome::not_run, written.error().message);
    const auto object = scratch->path() / "unit.o";
    const auto compiled = compile(records, object, scratch->path());
    if (!compiled) return answer(Outcome::not_run, compiled.error().message);
    check_.seconds = std::chrono::duration<double>(compiled->wall).count();
    auto judged = judge(*compiled, object, records);
    const bool with_slice = !kernel_.spec.slice.empty();  // what has none was not judged
    return with_slice && judged.outcome == Outcome::passed ? compare(scratch->path()) : judged;
  }

private:
  model::FinalistCheck answer(Outcome outcome, const std::string &detail) {
    check_.outcome = outcome;
    check_.detail = detail;
    return check_;
  }

  std::string missing() const {
    const spec::CompileCommand &command = kernel_.spec.command;
    if (command.source.empty() || command.compiler.empty()) return "there is no compile command";
    if (fs::path(command.compiler).filename().string().find("nvcc") == std::string::npos)
      return "builds swap only where nvcc compiles, and this project uses " + command.compiler;
    if (!find_program(command.compiler)) return "cannot find the compiler '" + command.compiler + "'";
    const auto launcher = project::find_launcher();
    return launcher ? "" : launcher.error().message;
  }

  Result<ProcessResult> compile(const fs::path &records, const fs::path &object, const fs::path &scratch) {
    CUPILOT_TRY(launcher, project::find_launcher());
    const auto cache = scratch / "cache", kept = scratch / "kept";
    std::error_code problem;
    if (fs::create_directories(kept, problem); problem) return fail("cannot make " + kept.string());
    ProcessRequest request;
    request.argv = {launcher.string(),    "--records", records.string(), "--cache", cache.string(),
                    "--accept-estimates", "--"};
    const auto words = compile_words(kernel_.spec.command, files_.record.arch, object, kept);
    request.argv.insert(request.argv.end(), words.begin(), words.end());
    request.folder = kernel_.spec.command.folder;
    request.time_limit = kCompileLimit;
    request.environment = {{"CUPILOT_EXPLAIN", "1"}, {"CUPILOT_DISABLE", "0"}};
    return run_process(request);
  }

  model::FinalistCheck judge(const ProcessResult &compiled, const fs::path &object, const fs::path &records) {
    if (!compiled.ok())
      return answer(Outcome::not_run, "the file does not compile as it is (" + compiled.describe() +
                                          "): " + complaints(compiled.err + compiled.out));
    const auto made = read_file(object);
    if (!made) return answer(Outcome::not_run, "its compile command produces no object");
    if (made->find(kLabel) != std::string::npos)
      return answer(Outcome::passed, "compiled with the user's flags, launches go through the dispatcher");
    std::string said =
        complaints(compiled.err) + decisions(compiled.err, records) + variant_messages(records);
    return answer(Outcome::failed, said.empty() ? "the launcher gave no reason" : said);
  }

  /// Whether what went into the object is what was judged.
  model::FinalistCheck compare(const fs::path &scratch) {
    const auto name = fs::path(kernel_.spec.command.source).filename();
    const BuiltVariant built{
        .spec = kernel_.spec,
        .architecture = files_.record.arch,
        .text = files_.variant,
        .path =
            record::record_folder(scratch / "tuned", kernel_.spec.name, files_.record.arch) / "variant.cuh",
        .wrapper = wrapper_in(scratch / "cache", name),
        .kept = scratch / "kept"};
    const auto same = compare_texts(built, scratch / "compared");
    const std::string missing = !same ? same.error().message : same->missing;
    if (!missing.empty())
      return answer(Outcome::failed, "what was judged cannot be compared with what is built: " + missing);
    if (!same->difference.empty()) return answer(Outcome::failed, same->difference);
    return answer(Outcome::passed,
                  "compiled with the user's flags, launches go through the dispatcher; text and code of the "
                  "variant are those that were judged");
  }

  static fs::path wrapper_in(const fs::path &cache, const fs::path &name) {
    std::error_code ignored;
    for (const auto &entry : fs::recursive_directory_iterator(cache, ignored))
      if (entry.path().filename() == name) return entry.path();
    return {};
  }

  /// The launcher's line about the record: "stale: the kernel has changed since the record was made".
  static std::string decisions(const std::string &text, const fs::path &records) {
    std::string told;
    for (const auto &line : split_lines(text)) {
      const auto at = line.find(records.string());
      if (line.find(": debug: ") == std::string::npos || at == std::string::npos) continue;
      if (const auto why = line.find(": ", at); why != std::string::npos && !line.ends_with(": used"))
        told += (told.empty() ? "" : "; ") + std::string(line.substr(why + 2));
    }
    return told;
  }

  /// nvcc's messages about the variant, which the launcher stores beside its wrapper.
  static std::string variant_messages(const fs::path &records) {
    std::error_code ignored;
    for (const auto &entry : fs::recursive_directory_iterator(records.parent_path() / "cache", ignored))
      if (entry.path().filename() == "messages.txt")
        if (const auto text = read_file(entry.path())) return ": " + complaints(*text);
    return "";
  }

  const project::ProjectKernel &kernel_;
  const record::RecordFiles &files_;
  model::FinalistCheck check_;
};

}  // namespace

model::FinalistCheck check_swap(const project::ProjectKernel &kernel, const record::RecordFiles &files) {
  return SwapCheck(kernel, files).run();
}

}  // namespace cupilot::cli::records
