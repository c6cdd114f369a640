// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/identity.h"

#include <signal.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>

#include "annotate/support/files.h"
#include "annotate/support/hash.h"
#include "annotate/support/process.h"
#include "annotate/support/text.h"
#include "driver/launcher/cache_file.h"
#include "driver/launcher/last_resort.h"
#include "driver/launcher/limits.h"

namespace cupilot::launcher {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kIdentityVersion = "cupilot_identify 1";
/// CUPILOT_ANNOTATE_SECONDS, where it is a whole number from 1 to 3600.
int patience_seconds() {
  const char *text = std::getenv("CUPILOT_ANNOTATE_SECONDS");
  int seconds = 0;
  if (!text) return kAnnotateSeconds;
  const char *const end = text + std::string_view(text).size();
  const auto [read, wrong] = std::from_chars(text, end, seconds);
  return wrong == std::errc() && read == end && seconds >= 1 && seconds <= 3600 ? seconds : kAnnotateSeconds;
}

/// What is kept of an answer ends with its hash, so that a damaged file is no answer.
std::string sealed(const std::string &answer) {
  return answer + "sha256 " + sha256(answer) + "\n";
}
std::optional<std::string> unsealed(const std::string &kept) {
  const auto end = kept.rfind("sha256 ");
  if (!kept.starts_with(kIdentityVersion) || end == std::string::npos) return {};
  auto answer = kept.substr(0, end);
  return sealed(answer) == kept ? std::optional(std::move(answer)) : std::nullopt;
}

/// run_process() ignores SIGPIPE from then on, and the compiler would inherit that.
class KeepSigpipe {
public:
  KeepSigpipe() { ::sigaction(SIGPIPE, nullptr, &before_); }
  ~KeepSigpipe() { ::sigaction(SIGPIPE, &before_, nullptr); }
  KeepSigpipe(const KeepSigpipe &) = delete;
  KeepSigpipe &operator=(const KeepSigpipe &) = delete;

private:
  struct sigaction before_{};
};

bool same_content(const RecordFingerprint::File &recorded, const std::vector<UserFile> &files,
                  FileHashes &hashes) {
  const auto known = std::ranges::find(files, recorded.path, &UserFile::path);
  if (known != files.end()) return sha256(known->content) == recorded.sha256;
  const auto &hash = hashes.of(recorded.path);
  return !hash.empty() && hash == recorded.sha256;
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

const std::string &FileHashes::of(const fs::path &path) {
  const auto [at, added] = known_.try_emplace(path);
  if (!added) return at->second;
  const auto left = kMostFingerprintBytes - bytes_;
  if (const auto content = read_regular_file(path, std::min(kMostSourceBytes, left))) {
    bytes_ += content->size();
    at->second = sha256(*content);
  }
  return at->second;
}

bool fingerprint_matches(const SwapRecord &record, const CompileJob &job, const std::vector<UserFile> &files,
                         FileHashes &hashes) {
  return std::ranges::any_of(record.fingerprints, [&](const RecordFingerprint &fingerprint) {
    return fingerprint.source == job.source && fingerprint.macros == job.macros &&
           std::ranges::all_of(fingerprint.files, [&](const auto &file) {
             return same_content(file, files, hashes) && !replaced_by_namesake(file, files);
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
  if (const auto kept = read_regular_file(file, kMostCacheBytes))
    if (auto answer = unsealed(*kept)) return std::move(*answer);
  auto fresh = run(root);
  if (fresh) (void)write_cache_file(file, sealed(*fresh));
  return fresh;
}

Result<std::string> Identifier::run(const fs::path &root) const {
  const auto program = find_annotate(settings_);
  if (program.empty()) return fail("cupilot-annotate, which could compare them, is not installed");
  ProcessRequest request;
  request.argv = {program.string(), "identify", "--root", root.string(), job_.source.string(), "--"};
  request.argv.insert(request.argv.end(), job_.command.begin() + static_cast<std::ptrdiff_t>(job_.nvcc_at),
                      job_.command.end());
  const int patience = patience_seconds();
  request.time_limit = std::chrono::seconds(patience);
  request.output_cap = kMostCacheBytes / 2;
  const KeepSigpipe kept;
  limit_work(patience + kMostOwnSeconds);
  auto result = run_process(request);
  limit_work(kMostOwnSeconds);
  if (!result) return fail("cupilot-annotate cannot be started");
  if (result->timed_out)
    return fail("cupilot-annotate did not compare them within " + std::to_string(patience) +
                " s (CUPILOT_ANNOTATE_SECONDS allows more)");
  if (!result->ok() || !result->out.starts_with(kIdentityVersion))
    return fail("cupilot-annotate could not compare them (" + result->describe() + ")");
  return std::move(result->out);
}

}  // namespace cupilot::launcher
