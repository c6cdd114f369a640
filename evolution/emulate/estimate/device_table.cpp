// SPDX-License-Identifier: Apache-2.0
//
// Finds device tables: a named file, the user's own calibrations, or the built-in tables.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "annotate/support/files.h"
#include "evolution/emulate/estimate/built_in_tables.h"
#include "evolution/emulate/estimate/derive.h"

namespace cupilot::emulate::estimate {

namespace {

namespace fs = std::filesystem;

bool is_for(const DeviceTable &table, const std::string &wanted) {
  return table.architecture == wanted || table.name == wanted;
}

Result<DeviceTable> read_file_table(const fs::path &path) {
  CUPILOT_TRY(text, read_file(path));
  return read_device_table(text, path.string());
}

/// The user's tables sorted by name; a damaged table is an error only if it is the requested one.
Result<DeviceTable> of_user(const std::string &wanted) {
  std::error_code ignored;
  std::vector<fs::path> files;
  const std::string folder = user_tables_folder();
  if (!folder.empty())
    for (const auto &entry : fs::directory_iterator(folder, ignored))
      if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path &file : files) {
    auto table = read_file_table(file);
    if (table ? is_for(*table, wanted) || file.stem() == wanted : file.stem() == wanted) return table;
  }
  return fail("none");
}

}  // namespace

std::string user_tables_folder() {
  if (const char *data = std::getenv("XDG_DATA_HOME"); data && *data)
    return std::string(data) + "/cupilot/devices";
  if (const char *home = std::getenv("HOME"); home && *home)
    return std::string(home) + "/.local/share/cupilot/devices";
  return {};
}

std::vector<DeviceTable> built_in_tables() {
  std::vector<DeviceTable> tables;
  for (const auto &[name, text] : built_in_table_texts()) {
    auto table = read_device_table(text, name);
    CUPILOT_CHECK(table.has_value());
    tables.push_back(std::move(*table));
  }
  return tables;
}

Result<DeviceTable> device_table(const std::string &architecture_or_name) {
  std::string wanted = architecture_or_name;
  // "sm_90a", "sm_100f": the same device with more instructions.
  if (wanted.size() > 4 && wanted.starts_with("sm_") && (wanted.ends_with('a') || wanted.ends_with('f')) &&
      wanted.find_first_not_of("0123456789", 3) == wanted.size() - 1)
    wanted.pop_back();
  if (wanted.find('/') != wanted.npos || wanted.ends_with(".json")) return read_file_table(wanted);
  if (auto own = of_user(wanted); own || own.error().message != "none") return own;
  std::string known;
  const auto &texts = built_in_table_texts();
  const auto tables = built_in_tables();
  const DeviceTable *found = nullptr;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    known += (i ? ", " : "") + texts[i].first;
    if (texts[i].first == wanted) return tables[i];
    const bool better =
        found && !found->source.starts_with("calibrated") && tables[i].source.starts_with("calibrated");
    if (is_for(tables[i], wanted) && (!found || better)) found = &tables[i];
  }
  if (found) return *found;
  return user_error(fmt::format(
      "there is no device table for '{}'; the built-in ones are {}, and 'cupilot calibrate' makes one of "
      "this machine's GPU",
      wanted, known));
}

}  // namespace cupilot::emulate::estimate
