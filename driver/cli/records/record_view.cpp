// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/records/record_view.h"

#include <algorithm>
#include <string_view>

#include "annotate/support/compile_options.h"
#include "driver/cli/text/lookup.h"

namespace cupilot::cli::records {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kReal = "sm_", kPtx = "compute_", kDigits = "0123456789";

bool lost(const model::Record &record) {
  const auto slower = [](const auto &item) { return item.verdict == "slower"; };
  return record.verdict == "slower" || std::ranges::any_of(record.measurements, slower) ||
         std::ranges::any_of(record.estimates, slower);
}

RecordView view_record(const project::ProjectKernel &kernel, const std::string &architecture,
                       const std::string &toolchain) {
  RecordView view;
  view.architecture = architecture;
  view.folder = record::record_folder(kernel.records, kernel.spec.name, architecture);
  const auto status = record::status_of(kernel.records, kernel.spec, architecture, toolchain);
  view.state = status.state;
  if (view.state != record::RecordState::fits) view.detail = status.detail;
  if (auto loaded = record::load_record(view.folder)) view.record = std::move(loaded->record);
  view.slower = view.record && view.state != record::RecordState::damaged && lost(*view.record);
  if (view.slower)
    view.detail =
        "by its own measurements the variant is slower than the original; delete the record or tune again";
  if (!view.record || !view.record->estimate || view.needs_tuning()) return view;
  view.estimate = !kernel.accept_estimates;
  if (view.estimate)
    view.detail =
        "estimated, never measured, and not used: tune on a GPU, or accept it with "
        "cupilot_tune(target ACCEPT_ESTIMATES)";
  else if (view.detail.empty())
    view.detail = "estimated, never measured; used, since the target accepts estimates";
  return view;
}

/// The folders below tuned/<kernel>, which are the architectures with a record.
std::vector<std::string> recorded_architectures(const project::ProjectKernel &kernel) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto &entry : fs::directory_iterator(kernel.records / kernel.spec.name, ignored))
    if (entry.is_directory(ignored) && entry.path().filename().string().starts_with(kReal))
      names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace

std::string RecordView::word() const {
  if (slower) return "slower";
  return estimate ? "estimate" : record::to_string(state);
}

bool RecordView::needs_tuning() const {
  return slower || estimate ||
         (state != record::RecordState::fits && state != record::RecordState::other_toolchain);
}

std::vector<std::string> wanted_architectures(const spec::KernelSpec &spec) {
  std::vector<std::string> real, ptx;
  for (const auto &architecture : spec.command.architectures) {
    const bool is_ptx = architecture.starts_with(kPtx);
    if (!is_ptx && !architecture.starts_with(kReal)) continue;  // "all" and "native" cannot be resolved here
    const auto digits = architecture.find_first_of(kDigits);
    // Code for 90a uses records of 90, because a GPU reports 90.
    const auto name =
        std::string(kReal) + architecture.substr(digits, architecture.find_last_of(kDigits) + 1 - digits);
    auto &names = is_ptx ? ptx : real;
    if (!text::contains(names, name)) names.push_back(name);
  }
  return real.empty() ? ptx : real;
}

bool is_compiled_for(const spec::KernelSpec &spec, const std::string &architecture) {
  return contains_architecture(spec.command.architectures, architecture);
}

std::vector<RecordView> view_records(const project::ProjectKernel &kernel, const std::string &toolchain) {
  std::vector<RecordView> views;
  const auto wanted = wanted_architectures(kernel.spec);
  for (const auto &architecture : wanted) views.push_back(view_record(kernel, architecture, toolchain));
  for (const auto &architecture : recorded_architectures(kernel)) {
    if (text::contains(wanted, architecture)) continue;
    views.push_back(view_record(kernel, architecture, toolchain));
    views.back().compiled = is_compiled_for(kernel.spec, architecture);
  }
  return views;
}

}  // namespace cupilot::cli::records
