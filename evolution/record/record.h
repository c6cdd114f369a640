// SPDX-License-Identifier: Apache-2.0
//
// Published records: makes a record from a winner and its verdict, publishes it atomically (a reader sees
// either the old record or the new one), loads all records of a project, and tells whether a record is still
// valid. A record is the folder `tuned/<kernel name>/<arch>/` with variant.cuh and record.json; its data is
// evolution/model/record.h.

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

namespace cupilot::record {

/// The origin of a record, beyond what spec, individual and verdict say.
struct Provenance {
  std::string architecture;  ///< "sm_90"
  std::string policy;        ///< "knobs", "hand"
  std::string toolchain;     ///< Toolchain::describe()
  std::string command;       ///< command that repeats the run
  std::string created;       ///< ISO 8601, UTC; empty: now
  std::uint64_t seed = 0;
  std::vector<std::string> waived;  ///< Bundle::waived
  double cost_usd = 0;              ///< Record::cost_usd
  long long tokens = 0;             ///< Record::tokens
};

/// The two files of a record.
struct RecordFiles {
  model::Record record;
  std::string variant;  ///< text of variant.cuh including the header line; its hash is record.variant_sha256
};

/// Makes a record. Its guard covers exactly the cases of `cases` that `verdict` lists as passed; it is an
/// error if none passed. If the verdict is from the CPU executor, the first line of both files says that it
/// is an estimate.
Result<RecordFiles> make_record(const spec::KernelSpec &spec, const std::vector<model::Case> &cases,
                                const model::Individual &winner, const model::Verdict &verdict,
                                const Provenance &provenance);

/// The conditions under which a variant may run, from the cases it passed.
model::Guard make_guard(const spec::KernelSpec &spec, const std::vector<model::Case> &passed);
/// The same, restricted to where the variant is faster: a box of parameter values for each workload of
/// `dispatch` (Verdict::dispatch; empty: no restriction).
Result<model::Guard> make_guard(const spec::KernelSpec &spec, const std::vector<model::Case> &passed,
                                const std::vector<std::string> &dispatch);

/// Publishes a record in `records`, the folder `tuned`. Both files are written to a temporary folder and
/// appear together by one rename.
Result<void> publish(const RecordFiles &files, const std::filesystem::path &records);

/// Checks before tuning starts that publish() can work; otherwise an error that says why.
Result<void> check_writable(const std::filesystem::path &records);

std::filesystem::path record_folder(const std::filesystem::path &records, const std::string &kernel,
                                    const std::string &architecture);

struct LoadedRecord {
  model::Record record;
  std::string variant;
  std::filesystem::path folder;
};
struct LoadedRecords {
  std::vector<LoadedRecord> records;    ///< sorted by folder
  std::vector<Diagnostic> diagnostics;  ///< one for each damaged record: which file, and what is wrong
};
/// Loads all records; a missing folder has none.
LoadedRecords load_records(const std::filesystem::path &records);
Result<LoadedRecord> load_record(const std::filesystem::path &folder);

enum class RecordState { fits, workloads_changed, other_toolchain, stale, damaged, missing };
const char *to_string(RecordState);

struct RecordStatus {
  RecordState state = RecordState::missing;
  std::string detail;  ///< one line for people: "the kernel changed since the record was made"
};
/// Compares a record with the current spec. An empty `toolchain` is not compared.
RecordStatus status_of(const LoadedRecord &record, const spec::KernelSpec &spec,
                       const std::string &toolchain = {});
/// The same for the kernel's record in `records` for this architecture; it also reports `missing` and
/// `damaged`.
RecordStatus status_of(const std::filesystem::path &records, const spec::KernelSpec &spec,
                       const std::string &architecture, const std::string &toolchain = {});

}  // namespace cupilot::record
