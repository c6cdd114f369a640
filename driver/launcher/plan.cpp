// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/plan.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <optional>

#include "annotate/support/files.h"
#include "annotate/support/hash.h"
#include "annotate/support/log.h"
#include "driver/launcher/identity.h"
#include "driver/launcher/limits.h"
#include "driver/launcher/unwrappable.h"
#include "driver/launcher/variant_text.h"

namespace cupilot::launcher {
namespace {

namespace fs = std::filesystem;

bool holds(const std::vector<fs::path> &paths, const fs::path &path) {
  return std::ranges::find(paths, path) != paths.end();
}

bool concerns(const SwapRecord &record, const Unit &unit) {
  return holds(unit.files, record.file) || std::ranges::any_of(record.fingerprints, [&](const auto &taken) {
           return taken.source == unit.source;
         });
}

/// A damaged record does not tell which kernel it is about, but its folder is named after the kernel.
bool may_concern(const fs::path &record, const Unit &unit) {
  std::string name = record.parent_path().parent_path().filename().string();
  if (const auto dot = name.find_last_of(".:"); dot != std::string::npos) name.erase(0, dot + 1);
  return std::ranges::any_of(unit.files, [&](const fs::path &path) {
    const auto content = read_regular_file(path, kMostSourceBytes);
    return content && content->contains(name);
  });
}

using Visit = std::function<void(const fs::path &path, const fs::path &root, const std::string &text,
                                 Result<SwapRecord> record)>;

/// Visits every record that concerns the unit and is of an architecture that the unit is compiled for, and
/// every damaged record that may concern it.
void for_each_relevant(const Unit &unit, const Settings &settings, const Visit &visit) {
  for (const auto &records : settings.records) {
    const fs::path root = records.parent_path();
    for (const auto &path : find_records(records)) {
      const auto arch = path.parent_path().filename().string();
      if (!contains_architecture(unit.architectures, arch)) continue;
      const auto text = read_regular_file(path, kMostRecordBytes);
      auto record = text ? parse_record(*text, path, root) : std::unexpected(text.error());
      if (record && record->arch != arch)
        record = fail("its architecture is '" + record->arch + "', but its folder is '" + arch + "'");
      if (record ? concerns(*record, unit) : may_concern(path, unit))
        visit(path, root, text.value_or(""), std::move(record));
    }
  }
}

/// A variant may appear later than its record, and the build must notice that too. So both files are listed.
void add_record(const fs::path &record, std::vector<fs::path> &files) {
  files.push_back(record);
  std::error_code ignored;
  if (auto variant = record.parent_path() / "variant.cuh"; fs::exists(variant, ignored))
    files.push_back(std::move(variant));
}

/// The variant's text, if it is the text that the record was made for.
Result<std::string> read_variant(const SwapRecord &record) {
  CUPILOT_TRY(text, read_regular_file(record.variant_path, kMostVariantBytes));
  if (sha256(text) != record.variant_sha256)
    return fail("'" + record.variant_path.string() +
                "' is not the variant that was judged (its hash differs)");
  if (const auto problem = variant_problem(text); !problem.empty())
    return fail("'" + record.variant_path.string() + "' " + problem);
  return text;
}

class Planner {
public:
  Planner(const CompileJob &job, const std::vector<UserFile> &files, const Settings &settings,
          const fs::path &cache, Trouble &trouble)
      : job_(job),
        files_(files),
        settings_(settings),
        trouble_(trouble),
        identifier_(job, files, settings, cache) {}

  Plan make() {
    for_each_relevant(unit_of(job_, files_), settings_,
                      [&](const auto &path, const auto &root, const auto &text, auto record) {
                        add_record(path, plan_.relevant);
                        depend(path, text);
                        if (record)
                          consider(std::move(*record), root);
                        else
                          trouble_.add("record '" + path.string() + "' is damaged (" +
                                       record.error().message + "): the original kernel is used");
                      });
    plan_.digest = digest_.hex();
    return std::move(plan_);
  }

private:
  void depend(const fs::path &path, std::string_view content) {
    plan_.dependencies.push_back(path);
    digest_.field(path.string()).field(content);
  }

  void consider(SwapRecord record, const fs::path &root) {
    auto variant = read_variant(record);
    std::error_code ignored;
    if (fs::exists(record.variant_path, ignored)) depend(record.variant_path, variant.value_or("?"));
    const auto skip = [&](const char *why) {
      if (log::debug_on()) log::debug(record.path.string() + ": " + why);
    };
    if (record.estimate && !settings_.accept_estimates)
      return skip("it was made from estimates, which this build does not accept");
    if (!variant) return trouble_.add(variant.error().message + ": the original kernel is used");
    const bool known = std::ranges::any_of(plan_.swaps, [&](const Swap &swap) {
      return swap.record.arch == record.arch && swap.record.namespaces == record.namespaces &&
             swap.record.instantiation == record.instantiation;
    });
    if (known) return skip("another record of this kernel comes first");
    if (!unwrappable_) unwrappable_ = unwrappable(job_, files_);
    if (!unwrappable_->empty()) return skip((*unwrappable_ + ": the original kernel is used").c_str());
    if (!fingerprint_matches(record, job_, files_, hashes_)) {
      const auto answer = identifier_.ask(record, root, trouble_);
      if (answer == Identifier::Answer::unknown) return;
      if (answer == Identifier::Answer::changed)
        return skip("stale: the kernel has changed since the record was made");
    }
    skip("used");
    plan_.swaps.push_back({std::move(record), std::move(*variant)});
  }

  const CompileJob &job_;
  const std::vector<UserFile> &files_;
  const Settings &settings_;
  Trouble &trouble_;
  Identifier identifier_;
  FileHashes hashes_;
  std::optional<std::string> unwrappable_;
  Sha256 digest_;
  Plan plan_;
};

}  // namespace

Unit unit_of(const CompileJob &job, const std::vector<UserFile> &files) {
  Unit unit{.source = job.source, .architectures = job.architectures};
  for (const auto &file : files) unit.files.push_back(file.path);
  return unit;
}

std::vector<fs::path> relevant_records(const Unit &unit, const Settings &settings) {
  std::vector<fs::path> found;
  for_each_relevant(unit, settings, [&](const auto &path, auto &&...) { add_record(path, found); });
  return found;
}

std::string plan_digest(const Unit &unit, const Settings &settings) {
  Sha256 digest;
  for_each_relevant(unit, settings, [&](const auto &path, const auto &, const auto &text, auto record) {
    digest.field(path.string()).field(text);
    std::error_code ignored;
    if (record && fs::exists(record->variant_path, ignored))
      digest.field(record->variant_path.string()).field(read_variant(*record).value_or("?"));
  });
  return digest.hex();
}

Plan make_plan(const CompileJob &job, const std::vector<UserFile> &files, const Settings &settings,
               const fs::path &cache, Trouble &trouble) {
  return Planner(job, files, settings, cache, trouble).make();
}

}  // namespace cupilot::launcher
