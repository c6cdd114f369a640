// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/stamp.h"

#include "annotate/support/files.h"
#include "annotate/support/hash.h"
#include "annotate/support/text.h"
#include "driver/launcher/cache_file.h"
#include "driver/launcher/limits.h"

namespace cupilot::launcher {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStampVersion = "cupilot_stamp 1\n";

Unit read_stamp(std::string_view text) {
  Unit unit;
  for (const auto &line : split_lines(text)) {
    const auto blank = line.find(' ');
    if (blank == std::string::npos) continue;
    const auto value = line.substr(blank + 1);
    if (line.starts_with("source ")) unit.source = value;
    if (line.starts_with("file ")) unit.files.emplace_back(value);
    if (line.starts_with("arch ")) unit.architectures.push_back(value);
  }
  return unit;
}

}  // namespace

fs::path unit_folder(const CompileJob &job, const Settings &settings) {
  if (settings.cache.empty()) return job.object.string() + ".cupilot";
  const auto id = Sha256().field(job.object.string()).field(job.source.string()).hex().substr(0, 16);
  return settings.cache / (job.source.stem().string() + "-" + id);
}

fs::path stamp_path(const fs::path &unit_folder) {
  return unit_folder / "stamp";
}

std::string stamp_text(const Unit &unit, const std::vector<fs::path> &records) {
  std::string text(kStampVersion);
  text += "source " + unit.source.string() + "\n";
  for (const auto &arch : unit.architectures) text += "arch " + arch + "\n";
  for (const auto &file : unit.files) text += "file " + file.string() + "\n";
  for (const auto &record : records) text += "record " + record.string() + "\n";
  return text;
}

Result<void> refresh_stamps(const Settings &settings) {
  Result<void> done;
  std::error_code failed;
  for (fs::directory_iterator entry(settings.cache, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    const auto text = read_regular_file(stamp_path(entry->path()), kMostCacheBytes);
    if (!text || !text->starts_with(kStampVersion)) continue;
    const Unit unit = read_stamp(*text);
    auto written =
        write_cache_file(stamp_path(entry->path()), stamp_text(unit, relevant_records(unit, settings)));
    if (!written) done = std::move(written);  // the other stamps have a right to be new
  }
  return done;
}

}  // namespace cupilot::launcher
