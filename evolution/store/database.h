// SPDX-License-Identifier: Apache-2.0
//
// The run database: it stores everything a search does, as it happens. evolution/store is the only user of
// SQLite in the project; the tables are defined in schema/*.sql. It uses a write-ahead log and one
// transaction for each change, so a kill at any moment loses at most the change being written. There is one
// writer: the caller holds the lock file of the run folder.

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

namespace cupilot::store {

class Connection;

/// The kind of executor that judges: a GPU measures, the CPU estimates, a recording replays. It is part of
/// every key.
inline constexpr const char *kGpuExecutor = "gpu", *kCpuExecutor = "cpu", *kReplayExecutor = "replay";

/// The key of a verdict. If a verdict with the same key exists already, the new one is dropped.
struct VerdictKey {
  std::string kernel_id, workload_id, architecture;
  std::string executor = kGpuExecutor;
  std::string flags;  ///< compiler options, one a line: the same text with other options is another program
  std::string variant_sha256;
  std::uint64_t seed = 0;
  std::string device;  ///< DeviceReport::name
};

/// One search for one kernel.
struct RunInfo {
  std::string kernel, kernel_id, workload_id, architecture;
  std::string executor = kGpuExecutor;
  std::string spec_sha256;  ///< of the spec's JSON, which identifies what was measured
  std::string flags;        ///< compiler options, one a line
  std::string policy;
  std::string options;  ///< options of the policy and the models it asks, one a line; different options make
                        ///< a different search
  std::uint64_t seed = 0;
};

/// A batch of individuals for the judge; it is stored before the bundle's folder is written.
struct BundleInfo {
  std::string id;
  std::string folder;
  std::uint64_t seed = 0;
  std::vector<model::Individual> individuals;
};

/// A question to a provider and its outcome. `asked`: the outcome is unknown because the process was killed;
/// the call counts with its highest possible cost. `answered`: the provider answered. `failed`: it did not.
struct RoleCall {
  enum class State { asked, answered, failed };
  std::int64_t id = 0;
  std::string role, prompt_version;
  std::string content, prefix, prompt;  ///< members of RoleRequest; equal prefixes are stored once
  std::string question_sha256;
  State state = State::asked;
  std::string answer;
  std::string failure;  ///< empty if the answer was usable; otherwise why not, and `answer` keeps its text
  std::string provider, model, request_id;
  long long tokens_in = 0, tokens_cached = 0, tokens_out = 0;
  double price_usd = 0, seconds = 0;
  std::string at;
};

/// What models have cost. Calls in state `asked` count with their highest possible cost.
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
  model::Individual individual;  ///< its strategy_text is the aligned one, if it was aligned
  std::string ordered_text;      ///< strategy_text before the alignment
  std::string bundle;
  std::uint64_t seed = 0;
  std::optional<model::Verdict> verdict;  ///< absent if not judged yet
};
struct StoredEvent {
  std::string at, kind, text;
};

class Database {
public:
  /// Opens the database and creates the file if it is missing. A damaged file, or one of a newer cupilot, is
  /// an error that names it.
  static Result<Database> open(const std::filesystem::path &path);
  Database(Database &&) noexcept;
  Database &operator=(Database &&) noexcept;
  ~Database();

  /// Starts a run, or continues the existing run of the same search.
  Result<std::int64_t> begin_run(const RunInfo &info);
  Result<void> end_run(std::int64_t run, const std::string &outcome);
  Result<void> add_event(std::int64_t run, const std::string &kind, const std::string &text);

  /// A number for a new bundle's id; counts from 1 and never repeats in this database.
  Result<std::int64_t> next_bundle_number() const;
  Result<void> add_bundle(std::int64_t run, const BundleInfo &bundle);
  Result<void> close_bundle(const std::string &id);
  /// Adds individuals whose verdicts come from another run. Those that this run does not have yet are stored
  /// in a closed bundle without a folder.
  Result<void> keep_known(std::int64_t run, std::uint64_t seed,
                          const std::vector<model::Individual> &individuals);
  /// Stores a verdict. False if this key had a verdict already; nothing is changed then.
  Result<bool> add_verdict(const std::string &bundle, const model::Verdict &verdict);
  Result<std::optional<model::Verdict>> find_verdict(const VerdictKey &key) const;
  /// The device of the latest verdict on this architecture; empty if there is none.
  Result<std::string> last_device(const std::string &architecture, const std::string &executor) const;

  /// Imports the verdict.json files of bundles that were not closed because a run was killed, closes these
  /// bundles, and returns the number of imported verdicts.
  Result<std::size_t> import_open_bundles();

  /// Stores a question before it is asked, with its highest possible cost; end_role_call() replaces that
  /// cost. A question that costs nothing is stored once, together with its answer.
  Result<std::int64_t> begin_role_call(std::int64_t run, const RoleCall &call);
  Result<void> end_role_call(const RoleCall &call);
  /// This run's latest answer to the same question by the same provider, usable answers before unusable ones.
  /// Empty if there is none (the question was lost or failed).
  Result<std::optional<RoleCall>> find_answer(std::int64_t run, const std::string &question_sha256,
                                              const std::string &provider) const;
  Result<RoleSpending> role_spending(std::int64_t run) const;
  /// Stores the text of an individual's strategy after its alignment, and the ids of the calls it took.
  Result<void> align(std::int64_t run, const std::string &individual, const std::string &strategy_text,
                     const std::vector<std::int64_t> &calls);

  /// The contents for reports, in the order written.
  Result<std::vector<StoredRun>> runs() const;
  Result<std::vector<StoredIndividual>> individuals(std::int64_t run) const;
  Result<std::vector<RoleCall>> role_calls(std::int64_t run) const;
  Result<std::vector<StoredEvent>> events(std::int64_t run) const;

private:
  explicit Database(std::unique_ptr<Connection> connection);
  Result<model::Verdict> read_verdict(std::int64_t id) const;

  std::unique_ptr<Connection> connection_;
};

}  // namespace cupilot::store
