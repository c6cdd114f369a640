// SPDX-License-Identifier: Apache-2.0

#include "evolution/record/record.h"

namespace cupilot::record {

namespace fs = std::filesystem;

const char *to_string(RecordState state) {
  switch (state) {
    case RecordState::fits:
      return "fits";
    case RecordState::workloads_changed:
      return "workloads_changed";
    case RecordState::other_toolchain:
      return "other_toolchain";
    case RecordState::stale:
      return "stale";
    case RecordState::damaged:
      return "damaged";
    case RecordState::missing:
      return "missing";
  }
  return "";
}

RecordStatus status_of(const LoadedRecord &loaded, const spec::KernelSpec &spec,
                       const std::string &toolchain) {
  const auto &record = loaded.record;
  if (record.kernel_id != spec.kernel_id)
    return {RecordState::stale,
            "the kernel changed since the record was made; the original runs until it is tuned again"};
  if (record.workload_id != spec.workload_id)
    return {RecordState::workloads_changed, "the record is used, but was tuned for other workloads"};
  if (!toolchain.empty() && !record.toolchain.empty() && record.toolchain != toolchain)
    return {RecordState::other_toolchain, "the record is used, but was measured with " + record.toolchain};
  return {RecordState::fits, "the record fits"};
}

RecordStatus status_of(const fs::path &records, const spec::KernelSpec &spec, const std::string &architecture,
                       const std::string &toolchain) {
  const auto folder = record_folder(records, spec.name, architecture);
  std::error_code failed;
  if (!fs::exists(folder, failed)) return {RecordState::missing, "no record for " + architecture};
  const auto loaded = load_record(folder);
  if (!loaded) return {RecordState::damaged, loaded.error().message};
  return status_of(*loaded, spec, toolchain);
}

}  // namespace cupilot::record
