// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/records/publish.h"

#include <algorithm>
#include <cmath>

#include "annotate/support/compile_options.h"
#include "annotate/support/text.h"
#include "driver/cli/records/swap_check.h"
#include "driver/cli/text/figures.h"

namespace cupilot::cli::records {
namespace {

bool same_fingerprints(const model::Record &a, const model::Record &b) {
  const auto file = [](const spec::Fingerprint::File &x, const spec::Fingerprint::File &y) {
    return x.path == y.path && x.sha256 == y.sha256;
  };
  return std::ranges::equal(
      a.fingerprints, b.fingerprints, [&](const spec::Fingerprint &x, const spec::Fingerprint &y) {
        return x.source == y.source && x.macros == y.macros && std::ranges::equal(x.files, y.files, file);
      });
}

bool says_the_same(const model::Record &a, const model::Record &b) {
  return a.kernel_id == b.kernel_id && a.workload_id == b.workload_id &&
         a.variant_sha256 == b.variant_sha256 && a.device.name == b.device.name && a.estimate == b.estimate &&
         same_fingerprints(a, b);
}

/// Geometric mean over the workloads of one bound of the speed-up.
double mean(const model::Record &record, double model::RecordMeasurement::*bound) {
  double sum = 0;
  for (const auto &m : record.measurements) sum += std::log(std::max(m.*bound, 1e-9));
  return record.measurements.empty() ? 0 : std::exp(sum / static_cast<double>(record.measurements.size()));
}

/// True when the lower bound of the old record's speed-up is above the upper bound of the new one's, for the
/// same kernel, workloads and device.
bool clearly_better(const model::Record &old, const model::Record &fresh) {
  return old.device.name == fresh.device.name && !old.estimate &&
         mean(old, &model::RecordMeasurement::speedup_low) >
             mean(fresh, &model::RecordMeasurement::speedup_high);
}

/// True for options with paths of the compiler and its headers, which depend on the machine and do not affect
/// the measurement.
bool is_about_the_machine(const CompileOption &option) {
  switch (option.role) {
    case OptionRole::compiler_bindir:
    case OptionRole::include_folder:
    case OptionRole::system_folder:
    case OptionRole::quote_folder:
      return option.value.starts_with('/');
    default:
      return false;
  }
}

std::vector<std::string> portable_flags(std::vector<std::string> flags, const std::string &root) {
  for (auto &flag : flags) flag = replace_all(flag, root, "");
  const auto line = parse_compile_line(flags, {});
  if (!line) return flags;
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < line->options.size(); ++i) {
    if (is_about_the_machine(line->options[i])) continue;
    const auto begin = std::max(0, line->options[i].position);
    const auto end =
        i + 1 < line->options.size() ? line->options[i + 1].position : static_cast<int>(flags.size());
    kept.insert(kept.end(), flags.begin() + begin, flags.begin() + std::max(begin, end));
  }
  return kept;
}

/// A record is committed, so it must not name a folder of the machine it was made on.
void make_portable(model::Record &record, const project::ProjectKernel &kernel) {
  record.kernel.place.file = path_from_root(kernel, record.kernel.place.file);
  record.flags = portable_flags(std::move(record.flags), kernel.records.parent_path().string() + "/");
}

}  // namespace

std::string path_from_root(const project::ProjectKernel &kernel, const std::filesystem::path &path) {
  if (path.is_relative()) return path.string();
  return path.lexically_normal().lexically_proximate(kernel.records.parent_path()).string();
}

Result<Publication> publish_winner(const project::ProjectKernel &kernel, const Winner &winner,
                                   const record::Provenance &provenance) {
  CUPILOT_TRY(files,
              record::make_record(kernel.spec, winner.cases, winner.individual, winner.verdict, provenance));
  files.record.fingerprints = kernel.fingerprints;
  make_portable(files.record, kernel);
  Publication publication;
  publication.folder = record::record_folder(kernel.records, kernel.spec.name, provenance.architecture);
  const auto status = record::status_of(kernel.records, kernel.spec, provenance.architecture);
  const bool holds =
      status.state == record::RecordState::fits || status.state == record::RecordState::other_toolchain;
  const auto old = record::load_record(publication.folder);
  if (old && !old->record.estimate && files.record.estimate) {
    publication.kind = Publication::Kind::kept_measured;
    return publication;
  }
  if (old && holds) {
    publication.kind = Publication::Kind::unchanged;
    if (says_the_same(old->record, files.record)) return publication;
    publication.kind = Publication::Kind::kept_better;
    publication.kept_speedup = mean(old->record, &model::RecordMeasurement::speedup);
    if (clearly_better(old->record, files.record)) return publication;
  }
  model::FinalistCheck swap = check_swap(kernel, files);
  if (swap.outcome == model::FinalistCheck::Outcome::failed)
    return fail("not published: " + swap.name + " fails: " + swap.detail);
  publication.swap = swap;
  // A record must not contain data that depends on the machine or differs from run to run.
  swap.seconds = 0;
  if (swap.outcome == model::FinalistCheck::Outcome::not_run) swap.detail = "not where the record was made";
  files.record.finalist.push_back(std::move(swap));
  publication.kind = Publication::Kind::published;
  publication.estimate = files.record.estimate;
  CUPILOT_CHECKED(record::publish(files, kernel.records));
  return publication;
}

const char *to_string(Publication::Kind kind) {
  switch (kind) {
    case Publication::Kind::published:
      return "published";
    case Publication::Kind::unchanged:
      return "unchanged";
    case Publication::Kind::kept_better:
      return "kept_better";
    case Publication::Kind::kept_measured:
      return "kept_measured";
  }
  return "published";
}

std::string describe(const Publication &publication) {
  const auto folder = publication.folder.string();
  switch (publication.kind) {
    case Publication::Kind::published:
      if (publication.estimate)
        return "published " + folder +
               " (an estimate: builds use it with cupilot_tune(target ACCEPT_ESTIMATES) only)";
      return "published " + folder;
    case Publication::Kind::unchanged:
      return "already published in " + folder;
    case Publication::Kind::kept_better:
      return "kept the better record in " + folder + " (" + text::speedup_text(publication.kept_speedup) +
             "); delete it to replace it";
    case Publication::Kind::kept_measured:
      return "refused: the record in " + folder +
             " was measured, and an estimate never replaces a measurement; tune on a GPU, or publish "
             "estimates "
             "into another folder with --records";
  }
  return folder;
}

}  // namespace cupilot::cli::records
