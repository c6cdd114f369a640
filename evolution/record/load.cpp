// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>

#include "annotate/support/files.h"
#include "annotate/support/hash.h"
#include "evolution/model/record_json.h"
#include "evolution/record/record.h"

namespace cupilot::record {
namespace {

namespace fs = std::filesystem;

/// Folders in `parent` whose names do not begin with a dot, sorted.
std::vector<fs::path> folders(const fs::path &parent) {
  std::vector<fs::path> all;
  std::error_code failed;
  for (const auto &entry : fs::directory_iterator(parent, failed))
    if (entry.is_directory(failed) && !entry.path().filename().string().starts_with('.'))
      all.push_back(entry.path());
  std::ranges::sort(all);
  return all;
}

/// The names inside a record must agree with its folder; otherwise the launcher would use it for another
/// kernel.
Result<void> check_place(const model::Record &record, const fs::path &folder) {
  const auto arch = folder.filename().string(), kernel = folder.parent_path().filename().string();
  if (record.arch != arch)
    return fail(fmt::format("it is for {}, but its folder is '{}'", record.arch, arch));
  if (record.kernel.name != kernel)
    return fail(
        fmt::format("it is for the kernel '{}', but its folder is in '{}'", record.kernel.name, kernel));
  return {};
}

Diagnostic damaged(const fs::path &folder, const Error &error) {
  Diagnostic diagnostic;
  diagnostic.severity = Severity::error;
  diagnostic.place.file = (folder / "record.json").string();
  diagnostic.message = "damaged record: " + error.message;
  diagnostic.remedy = "restore it from version control, or delete the folder and tune again";
  return diagnostic;
}

}  // namespace

Result<LoadedRecord> load_record(const fs::path &folder) {
  CUPILOT_TRY(text, read_file(folder / "record.json"));
  CUPILOT_TRY(record, model::record_from_json(text));
  CUPILOT_TRY(variant, read_file(folder / "variant.cuh"));
  CUPILOT_CHECKED(check_place(record, folder));
  if (sha256(variant) != record.variant_sha256)
    return fail(fmt::format(
        "'{}' is not the variant that was judged (its sha256 differs from variant_sha256); judge your "
        "change with `cupilot judge --variant ... --publish`",
        (folder / "variant.cuh").string()));
  return LoadedRecord{std::move(record), std::move(variant), folder};
}

LoadedRecords load_records(const fs::path &records) {
  LoadedRecords all;
  for (const auto &kernel : folders(records))
    for (const auto &folder : folders(kernel)) {
      auto loaded = load_record(folder);
      if (loaded)
        all.records.push_back(std::move(*loaded));
      else
        all.diagnostics.push_back(damaged(folder, loaded.error()));
    }
  return all;
}

}  // namespace cupilot::record
