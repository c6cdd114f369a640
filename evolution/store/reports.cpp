// SPDX-License-Identifier: Apache-2.0
//
// The queries of reports; all results are in the order written.

#include "evolution/model/verdict_json.h"
#include "evolution/store/connection.h"
#include "evolution/store/database.h"
#include "evolution/store/rows.h"
#include "evolution/store/store_fields.h"

namespace cupilot::store {
namespace {

/// In individuals(), columns of other tables come first.
constexpr int kFirstOfIndividual = 5;

Result<StoredIndividual> read_individual(const Statement &row) {
  StoredIndividual stored{
      .ordered_text = row.text(0), .bundle = row.text(1), .seed = static_cast<std::uint64_t>(row.integer(2))};
  CUPILOT_TRY(individual, read_row<model::Individual>(row, kFirstOfIndividual));
  stored.individual = std::move(individual);
  if (!row.text(3).empty()) stored.individual.strategy_text = row.text(3);
  return stored;
}

}  // namespace

Result<std::vector<StoredRun>> Database::runs() const {
  return read_rows<StoredRun>(
      connection_->query(("SELECT " + column_names<StoredRun>() + " FROM run ORDER BY id").c_str()));
}

// The verdict is found by its key, because it may have been judged for another run. Of several devices the
// latest verdict counts.
Result<std::vector<StoredIndividual>> Database::individuals(std::int64_t run) const {
  const std::string sql =
      "SELECT strategy_text, bundle.id, bundle.seed, aligned_text, "
      "COALESCE((SELECT MAX(verdict.id) FROM verdict WHERE verdict.kernel_id = run.kernel_id AND "
      "verdict.workload_id = run.workload_id AND verdict.architecture = run.architecture AND "
      "verdict.executor = run.executor AND verdict.flags = run.flags AND verdict.variant_sha256 = "
      "individual.variant_sha256 AND verdict.seed = bundle.seed), 0), " +
      column_names<model::Individual>("individual.") +
      " FROM individual JOIN bundle ON bundle.id = individual.bundle JOIN run ON run.id = bundle.run "
      "WHERE run.id = ? ORDER BY individual.id";
  return read_rows(connection_->query(sql.c_str(), run),
                   [&](const Statement &row) -> Result<StoredIndividual> {
                     CUPILOT_TRY(stored, read_individual(row));
                     if (const std::int64_t verdict = row.integer(4); verdict != 0) {
                       CUPILOT_TRY(judged, read_verdict(verdict));
                       judged.candidate = stored.individual.id;
                       stored.verdict = std::move(judged);
                     }
                     return stored;
                   });
}

Result<std::vector<StoredEvent>> Database::events(std::int64_t run) const {
  const std::string sql = "SELECT " + column_names<StoredEvent>() + " FROM event WHERE run = ? ORDER BY id";
  return read_rows<StoredEvent>(connection_->query(sql.c_str(), run));
}

}  // namespace cupilot::store
