// SPDX-License-Identifier: Apache-2.0
//
// Bundles in the database. A bundle is open from before its folder is written until all its verdicts are
// stored. After a kill the folder of an open bundle may hold verdicts that the database does not have.

#include "annotate/support/files.h"
#include "annotate/support/hash.h"
#include "evolution/model/verdict_json.h"
#include "evolution/store/connection.h"
#include "evolution/store/database.h"
#include "evolution/store/rows.h"
#include "evolution/store/store_fields.h"

namespace cupilot::store {
namespace {

Result<void> add_individual(const Connection &connection, const std::string &bundle,
                            const model::Individual &individual) {
  auto columns = columns_of(individual);
  columns.push_back({"bundle", bundle});
  columns.push_back({"variant_sha256", sha256(individual.variant)});
  CUPILOT_TRY(row, insert_row(connection, "INSERT INTO individual", columns));
  CUPILOT_CHECKED(row.step());
  return {};
}

struct Awaited {
  std::string bundle, folder, candidate;
};

Result<std::vector<Awaited>> awaited_verdicts(const Connection &connection) {
  return read_rows(
      connection.query("SELECT bundle.id, bundle.folder, individual.name FROM bundle "
                       "JOIN individual ON individual.bundle = bundle.id WHERE bundle.open = 1 "
                       "AND NOT EXISTS (SELECT 1 FROM verdict WHERE verdict.individual = individual.id) "
                       "ORDER BY individual.id"),
      [](const Statement &row) -> Result<Awaited> { return Awaited{row.text(0), row.text(1), row.text(2)}; });
}

}  // namespace

Result<std::int64_t> Database::next_bundle_number() const {
  CUPILOT_TRY(row, connection_->query("SELECT COUNT(*) + 1 FROM bundle"));
  CUPILOT_TRY(found, row.step());
  CUPILOT_CHECK(found);
  return row.integer(0);
}

Result<void> Database::add_bundle(std::int64_t run, const BundleInfo &bundle) {
  CUPILOT_TRY(transaction, Transaction::begin(*connection_));
  CUPILOT_CHECKED(connection_->run("INSERT INTO bundle (id, run, folder, seed) VALUES (?, ?, ?, ?)",
                                   bundle.id, run, bundle.folder, static_cast<std::int64_t>(bundle.seed)));
  for (const model::Individual &individual : bundle.individuals)
    CUPILOT_CHECKED(add_individual(*connection_, bundle.id, individual));
  return transaction.commit();
}

Result<void> Database::keep_known(std::int64_t run, std::uint64_t seed,
                                  const std::vector<model::Individual> &individuals) {
  if (individuals.empty()) return {};
  const std::string bundle = "known " + std::to_string(run) + " " + std::to_string(seed);
  CUPILOT_TRY(transaction, Transaction::begin(*connection_));
  for (const model::Individual &individual : individuals) {
    CUPILOT_TRY(
        row, connection_->query("SELECT 1 FROM individual JOIN bundle ON bundle.id = individual.bundle WHERE "
                                "bundle.run = ? AND bundle.seed = ? AND individual.name = ?",
                                run, static_cast<std::int64_t>(seed), individual.id));
    CUPILOT_TRY(there, row.step());
    if (there) continue;
    CUPILOT_CHECKED(connection_->run(
        "INSERT INTO bundle (id, run, folder, seed, open) VALUES (?, ?, '', ?, 0) ON CONFLICT DO NOTHING",
        bundle, run, static_cast<std::int64_t>(seed)));
    CUPILOT_CHECKED(add_individual(*connection_, bundle, individual));
  }
  return transaction.commit();
}

Result<void> Database::close_bundle(const std::string &id) {
  return connection_->run("UPDATE bundle SET open = 0 WHERE id = ?", id);
}

Result<std::size_t> Database::import_open_bundles() {
  CUPILOT_TRY(awaited, awaited_verdicts(*connection_));
  std::size_t imported = 0;
  for (const Awaited &one : awaited) {
    const auto path = std::filesystem::path(one.folder) / "candidates" / one.candidate / "verdict.json";
    const auto text = read_file(path);
    if (!text) continue;  // it was not judged before the kill
    // The worker writes atomically, so a file that does not parse was damaged later; the candidate is judged
    // again.
    auto verdict = model::verdict_from_json(*text);
    if (!verdict || verdict->candidate != one.candidate) continue;
    CUPILOT_TRY(added, add_verdict(one.bundle, *verdict));
    imported += added;
  }
  CUPILOT_CHECKED(connection_->run("UPDATE bundle SET open = 0 WHERE open = 1"));
  return imported;
}

}  // namespace cupilot::store
