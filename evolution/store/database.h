// SPDX-License-Identifier: Apache-2.0
//
// The run database: everything a search did, as it happened. The only SQLite in the project; the tables stand
// in schema/*.sql. Write-ahead log, one transaction per change: a kill at any moment loses at most the change
// that was being written. One writer: the caller holds the lock file of the run folder.

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/model/bundle.h"
#include "evolution/model/individual.h"
#include "evolution/model/verdict.h"

namespace cupilot {

class Connection;

/// Which kind of executor judges: a GPU measures, the CPU estimates. Part of every key.
inline constexpr const char *kGpuExecutor = "gpu", *kCpuExecutor = "cpu";

/// What a verdict is true of. Two verdicts with the same key are the same verdict: the later one is dropped.
struct VerdictKey {
  std::string kernel_id, workload_id, architecture;
  std::string executor = kGpuExecutor;
  std::string flags;  ///< compiler options, one a line: the same text under other options is another program
  std::string variant_sha256;
  std::uint64_t seed = 0;
  std::string device;  ///< DeviceReport::name
};

/// One search for one kernel.
struct RunInfo {
  std::string kernel, kernel_id, workload_id, architecture;
  std::string executor = kGpuExecutor;
  std::string spec_sha256;  ///< of the spec's JSON: what the measurements were taken of
  std::string flags;        ///< compiler options, one a line
  std::string policy;
  std::uint64_t seed = 0;
};

/// Individuals on their way to the judge, written before the bundle's folder is.
struct BundleInfo {
  std::string id;
  std::string folder;
  std::uint64_t seed = 0;
  std::vector<Individual> individuals;
};

struct RoleCall {
  std::string role, prompt_version, request, answer;
  std::string failure;  ///< empty when it was answered; a bad answer keeps its text beside it
  std::string provider, model;
  long long tokens_in = 0, tokens_out = 0;
  double price_usd = 0, seconds = 0;
};

class Database {
public:
  /// Creates the file when it is missing; a damaged one, or one of a newer cupilot, is one error that names
  /// it.
  static Result<Database> open(const std::filesystem::path &path);
  Database(Database &&) noexcept;
  Database &operator=(Database &&) noexcept;
  ~Database();

  /// The same search again is the same run.
  Result<std::int64_t> begin_run(const RunInfo &info);
  Result<void> end_run(std::int64_t run, const std::string &outcome);
  Result<void> add_event(std::int64_t run, const std::string &kind, const std::string &text);

  /// Counts from 1 and never comes again in this database: for bundle ids.
  Result<std::int64_t> next_bundle_number() const;
  Result<void> add_bundle(std::int64_t run, const BundleInfo &bundle);
  Result<void> close_bundle(const std::string &id);
  /// False: this key had a verdict already, nothing was changed.
  Result<bool> add_verdict(const std::string &bundle, const Verdict &verdict);
  Result<std::optional<Verdict>> find_verdict(const VerdictKey &key) const;
  /// The device the latest verdict on this architecture came from; empty when there is none.
  Result<std::string> last_device(const std::string &architecture, const std::string &executor) const;

  /// Takes over verdict.json files of bundles that were never closed (a killed run) and closes them; says how
  /// many.
  Result<std::size_t> import_open_bundles();

  Result<void> add_role_call(std::int64_t run, const RoleCall &call);
  /// The latest answer to the same question (role, prompt version, request) by the same provider.
  Result<std::optional<RoleCall>> find_answer(const RoleCall &question) const;

private:
  explicit Database(std::unique_ptr<Connection> connection);
  std::unique_ptr<Connection> connection_;
};

}  // namespace cupilot
