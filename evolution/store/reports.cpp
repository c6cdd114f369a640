// SPDX-License-Identifier: Apache-2.0
//
// The queries of reports; all results are in the order written.

#include "annotate/support/text.h"
#include "evolution/model/verdict_json.h"
#include "evolution/store/connection.h"
#include "evolution/store/database.h"
#include "evolution/store/ids.h"

namespace cupilot {
namespace {

std::vector<std::string> lines_of(const std::string &text) {
  std::vector<std::string> lines;
  if (!text.empty()) lines = split_lines(text);
  return lines;
}

/// Reads only the current values of knobs; their allowed values are in the variant's text.
std::vector<Knob> knobs_from_text(const std::string &text) {
  std::vector<Knob> knobs;
  for (const std::string &word : split(text, ' ')) {
    const auto equals = word.find('=');
    if (equals == std::string::npos) continue;
    Knob knob{.name = word.substr(0, equals)};
    knob.value = std::strtoll(word.c_str() + equals + 1, nullptr, 10);
    knobs.push_back(std::move(knob));
  }
  return knobs;
}

Result<StoredIndividual> read_individual(const Statement &row) {
  StoredIndividual stored{.bundle = row.text(0), .seed = static_cast<std::uint64_t>(row.integer(1))};
  Individual &one = stored.individual;
  one.id = row.text(2);
  one.variant = row.text(3);
  one.strategies = lines_of(row.text(4));
  one.strategy_text = row.text(5);
  one.knobs = knobs_from_text(row.text(6));
  one.parents = lines_of(row.text(7));
  one.provider = row.text(8);
  one.model = row.text(9);
  CUPILOT_TRY(calls, ids_from_text(row.text(10)));
  one.calls = std::move(calls);
  stored.ordered_text = row.text(12);
  return stored;
}

}  // namespace

Result<std::vector<StoredRun>> Database::runs() const {
  CUPILOT_TRY(row,
              connection_->query(
                  "SELECT id, kernel, kernel_id, workload_id, architecture, executor, spec_sha256, flags, "
                  "policy, options, seed, starts, started, finished, outcome FROM run ORDER BY id"));
  std::vector<StoredRun> runs;
  while (true) {
    CUPILOT_TRY(found, row.step());
    if (!found) return runs;
    StoredRun run{.id = row.integer(0)};
    run.info = {.kernel = row.text(1),
                .kernel_id = row.text(2),
                .workload_id = row.text(3),
                .architecture = row.text(4),
                .executor = row.text(5),
                .spec_sha256 = row.text(6),
                .flags = row.text(7),
                .policy = row.text(8),
                .options = row.text(9),
                .seed = static_cast<std::uint64_t>(row.integer(10))};
    run.starts = static_cast<int>(row.integer(11));
    run.started = row.text(12);
    run.finished = row.text(13);
    run.outcome = row.text(14);
    runs.push_back(std::move(run));
  }
}

// The verdict is found by its key, because it may have been judged for another run. Of several devices the
// latest verdict counts.
Result<std::vector<StoredIndividual>> Database::individuals(std::int64_t run) const {
  CUPILOT_TRY(
      row, connection_->query(
               "SELECT bundle.id, bundle.seed, individual.name, individual.variant, individual.strategies, "
               "iif(aligned_text = '', strategy_text, aligned_text), knobs, parents, provider, model, calls, "
               "COALESCE((SELECT MAX(verdict.id) FROM verdict WHERE verdict.kernel_id = run.kernel_id AND "
               "verdict.workload_id = run.workload_id AND verdict.architecture = run.architecture AND "
               "verdict.executor = run.executor AND verdict.flags = run.flags AND verdict.variant_sha256 = "
               "individual.variant_sha256 AND verdict.seed = bundle.seed), 0), strategy_text "
               "FROM individual JOIN bundle ON bundle.id = individual.bundle JOIN run ON run.id = bundle.run "
               "WHERE run.id = ? ORDER BY individual.id",
               run));
  std::vector<StoredIndividual> individuals;
  while (true) {
    CUPILOT_TRY(found, row.step());
    if (!found) return individuals;
    CUPILOT_TRY(stored, read_individual(row));
    if (const std::int64_t verdict = row.integer(11); verdict != 0) {
      CUPILOT_TRY(judged, read_verdict(verdict));
      judged.candidate = stored.individual.id;
      stored.verdict = std::move(judged);
    }
    individuals.push_back(std::move(stored));
  }
}

Result<std::vector<StoredEvent>> Database::events(std::int64_t run) const {
  CUPILOT_TRY(row, connection_->query("SELECT at, kind, text FROM event WHERE run = ? ORDER BY id", run));
  std::vector<StoredEvent> events;
  while (true) {
    CUPILOT_TRY(found, row.step());
    if (!found) return events;
    events.push_back({row.text(0), row.text(1), row.text(2)});
  }
}

}  // namespace cupilot
