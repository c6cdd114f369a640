// SPDX-License-Identifier: Apache-2.0
//
// Published records: making one from a winner and its verdict, writing it so that a reader sees the old
// record or the new one, reading all of a project, and saying whether one still holds. `tuned/<kernel
// name>/<arch>/{variant.cuh,record.json}`; the data is evolution/model/record.h.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/diagnostic.h"
#include "annotate/support/result.h"
#include "evolution/model/bundle.h"
#include "evolution/model/individual.h"
#include "evolution/model/record.h"
#include "evolution/model/verdict.h"

namespace cupilot {

/// How a record came to be, beyond what spec, individual and verdict say.
struct Provenance {
  std::string architecture;  ///< "sm_90"
  std::string policy;        ///< "knobs", "hand"
  std::string toolchain;     ///< Toolchain::describe()
  std::string command;       ///< repeats it
  std::string created;       ///< ISO 8601, UTC; empty: now
  std::uint64_t seed = 0;
  std::vector<std::string> waived;  ///< Bundle::waived
  double cost_usd = 0;              ///< Record::cost_usd
  long long tokens = 0;             ///< Record::tokens
};

/// The two files of a record.
struct RecordFiles {
  Record record;
  std::string variant;  ///< text of variant.cuh, header line included; its hash is record.variant_sha256
};

/// The guard covers exactly the cases of `cases` that `verdict` lists as passed; none passed is an error. A
/// verdict of the CPU executor makes a record that says it is an estimate, in the first line of both files.
Result<RecordFiles> make_record(const KernelSpec &spec, const std::vector<Case> &cases,
                                const Individual &winner, const Verdict &verdict,
                                const Provenance &provenance);

/// When a variant may run, from the cases it passed.
Guard make_guard(const KernelSpec &spec, const std::vector<Case> &passed);
/// Only where it is faster: a box of parameter values for each workload of `dispatch` (Verdict::dispatch;
/// empty: everywhere).
Result<Guard> make_guard(const KernelSpec &spec, const std::vector<Case> &passed,
                         const std::vector<std::string> &dispatch);

/// `records` is the folder `tuned`. Both files are written aside and appear together by one rename.
Result<void> publish(const RecordFiles &files, const std::filesystem::path &records);

/// Before tuning starts: one clear error when publish() could not work.
Result<void> check_writable(const std::filesystem::path &records);

std::filesystem::path record_folder(const std::filesystem::path &records, const std::string &kernel,
                                    const std::string &architecture);

struct LoadedRecord {
  Record record;
  std::string variant;
  std::filesystem::path folder;
};
struct LoadedRecords {
  std::vector<LoadedRecord> records;    ///< sorted by folder
  std::vector<Diagnostic> diagnostics;  ///< one a damaged record: which file, what is wrong
};
/// A missing folder is an empty answer.
LoadedRecords load_records(const std::filesystem::path &records);
Result<LoadedRecord> load_record(const std::filesystem::path &folder);

enum class RecordState { fits, workloads_changed, other_toolchain, stale, damaged, missing };
const char *to_string(RecordState);

struct RecordStatus {
  RecordState state = RecordState::missing;
  std::string detail;  ///< one line for people: "the kernel changed since the record was made"
};
/// `toolchain` empty: not compared.
RecordStatus status_of(const LoadedRecord &record, const KernelSpec &spec, const std::string &toolchain = {});
/// Reads the folder of the kernel's record for this architecture: also tells missing and damaged.
RecordStatus status_of(const std::filesystem::path &records, const KernelSpec &spec,
                       const std::string &architecture, const std::string &toolchain = {});

}  // namespace cupilot
