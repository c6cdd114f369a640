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

/// Which kind of executor judges: a GPU measures, the CPU estimates, a recording repeats. Part of every key.
inline constexpr const char *kGpuExecutor = "gpu", *kCpuExecutor = "cpu", *kReplayExecutor = "replay";

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
  std::string
      options;  ///< of the policy, and the models it asks: another search when they differ; one a line
  std::uint64_t seed = 0;
};

/// Individuals on their way to the judge, written before the bundle's folder is.
struct BundleInfo {
  std::string id;
  std::string folder;
  std::uint64_t seed = 0;
  std::vector<Individual> individuals;
};

/// A question to a provider and what came of it. `asked`: nobody knows what became of it (the process was
/// killed meanwhile); it counts with the most it can have cost. `answered`: the provider said something,
/// `failed`: it did not.
struct RoleCall {
  enum class State { asked, answered, failed };
  std::int64_t id = 0;
  std::string role, prompt_version;
  std::string content, prefix, prompt;  ///< RoleRequest; prefixes are kept once
  std::string question_sha256;
  State state = State::asked;
  std::string answer;
  std::string failure;  ///< empty when the answer was good; a bad one keeps its text beside it
  std::string provider, model, request_id;
  long long tokens_in = 0, tokens_cached = 0, tokens_out = 0;
  double price_usd = 0, seconds = 0;
  std::string at;
};

/// What models have cost; calls in state `asked` at their most.
struct RoleSpending {
  long long tokens_in = 0, tokens_cached = 0, tokens_out = 0;
  double price_usd = 0;
  std::size_t calls = 0;
};

struct StoredRun {
  std::int64_t id = 0;
  RunInfo info;
  int starts = 1;
  std::string started, finished, outcome;
};
struct StoredIndividual {
  Individual individual;     ///< strategy_text as aligned, where it was
  std::string ordered_text;  ///< strategy_text before that
  std::string bundle;
  std::uint64_t seed = 0;
  std::optional<Verdict> verdict;  ///< absent: not judged yet
};
struct StoredEvent {
  std::string at, kind, text;
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
  /// Individuals whose verdicts another run has: those this run does not have yet, in a closed bundle of no
  /// folder.
  Result<void> keep_known(std::int64_t run, std::uint64_t seed, const std::vector<Individual> &individuals);
  /// False: this key had a verdict already, nothing was changed.
  Result<bool> add_verdict(const std::string &bundle, const Verdict &verdict);
  Result<std::optional<Verdict>> find_verdict(const VerdictKey &key) const;
  /// The device the latest verdict on this architecture came from; empty when there is none.
  Result<std::string> last_device(const std::string &architecture, const std::string &executor) const;

  /// Takes over verdict.json files of bundles that were never closed (a killed run) and closes them; says how
  /// many.
  Result<std::size_t> import_open_bundles();

  /// Before a question is asked, with the most it can cost; the answer replaces that. What costs nothing is
  /// written once, with its answer.
  Result<std::int64_t> begin_role_call(std::int64_t run, const RoleCall &call);
  Result<void> end_role_call(const RoleCall &call);
  /// Of this run: the latest answer to the same question by the same provider, good ones before bad ones;
  /// nothing when there is none yet (asked and lost, or failed).
  Result<std::optional<RoleCall>> find_answer(std::int64_t run, const std::string &question_sha256,
                                              const std::string &provider) const;
  Result<RoleSpending> role_spending(std::int64_t run) const;
  /// The text of an individual's strategy after its alignment, and the calls it took.
  Result<void> align(std::int64_t run, const std::string &individual, const std::string &strategy_text,
                     const std::vector<std::int64_t> &calls);

  /// For reports, in the order written.
  Result<std::vector<StoredRun>> runs() const;
  Result<std::vector<StoredIndividual>> individuals(std::int64_t run) const;
  Result<std::vector<RoleCall>> role_calls(std::int64_t run) const;
  Result<std::vector<StoredEvent>> events(std::int64_t run) const;

private:
  explicit Database(std::unique_ptr<Connection> connection);
  Result<Verdict> read_verdict(std::int64_t id) const;

  std::unique_ptr<Connection> connection_;
};

}  // namespace cupilot
