// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/identity.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "annotate/support/files.h"
#include "annotate/support/hash.h"
#include "annotate/support/process.h"
#include "annotate/support/text.h"
#include "driver/launcher/cache_file.h"

namespace cupilot::launcher {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kIdentityVersion = "cupilot_identify 1";
constexpr std::chrono::minutes kPatience{2};

bool same_content(const RecordFingerprint::File &recorded, const std::vector<UserFile> &files) {
  const auto known = std::ranges::find(files, recorded.path, &UserFile::path);
  if (known != files.end()) return sha256(known->content) == recorded.sha256;
  const auto content = read_file(recorded.path);
  return content && sha256(*content) == recorded.sha256;
}

/// With other -I folders a header of the same name may now come from elsewhere. Then the recorded file is not
/// among the unit's files, but another one of its name is.
bool replaced_by_namesake(const RecordFingerprint::File &recorded, const std::vector<UserFile> &files) {
  if (std::ranges::find(files, recorded.path, &UserFile::path) != files.end()) return false;
  return std::ranges::any_of(files,
                             [&](const auto &f) { return f.path.filename() == recorded.path.filename(); });
}

fs::path find_annotate(const Settings &settings) {
  std::error_code ignored;
  if (const char *chosen = std::getenv("CUPILOT_ANNOTATE"); chosen && *chosen) return chosen;
  if (!settings.annotate.empty())
    return fs::exists(settings.annotate, ignored) ? settings.annotate : fs::path();
  if (auto beside = own_folder() / "cupilot-annotate"; fs::exists(beside, ignored)) return beside;
  return find_program("cupilot-annotate").value_or(fs::path());
}

}  // namespace

bool fingerprint_matches(const SwapRecord &record, const CompileJob &job,
                         const std::vector<UserFile> &files) {
  return std::ranges::any_of(record.fingerprints, [&](const RecordFingerprint &fingerprint) {
    return fingerprint.source == job.source && fingerprint.macros == job.macros &&
           std::ranges::all_of(fingerprint.files, [&](const auto &file) {
             return same_content(file, files) && !replaced_by_namesake(file, files);
           });
  });
}

Identifier::Answer Identifier::ask(const SwapRecord &record, const fs::path &root, Trouble &trouble) {
  if (!known_) known_ = answer(root);
  if (!*known_) {
    // a unit that the record was not taken from may only include the kernel's header: no reason to warn
    const bool taken_here = std::ranges::any_of(
        record.fingerprints, [&](const auto &taken) { return taken.source == job_.source; });
    if (taken_here)
      trouble.add("'" + record.path.string() + "' was made from a different version of the sources, and " +
                  known_->error().message + ": the original kernel is used");
    return Answer::unknown;
  }
  for (const auto &line : split_lines(**known_))
    if (const auto parts = split(line, '\t');
        parts.size() == 3 && parts[1] == record.instantiation && parts[2] == record.kernel_id)
      return Answer::same;
  return Answer::changed;
}

Result<std::string> Identifier::answer(const fs::path &root) {
  Sha256 key;
  key.field(kIdentityVersion).field(job_.source.string());
  for (const auto &word : job_.command) key.field(word);
  for (const auto &file : files_) key.field(file.path.string()).field(file.content);
  const fs::path file = cache_ / ("identity-" + key.hex().substr(0, 32));
  if (auto kept = read_file(file); kept && kept->starts_with(kIdentityVersion)) return kept;
  auto fresh = run(root);
  if (fresh) (void)write_cache_file(file, *fresh);
  return fresh;
}

Result<std::string> Identifier::run(const fs::path &root) const {
  const auto program = find_annotate(settings_);
  if (program.empty()) return fail("cupilot-annotate, which could compare them, is not installed");
  ProcessRequest request;
  request.argv = {program.string(), "identify", "--root", root.string(), job_.source.string(), "--"};
  request.argv.insert(request.argv.end(), job_.command.begin() + static_cast<std::ptrdiff_t>(job_.nvcc_at),
                      job_.command.end());
  request.time_limit = kPatience;
  auto result = run_process(request);
  if (!result) return fail("cupilot-annotate cannot be started");
  if (!result->ok() || !result->out.starts_with(kIdentityVersion))
    return fail("cupilot-annotate could not compare them (" + result->describe() + ")");
  return std::move(result->out);
}

}  // namespace cupilot::launcher
