// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/record_view.h"

#include <algorithm>

#include "driver/cli/lookup.h"

namespace cupilot::cli {
namespace {

namespace fs = std::filesystem;

bool lost(const Record &record) {
  const auto slower = [](const RecordMeasurement &m) { return m.verdict == "slower"; };
  return record.verdict == "slower" || std::ranges::any_of(record.measurements, slower);
}

RecordView view_record(const ProjectKernel &kernel, const std::string &architecture) {
  RecordView view;
  view.architecture = architecture;
  view.folder = record_folder(kernel.records, kernel.spec.name, architecture);
  const auto status = status_of(kernel.records, kernel.spec, architecture);
  view.state = status.state;
  if (view.state != RecordState::fits) view.detail = status.detail;
  if (auto loaded = load_record(view.folder)) view.record = std::move(loaded->record);
  view.slower = view.record && view.state != RecordState::damaged && lost(*view.record);
  if (view.slower)
    view.detail = "the record's own measurements say slower than the original; delete it or tune again";
  return view;
}

/// Folders below tuned/<kernel>: architectures somebody tuned for.
std::vector<std::string> recorded_architectures(const ProjectKernel &kernel) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto &entry : fs::directory_iterator(kernel.records / kernel.spec.name, ignored))
    if (entry.is_directory(ignored) && entry.path().filename().string().starts_with("sm_"))
      names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace

std::string RecordView::word() const {
  return slower ? "slower" : to_string(state);
}

bool RecordView::needs_tuning() const {
  if (state == RecordState::fits || state == RecordState::other_toolchain) return slower;
  return compiled || state != RecordState::missing;
}

std::vector<std::string> compiled_architectures(const KernelSpec &spec) {
  constexpr std::string_view kVirtual = "compute_";
  std::vector<std::string> names;
  for (const auto &architecture : spec.command.architectures) {
    const auto name =
        architecture.starts_with(kVirtual) ? "sm_" + architecture.substr(kVirtual.size()) : architecture;
    if (!contains(names, name)) names.push_back(name);
  }
  return names;
}

std::vector<RecordView> view_records(const ProjectKernel &kernel) {
  std::vector<RecordView> views;
  const auto compiled = compiled_architectures(kernel.spec);
  for (const auto &architecture : compiled) views.push_back(view_record(kernel, architecture));
  for (const auto &architecture : recorded_architectures(kernel)) {
    if (contains(compiled, architecture)) continue;
    views.push_back(view_record(kernel, architecture));
    views.back().compiled = false;
  }
  return views;
}

}  // namespace cupilot::cli
